// The value of a game, ply by ply: a curve for the eyes and a table with the same numbers.

import * as api from "./api.js";
import { byId, el, setText, svg } from "./dom.js";
import { number, signed, t } from "./i18n.js";
import { moveName, sideName, valueText } from "./words.js";

const HEIGHT = 160;
const LEFT = 28;

export class Curve {
  #key = "";
  #points = null;
  #stop = new AbortController();

  constructor(session, fail) {
    this.session = session;
    this.fail = fail;
    byId("curve").addEventListener("toggle", () => this.draw());
  }

  /** Draws the curve if it is open; the annotation is asked for when the game is another one. */
  async draw() {
    if (!byId("curve").open) return;
    const { state, full } = this.session;
    const key = JSON.stringify([full.game, full.options, full.start, state.moves]);
    if (key !== this.#key) {
      this.#key = key;
      this.#points = null;
      this.#stop.abort();
      await this.#fetch(key);
    }
    if (this.#points !== null && key === this.#key) this.#paint();
  }

  async #fetch(key) {
    this.#stop = new AbortController();
    setText(byId("curve-state"), t("curve.waiting"));
    try {
      const document = await api.annotate(this.session.state, this.#stop.signal);
      if (key !== this.#key) return;
      this.#points = pointsOf(document);
      setText(byId("curve-state"), "");
    } catch (error) {
      if (error.name === "AbortError") return;
      this.#key = "";
      setText(byId("curve-state"), "");
      this.fail(error);
    }
  }

  #paint() {
    const points = this.#points;
    const moves = points.slice(1);
    setText(byId("curve-text"), moves.length > 0 ? t("curve.text", { n: moves.length, score: signed(points.at(-1).lead) }) : t("curve.empty"));
    byId("curve-picture").replaceChildren(...(moves.length > 0 ? [picture(points, this.session)] : []));
    byId("curve-rows").replaceChildren(...moves.map(row));
    byId("curve-table").hidden = moves.length === 0;
  }
}

/** What South leads by with best play from a position on, at the start and after each move; with the move that led there. */
function pointsOf({ plies, leads }) {
  return leads.map((lead, number) => ({ ...plies[number - 1], number, lead, lost: plies[number - 1]?.lost ?? 0 }));
}

function picture(points, session) {
  const width = Math.max(260, byId("curve-picture").clientWidth);
  const most = Math.max(4, ...points.map((point) => Math.abs(point.lead)));
  const x = (i) => LEFT + 4 + ((width - LEFT - 14) * i) / Math.max(1, points.length - 1);
  const y = (lead) => HEIGHT / 2 - ((HEIGHT / 2 - 14) * lead) / most;
  const parts = [-most, 0, most].flatMap((lead) => [
    svg("line", { class: lead === 0 ? "axis" : "grid", x1: LEFT, x2: width - 4, y1: y(lead), y2: y(lead) }),
    svg("text", { x: LEFT - 4, y: y(lead) + 4, class: "scale" }, signed(lead)),
  ]);
  parts.push(svg("path", { class: "line", d: points.map((point, i) => `${i === 0 ? "M" : "L"}${x(i).toFixed(1)} ${y(point.lead).toFixed(1)}`).join("") }));
  for (const [i, point] of points.entries()) parts.push(dot(point, x(i), y(point.lead), session));
  return svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, "aria-hidden": "true" }, parts);
}

/** A mistake is a square, any other move a disc; the ply looked at has a ring. */
function dot(point, x, y, session) {
  const name = point.number === 0 ? t("moves.start") : `${number(point.number)}. ${moveName(point.move)}`;
  const title = svg("title", {}, `${name}: ${signed(point.lead)}`);
  const shape = point.lost > 0
    ? svg("rect", { class: "dot lost", x: x - 3.5, y: y - 3.5, width: 7, height: 7 }, title)
    : svg("circle", { class: "dot", cx: x, cy: y, r: 2.6 }, title);
  shape.addEventListener("click", () => session.walk(point.number));
  const ring = session.ply === point.number ? svg("circle", { class: "here", cx: x, cy: y, r: 6 }) : null;
  return svg("g", {}, shape, ring);
}

function row(point) {
  const better = point.lost > 0 && point.best ? moveName(point.best) : "–";
  return el("tr", {}, el("th", { scope: "row" }, number(point.number)), el("td", {}, `${sideName(point.side)} ${moveName(point.move)}`),
    el("td", {}, signed(point.lead)), el("td", {}, valueText(point.value, point.kind)),
    el("td", {}, point.lost > 0 ? `−${number(point.lost)}` : "–"), el("td", {}, better));
}
