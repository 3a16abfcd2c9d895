// The value of a game, ply by ply: a curve for the eyes and a table with the same numbers.

import * as api from "./api.js";
import { byId, el, setText, svg } from "./dom.js";
import { number, signed, t } from "./i18n.js";
import { moveName, sideName, valueText } from "./words.js";

const WIDTH = 320;
const HEIGHT = 150;
const LEFT = 26;

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
      this.#points = pointsOf(document, this.session.full);
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
    const last = points.at(-1);
    setText(byId("curve-text"), last ? t("curve.text", { n: points.length, score: signed(last.score) }) : t("curve.empty"));
    byId("curve-picture").replaceChildren(...(points.length > 0 ? [picture(points, this.session)] : []));
    byId("curve-rows").replaceChildren(...points.map(row));
    byId("curve-table").hidden = points.length === 0;
  }
}

/** The score for South before each move, with what the move lost. */
function pointsOf(annotation, game) {
  return annotation.plies.map((ply, i) => {
    const { board, side, move } = game.plies[i];
    const sign = side === "S" ? 1 : -1;
    const stores = game.options.includes("trade=on") ? 0 : board.stores.S - board.stores.N;
    return { number: i + 1, side, move, score: ply.score ?? stores + sign * ply.value, value: ply.value, kind: ply.kind, best: ply.best, lost: ply.lost ?? 0 };
  });
}

function picture(points, session) {
  const most = Math.max(4, ...points.map((point) => Math.abs(point.score)));
  const x = (i) => LEFT + ((WIDTH - LEFT - 8) * i) / Math.max(1, points.length - 1);
  const y = (score) => HEIGHT / 2 - ((HEIGHT / 2 - 14) * score) / most;
  const parts = [-most, 0, most].flatMap((score) => [
    svg("line", { class: score === 0 ? "axis" : "grid", x1: LEFT, x2: WIDTH - 4, y1: y(score), y2: y(score) }),
    svg("text", { x: LEFT - 4, y: y(score) + 4, class: "scale" }, signed(score)),
  ]);
  parts.push(svg("path", { class: "line", d: points.map((point, i) => `${i === 0 ? "M" : "L"}${x(i).toFixed(1)} ${y(point.score).toFixed(1)}`).join("") }));
  for (const [i, point] of points.entries()) parts.push(dot(point, x(i), y(point.score), session));
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" }, parts);
}

/** A mistake is a square, any other move a disc; the ply looked at has a ring. */
function dot(point, x, y, session) {
  const title = svg("title", {}, `${number(point.number)}. ${moveName(point.move)}: ${signed(point.score)}`);
  const shape = point.lost > 0
    ? svg("rect", { class: "dot lost", x: x - 3.5, y: y - 3.5, width: 7, height: 7 }, title)
    : svg("circle", { class: "dot", cx: x, cy: y, r: 2.6 }, title);
  shape.addEventListener("click", () => session.walk(point.number));
  const ring = session.ply === point.number - 1 ? svg("circle", { class: "here", cx: x, cy: y, r: 6 }) : null;
  return svg("g", {}, shape, ring);
}

function row(point) {
  const better = point.lost > 0 && point.best ? moveName(point.best) : "–";
  return el("tr", {}, el("th", { scope: "row" }, number(point.number)), el("td", {}, `${sideName(point.side)} ${moveName(point.move)}`),
    el("td", {}, signed(point.score)), el("td", {}, valueText(point.value, point.kind)),
    el("td", {}, point.lost > 0 ? `−${number(point.lost)}` : "–"), el("td", {}, better));
}
