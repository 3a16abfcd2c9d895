// The rules of both games, each with a small demonstration: a given position and moves, played from the server's answers.

import * as api from "./api.js";
import { Board } from "./board.js";
import { byId, el, setText } from "./dom.js";
import { list, t } from "./i18n.js";
import { sow } from "./sowing.js";
import { initial } from "./state.js";
import { moveName, overSentence, pitLabel, plySentence, sideName } from "./words.js";

/** What is shown to each rule. With no moves the legal moves are shown. */
const RULES = {
  kpe: {
    sow: { start: "startpos", moves: ["A"] },
    skip: { start: "9-1-2-3-1-2-3-1-12-14-S", moves: ["A"] },
    lock: { start: "2-5-3-7-5-1-9-8-0-8-S:D", moves: ["C"] },
    unlock: { start: "6-1-2-3-5-3-1-9-0-18-S:A", moves: ["A"] },
    capture: { start: "0-3-4-2-1-3-3-6-12-14-S", moves: ["C"] },
    feed: { start: "1-0-2-3-0-0-0-0-20-22-S", moves: [] },
    end: { start: "1-2-1-0-0-0-0-0-22-22-S", moves: ["B"] },
    loop: { start: "1-0-0-0-1-0-0-0-23-23-S", moves: ["A", "a", "B", "b", "C", "c", "D", "d"] },
  },
  gore: {
    sow: { start: "3-2-0-4-3-1-5-2-14-14-S@ABCDa", moves: ["a"] },
    capture: { start: "1-5-2-3-3-4-2-9-9-10-S@ABCD", moves: ["C"] },
    trade: { start: "6-0-5-4-2-3-5-1-8-14-S@ABCD", moves: ["offer:B", "accept"] },
    decline: { start: "3-0-0-0-1-0-0-1-13-30-S@ABCD", moves: ["offer:B", "decline", "a", "A"] },
    pass: { start: "0-0-0-0-5-1-2-0-20-20-S@ABCD", moves: ["pass"] },
    end: { start: "0-1-3-0-0-1-0-1-21-21-S@ABCD", moves: ["C"] },
    loop: { start: "6-2-5-4-2-3-5-1-8-12-S@ABCD", moves: ["offer:B", "decline", "offer:b", "decline"] },
  },
};

const BETWEEN = 900;
let shown = "";

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Writes the rules of one game; `fail` shows a problem. */
export function drawRules(game, fail) {
  const key = `${game} ${document.documentElement.lang}`;
  if (key === shown || !Object.hasOwn(RULES, game)) return;
  shown = key;
  const parts = Object.entries(RULES[game]).map(([name, demo]) => rule(game, name, demo, fail));
  byId("rules").replaceChildren(
    el("h2", {}, t("rules.title", { game: t(`game.${game}`) })),
    el("p", { class: "lead" }, t(`rules.${game}.intro`)),
    ...parts,
    el("section", { class: "rule text" }, el("div", {}, el("h3", {}, t("rules.value.title")), el("p", {}, t("rules.value.text")))),
    el("p", { class: "note" }, t("rules.readings")),
  );
}

function rule(game, name, demo, fail) {
  const host = el("div", {});
  const caption = el("p", { class: "caption", role: "status" });
  const button = el("button", { type: "button" }, t("demo.show"));
  const figure = el("figure", {}, host, el("figcaption", {}, caption, button));
  const title = t(`rules.${game}.${name}.title`);
  button.setAttribute("aria-label", `${t("demo.show")}: ${title}`);
  const demonstration = new Demonstration(game, demo, { host, caption, button, fail });
  demonstration.open();
  return el("section", { class: "rule" }, el("div", {}, el("h3", {}, title), el("p", {}, t(`rules.${game}.${name}.text`))), figure);
}

class Demonstration {
  #running = new AbortController();

  constructor(game, demo, { host, caption, button, fail }) {
    this.state = { ...initial(), game, start: demo.start, moves: demo.moves };
    this.board = new Board(host);
    this.caption = caption;
    this.fail = fail;
    button.hidden = demo.moves.length === 0;
    button.addEventListener("click", () => this.run());
  }

  /** Shows the position before the moves. */
  async open() {
    try {
      this.game = await api.play(this.state);
      this.#still(this.game.plies[0]?.board ?? this.game.board, null);
      const { side } = this.game.board;
      const legal = list(this.game.legal.map((move) => moveName(move.move)));
      setText(this.caption, this.game.plies.length === 0 ? t("demo.legal", { side: sideName(side), moves: legal }) : t("demo.before", { moves: list(this.state.moves.map(moveName)) }));
    } catch (error) {
      this.fail(error);
    }
  }

  #still(board, last) {
    const { game } = this.game;
    const labels = new Map(board.pits.map((pit) => [pit.letter, pitLabel(pit, { game })]));
    const legal = this.game.plies.length === 0 ? new Set(this.game.legal.map((move) => move.origin)) : new Set();
    this.board.show(board, { game, labels, last, legal, offered: new Set(board.offer ?? []), over: null });
  }

  /** Plays the moves one after the other. */
  async run() {
    if (!this.game) return;
    this.#running.abort();
    this.#running = new AbortController();
    const { signal } = this.#running;
    const { plies, board, over } = this.game;
    const said = [];
    for (const [i, ply] of plies.entries()) {
      this.#still(ply.board, null);
      await sow(this.board, ply, ply.board, signal);
      if (signal.aborted) return;
      this.#still(plies[i + 1]?.board ?? board, ply);
      said.push(plySentence(ply));
      if (i + 1 < plies.length) {
        setText(this.caption, said.at(-1));
        await pause(BETWEEN);
      }
      if (signal.aborted) return;
    }
    setText(this.caption, [...said.slice(-2), overSentence(over)].join(" "));
  }
}
