// The questions to the server. Everything that needs the rules of a game is asked here.

/** What a request failed with: the server's problem document, or status 0 if no server answered. */
export class Problem extends Error {
  constructor(status, document) {
    super(document?.detail ?? document?.title ?? "");
    this.name = "Problem";
    this.status = status;
    this.at = document?.at ?? null;
    this.ply = document?.ply ?? null;
    this.line = document?.line ?? null;
    this.column = document?.column ?? null;
  }
}

/** The longest parameters that are sent in an address; longer ones are a body. */
const LONGEST = 4096;

/** A request with these parameters. */
const get = (path, query, signal) => {
  const text = new URLSearchParams(query);
  return text.toString().length > LONGEST
    ? ask(path, { method: "POST", body: text, signal })
    : ask(`${path}?${text}`, { signal });
};

async function ask(address, request) {
  let response;
  try {
    response = await fetch(`/api/v1/${address}`, request);
  } catch (error) {
    throw error.name === "AbortError" ? error : new Problem(0, null);
  }
  let document = null;
  try {
    document = await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
  }
  if (!response.ok || document === null) throw new Problem(response.status, document);
  return document;
}

/** The parameters every request shares. */
function rules(state) {
  const query = { game: state.game };
  if (state.options) query.options = state.options;
  if (state.loops) query.loops = state.loops;
  return query;
}

function line(state) {
  const query = { ...rules(state), start: state.start };
  if (state.moves.length > 0) query.moves = state.moves.join(",");
  return query;
}

/** The whole game, every ply with its path and captures, and the legal moves at its end. */
export const play = (state, signal) => get("play", line(state), signal);

/** What a position and each of its moves are worth. */
export const assess = (state, position, milliseconds, signal) =>
  get("position", { ...rules(state), position, time_ms: milliseconds }, signal);

/** The move that a level makes at the end of a game. */
export const choose = (state, signal) => get("choose", { ...line(state), level: state.level }, signal);

/** What every move of a game was worth. */
export const annotate = (state, signal) => get("annotate", line(state), signal);

/** The game that a record describes. The text goes as it is: in an address letters of some scripts take nine bytes each. */
export const parseRecord = (text, signal) => ask("record", { method: "POST", body: text, signal });
