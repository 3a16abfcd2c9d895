// Starts the page and joins its parts: a change of the session is drawn, said aloud and written into the address.

import { drawAnalysis, hintSentence } from "./analysis.js";
import { Curve } from "./curve.js";
import { byId, el, setText } from "./dom.js";
import { t, use } from "./i18n.js";
import { KEYS, connectKeys } from "./keys.js";
import { remembered } from "./memory.js";
import { connectMoves, drawMoves } from "./moves.js";
import { connectRecords, drawRecords, note } from "./records.js";
import { connectLanguage, connectPlayers, connectTheme, drawSettings } from "./settings.js";
import { Session } from "./session.js";
import { Setup } from "./setup.js";
import * as start from "./start.js";
import { MODES, initial, read, write } from "./state.js";
import { Table } from "./table.js";

const session = new Session(start.state);
let table;
let setup;
let curve;
let rules = null;

/** Draws everything but the board, which the table draws when the stones have come to rest. */
function draw() {
  const { mode, game } = session.state;
  document.body.dataset.mode = mode;
  for (const button of byId("modes").children) mark(button, "aria-current", button.dataset.mode === mode ? "page" : null);
  for (const button of byId("games").children) mark(button, "aria-pressed", String(button.dataset.game === game));
  byId("play-area").hidden = mode === "rules";
  byId("rules").hidden = mode !== "rules";
  byId("actions").hidden = mode === "setup";
  byId("side-panel").hidden = mode === "setup";
  drawSettings(session);
  drawMoves(session);
  drawRecords(session);
  drawActions();
  drawAnalysis(session, mode === "analyse" || table.valuesOn);
  setup.draw();
  curve.draw();
  if (mode === "rules") showRules();
}

function mark(node, name, value) {
  if (value === null) node.removeAttribute(name);
  else node.setAttribute(name, value);
}

function drawActions() {
  const { mode } = session.state;
  byId("values").hidden = mode === "analyse";
  mark(byId("values"), "aria-pressed", String(table.valuesOn));
  mark(byId("undo"), "aria-disabled", String(session.ply === 0));
  mark(byId("hint"), "aria-disabled", String(!session.mayMove));
  byId("go-on").hidden = !(session.engineToMove && !session.atEnd);
}

/** The rules are a part of their own, loaded when somebody reads them. */
async function showRules() {
  rules ??= import("./rules.js");
  const { drawRules } = await rules;
  drawRules(session.state.game, problem);
}

async function changed({ detail }) {
  problem(null);
  if (location.hash !== write(session.state)) {
    const step = detail.cause === "open" ? "pushState" : "replaceState";
    history[step](null, "", write(session.state));
  }
  draw();
  if (!(await table.show(detail))) return;
  if (session.state.mode === "setup") return;
  follow();
}

/** What comes of itself after a change: the engine's move, the values. */
function follow() {
  if (session.state.mode === "rules" || session.view.over) return;
  if (session.state.mode === "analyse") session.assess([300, 2000]);
  else if (table.valuesOn) session.assess();
  session.answer();
}

/** Shows what went wrong in kind words, with the server's own; null takes it away. */
function problem(error, retry = null) {
  const host = byId("problem");
  host.hidden = error === null;
  if (error === null) return;
  const kind = { 0: "network", 404: "gone", 413: "long", 414: "long", 429: "busy", 431: "long", 503: "busy" }[error.status];
  const text = t(`problem.${kind ?? (error.status >= 500 ? "server" : "wrong")}`);
  const place = error.line === null || error.line === undefined ? "" : t("problem.line", { line: error.line, column: error.column ?? 1 });
  const detail = el("p", { class: "detail", lang: "en" }, [place, error.message].filter((part) => part).join(" "));
  const buttons = [el("button", { type: "button", onclick: () => { problem(null); (retry ?? refresh)(); } }, t("problem.again"))];
  if (session.view === null && error.ply > 0) buttons.push(el("button", { type: "button", onclick: () => session.go({ moves: session.state.moves.slice(0, error.ply), ply: null }, "open") }, t("problem.before")));
  if (session.view === null) buttons.push(el("button", { type: "button", class: "main", onclick: startAnew }, t("problem.anew")));
  else buttons.push(el("button", { type: "button", onclick: () => problem(null) }, t("problem.close")));
  host.replaceChildren(el("p", {}, el("strong", {}, text)), error.message ? detail : "", el("p", { class: "buttons" }, buttons));
}

const refresh = () => session.go({}, "open");

function startAnew() {
  const { lang, game } = session.state;
  session.go({ ...initial(), lang, game: game === "gore" ? "gore" : "kpe" }, "open");
}

async function setLanguage(language, byHand) {
  await use(language);
  if (byHand) {
    remembered("language", language);
    session.state.lang = language;
    history.replaceState(null, "", write(session.state));
  }
  if (session.view === null) return;
  draw();
  table.draw();
}

function connectActions() {
  byId("new").addEventListener("click", () => session.restart());
  byId("undo").addEventListener("click", () => session.undo());
  byId("go-on").addEventListener("click", () => session.go({ moves: session.state.moves.slice(0, session.ply), ply: null }, "walk"));
  byId("values").addEventListener("click", () => {
    table.valuesOn = !table.valuesOn;
    draw();
    table.draw();
    if (table.valuesOn) session.assess();
  });
  byId("hint").addEventListener("click", hint);
  byId("confirm").checked = table.confirm;
  byId("confirm").addEventListener("change", () => { table.confirm = byId("confirm").checked; });
  byId("single-keys").checked = remembered("keys") !== "off";
  byId("single-keys").addEventListener("change", () => remembered("keys", byId("single-keys").checked ? "on" : "off"));
  byId("help").addEventListener("click", () => byId("help-text").showModal());
  byId("help-close").addEventListener("click", () => byId("help-text").close());
  byId("skip").addEventListener("click", (event) => {
    event.preventDefault();
    (byId("board").querySelector("button") ?? byId("main")).focus();
  });
}

async function hint() {
  if (!session.mayMove) return;
  const values = await session.assess();
  if (!values) return;
  table.hint = true;
  table.draw();
  setText(byId("preview"), hintSentence(values));
  table.announce(hintSentence(values));
}

function connectChoices() {
  byId("modes").append(...MODES.map((mode) => el("button", { type: "button", "data-mode": mode, "data-t": `mode.${mode}`, onclick: () => session.go({ mode }, "mode") })));
  byId("games").append(...["kpe", "gore"].map((game) => el("button", { type: "button", "data-game": game, "data-t": `game.${game}`, onclick: () => game !== session.state.game && session.switchGame(game) })));
  byId("keys").append(...["pit", "other", "walk", ...Object.keys(KEYS), "escape", "help"].flatMap((name) => [
    el("dt", {}, el("kbd", { "data-t": `key.${name}` }, name.toUpperCase())), el("dd", { "data-t": `keys.${name}` })]));
  for (const key of Object.keys(KEYS)) byId("keys").querySelector(`[data-t="key.${key}"]`).removeAttribute("data-t");
}

/** Sows from the pit that a key names: in the mover's own row, with Shift in the other one. */
function sowFrom(letter, other) {
  const south = (session.view.board.side === "S") !== other;
  table.press(south ? letter.toUpperCase() : letter);
  return true;
}

/** Escape gives up an offer that is being put together. */
function cancel() {
  if (!table.trade.choosing) return;
  table.trade.cancel();
  table.draw();
}

function connect() {
  table = new Table(session);
  setup = new Setup(session, table.board);
  curve = new Curve(session, problem);
  connectActions();
  connectMoves(session);
  connectPlayers(session);
  connectRecords(session, (text) => { note(text); table.announce(text); }, problem);
  connectKeys(session, { sowFrom, enabled: () => session.view !== null && byId("single-keys").checked, cancel });
  session.addEventListener("change", changed);
  session.addEventListener("thinking", () => { drawActions(); table.draw(); });
  session.addEventListener("values", () => { table.draw(); drawAnalysis(session, session.state.mode === "analyse" || table.valuesOn); });
  session.addEventListener("problem", ({ detail }) => problem(detail.error, detail.retry));
  window.addEventListener("hashchange", () => {
    const state = read(location.hash);
    if (write(state) !== write(session.state)) session.go(state, "open");
  });
}

async function begin() {
  session.expect(start.game);
  connectTheme();
  connectLanguage((language) => setLanguage(language, true));
  connectChoices();
  connect();
  await use(start.language, start.messages);
  byId("language").value = document.documentElement.lang;
  await session.go({}, "start");
  document.documentElement.dataset.ready = "yes";
  performance.mark("usable");
}

begin().catch((error) => {
  // Without its texts the page can say this in one language only.
  byId("problem").hidden = false;
  byId("problem").textContent = `The page could not be started; please load it again. ${error.message}`;
});
