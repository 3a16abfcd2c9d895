// What a position is worth: the verdict, the main line and all moves as a table.

import { byId, el, setText } from "./dom.js";
import { number, t } from "./i18n.js";
import { moveName, sideName, valueText, valueWords } from "./words.js";

/** Draws what is known of the position looked at, or nothing if it was not asked for. */
export function drawAnalysis(session, wanted) {
  const host = byId("analysis");
  host.hidden = !wanted;
  if (!wanted) return;
  const { values, view } = session;
  setText(byId("verdict"), verdict(values, view));
  byId("verdict").setAttribute("aria-busy", String(!values && !view.over));
  setText(byId("main-line"), values?.line.length ? values.line.map(moveName).join(" ") : "–");
  byId("worth").replaceChildren(...(values?.moves ?? []).map((move) => row(session, move, isBest(move, values))));
  byId("worth-table").hidden = !values?.moves.length;
}

function verdict(values, view) {
  if (view.over) return t("analysis.over");
  if (!values) return t("analysis.waiting");
  const side = sideName(view.board.side);
  const parts = [t("analysis.value", { side, value: valueWords(values.value, values.kind) })];
  if (values.distance) parts.push(t("analysis.distance", { n: values.distance }));
  parts.push(t(values.source === "table" ? "analysis.table" : values.source === "rules" ? "analysis.rules" : "analysis.search", { n: values.depth }));
  return parts.join(" ");
}

/** Whether a move is as good as the best one. */
export function isBest(move, values) {
  const [best] = values.moves;
  return move.move === values.best || (move.value === best.value && move.kind === best.kind);
}

function row(session, move, best) {
  const text = moveName(move.move) + (best ? " ★" : "");
  const button = el("button", { type: "button", class: "link", onclick: () => session.mayMove && session.play(move.move) }, text);
  return el("tr", {}, el("th", { scope: "row" }, button), el("td", {}, valueText(move.value, move.kind)),
    el("td", {}, move.captured ? number(move.captured) : "–"), el("td", {}, move.distance ? number(move.distance) : "–"));
}

/** The best move in a sentence, for a hint. */
export function hintSentence(values) {
  if (!values?.best) return t("hint.none");
  const best = values.moves.find((move) => move.move === values.best);
  return t("hint.best", { move: moveName(values.best), value: valueWords(best?.value ?? values.value, best?.kind ?? values.kind) });
}

