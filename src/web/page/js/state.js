// What the page shows, and its text in the fragment of the address. The fragment is only taken apart here: whether the
// game, the position and the moves in it are sound is for the server to say.

export const MODES = ["play", "two", "analyse", "setup", "rules"];
export const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/** The state of a page that was opened without a fragment. `ply` null is the end of the moves. */
export function initial() {
  return { game: "kpe", options: "", loops: "", start: "startpos", moves: [], ply: null, mode: "play", level: 4, side: "S", lang: "" };
}

/** The state that a fragment such as `#game=kpe&moves=A,b&ply=1` describes; what is missing is as at first. */
export function read(fragment) {
  const state = initial();
  const given = new URLSearchParams(fragment.replace(/^#/, "").replaceAll("+", "%2B"));
  for (const name of ["options", "loops", "start", "lang"]) state[name] = given.get(name) || state[name];
  state.game = given.get("game") || state.game;
  state.moves = (given.get("moves") ?? "").split(",").filter((move) => move !== "");
  if (/^\d{1,4}$/.test(given.get("ply") ?? "")) state.ply = Number(given.get("ply"));
  if (MODES.includes(given.get("mode"))) state.mode = given.get("mode");
  if (LEVELS.includes(Number(given.get("level")))) state.level = Number(given.get("level"));
  if (given.get("side") === "N") state.side = "N";
  return state;
}

/** The fragment that describes a state; what is as at first is left out. */
export function write(state) {
  const first = initial();
  const parts = [`game=${encode(state.game)}`];
  for (const name of ["options", "loops", "start"]) {
    if (state[name] !== first[name]) parts.push(`${name}=${encode(state[name])}`);
  }
  if (state.moves.length > 0) parts.push(`moves=${encode(state.moves.join(","))}`);
  if (state.ply !== null && state.ply < state.moves.length) parts.push(`ply=${state.ply}`);
  parts.push(`mode=${state.mode}`);
  if (state.mode === "play") parts.push(`level=${state.level}`, `side=${state.side}`);
  if (state.lang !== "") parts.push(`lang=${encode(state.lang)}`);
  return `#${parts.join("&")}`;
}

/** Percent-encoding that leaves readable what a fragment may hold as it is. */
function encode(text) {
  return encodeURIComponent(text).replace(/%(2C|3A|40|3D)/g, decodeURIComponent);
}
