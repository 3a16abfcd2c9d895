// The list of moves, to walk back and forth.

import { byId, el } from "./dom.js";
import { t } from "./i18n.js";
import { moveName, plySentence } from "./words.js";

/** Draws the moves of the whole game; the ply looked at is marked. */
export function drawMoves(session) {
  const { plies } = session.full;
  const held = byId("moves").contains(document.activeElement);
  const items = [startItem(session), ...plies.map((ply, i) => plyItem(session, ply, i + 1))];
  byId("moves").replaceChildren(...items);
  const current = byId("moves").querySelector("[aria-current]");
  if (held) current?.focus();
  keepInView(current);
  for (const [id, on] of [["first", session.ply > 0], ["back", session.ply > 0], ["forward", !session.atEnd], ["last", !session.atEnd]]) {
    byId(id).setAttribute("aria-disabled", String(!on));
  }
}

/** Scrolls the list, not the page. */
function keepInView(node) {
  const host = byId("moves");
  if (node) host.scrollTop = Math.max(0, node.offsetTop - host.offsetTop - host.clientHeight / 2);
}

function startItem(session) {
  return item(session, 0, t("moves.start"), t("moves.start"), "start");
}

function plyItem(session, ply, number) {
  const short = moveName(ply.move) + (ply.captured > 0 ? ` ×${ply.captured}` : "");
  return item(session, number, short, t("moves.item", { n: number, text: plySentence(ply) }), ply.side === "S" ? "south" : "north");
}

function item(session, number, text, label, kind) {
  const button = el("button", {
    type: "button", "aria-current": session.ply === number ? "step" : null, onclick: () => session.walk(number),
  }, el("span", { class: "hidden" }, label), el("span", { "aria-hidden": "true" }, text));
  return el("li", { class: kind }, button);
}

/** Connects the buttons beneath the list. */
export function connectMoves(session) {
  byId("first").addEventListener("click", () => session.walk(0));
  byId("back").addEventListener("click", () => session.step(-1));
  byId("forward").addEventListener("click", () => session.step(1));
  byId("last").addEventListener("click", () => session.walk(session.full.plies.length));
}
