// The board in play: what may be pressed, what a move would do, the values, the status line and what is said aloud.

import { isBest } from "./analysis.js";
import { Board } from "./board.js";
import { byId, setText } from "./dom.js";
import { list, t } from "./i18n.js";
import { sow } from "./sowing.js";
import { Trade } from "./trade.js";
import { overSentence, pitLabel, plySentence, previewSentence, sideName, valueText } from "./words.js";

export class Table {
  #said = "";
  #shownOver = null;
  #animation = new AbortController();
  /** Values are shown only if they are asked for; `hint` marks the best move alone. */
  valuesOn = false;
  hint = false;
  /** With it the first press on a pit shows what would follow, the second plays. */
  confirm = matchMedia("(hover: none)").matches;
  #asked = null;

  constructor(session) {
    this.session = session;
    this.board = new Board(byId("board"), { onPit: (letter) => this.press(letter), onLook: (letter) => this.look(letter) });
    this.trade = new Trade(session, () => this.draw());
  }

  /** Shows the position after a change; a move is sown first. */
  async show({ cause, before }) {
    this.#animation.abort();
    const animation = new AbortController();
    this.#animation = animation;
    this.#asked = null;
    this.hint = false;
    this.trade.cancel();
    this.say(cause);
    const { last, view } = this.session;
    if (cause === "move" && last && before) {
      this.sowings = new Map();
      this.board.preview(null);
      await sow(this.board, last, before.board, animation.signal);
    }
    if (this.session.view !== view || this.#animation !== animation) return false;
    this.draw();
    return true;
  }

  /** Ends an animation at once; the position after it is shown. */
  hurry() {
    this.#animation.abort();
  }

  /** Draws the position looked at with all that is known of it. */
  draw() {
    const { session } = this;
    const { board, legal, over, game } = session.view;
    const open = session.mayMove;
    const sowings = new Map(open && !this.trade.choosing ? legal.filter((move) => move.kind === "sow").map((move) => [move.origin ?? move.move, move]) : []);
    const values = this.#values();
    const labels = new Map(board.pits.map((pit) => [pit.letter, pitLabel(pit, { game, legal: sowings.get(pit.letter), value: values.get(pit.letter) })]));
    this.board.show(board, {
      game, over, labels, values, last: session.last, names: this.#names(),
      legal: this.trade.choosing ? this.trade.choosable() : new Set(sowings.keys()),
      chosen: this.trade.chosen, choosing: this.trade.choosing, offered: new Set(board.offer ?? []),
    });
    this.sowings = sowings;
    this.trade.draw();
    this.#status();
    setText(byId("preview"), "");
  }

  #names() {
    if (this.session.state.mode !== "play") return {};
    const { side, level } = this.session.state;
    const name = (which) => t(which === side ? "name.you" : "name.level", { side: sideName(which), level });
    return { S: name("S"), N: name("N") };
  }

  /** The values by the pit they belong to: all of them, or the best one alone for a hint. */
  #values() {
    const found = new Map();
    const assessed = this.session.values;
    if (!assessed || !(this.valuesOn || this.hint || this.session.state.mode === "analyse")) return found;
    const origin = new Map(this.session.view.legal.map((move) => [move.move, move.origin ?? move.move]));
    for (const assessment of assessed.moves) {
      const { move, value, kind } = assessment;
      const best = isBest(assessment, assessed);
      if (move.length !== 1 || (this.hint && !this.valuesOn && move !== assessed.best)) continue;
      const sign = value > 0 ? "plus" : value < 0 ? "minus" : "even";
      found.set(origin.get(move) ?? move, { text: (best ? "★\u2009" : "") + valueText(value, kind), value, kind, sign, exact: kind === "exact", best });
    }
    return found;
  }

  #status() {
    const { session } = this;
    const { board, over, legal } = session.view;
    let text = t("status.turn", { side: sideName(board.side) });
    if (over) text = overSentence(over);
    else if (session.thinking) text = t("status.thinking", { side: sideName(board.side) });
    else if (board.offer) text = t("status.answer", { side: sideName(board.side), pits: list(board.offer) });
    else if (session.state.mode === "play") text = t(session.engineToMove ? "status.engine" : "status.you", { side: sideName(board.side) });
    if (!over && legal.length === 1 && legal[0].kind === "pass") text += ` ${t("status.pass")}`;
    setText(byId("status"), text);
    byId("status").classList.toggle("over", Boolean(over));
    byId("status").classList.toggle("busy", session.thinking);
  }

  /** A pit was pressed. */
  press(letter) {
    if (this.session.state.mode === "setup") return byId(`set-${letter}`).focus();
    if (this.trade.choosing) return this.trade.toggle(letter);
    const move = this.sowings?.get(letter);
    if (!move && this.board.host.classList.contains("sowing")) return this.hurry();
    if (!move) return this.refuse(letter);
    if (this.confirm && this.#asked !== letter) {
      this.#asked = letter;
      this.look(letter);
      return undefined;
    }
    return this.session.play(move.move);
  }

  /** Says why nothing happened. */
  refuse(letter) {
    const { session } = this;
    const key = session.view.over ? "refuse.over" : session.thinking || session.engineToMove ? "refuse.turn" : "refuse.illegal";
    this.announce(t(key, { pit: letter }));
    setText(byId("preview"), t(key, { pit: letter }));
  }

  /** Shows the board that a move from this pit would lead to, or none. */
  look(letter) {
    const move = letter === null ? null : this.sowings?.get(letter);
    if (letter === null && this.#asked !== null) return;
    this.board.preview(move ? move.result : null, move?.pits ?? []);
    const again = move && this.confirm ? ` ${t("preview.again")}` : "";
    setText(byId("preview"), move ? previewSentence(move) + again : "");
    if (move && this.#asked === letter) this.announce(previewSentence(move) + again);
  }

  /** Puts into words what just happened. */
  say(cause) {
    const { last, view } = this.session;
    const parts = [];
    if (cause === "open" || cause === "start") parts.push(t("said.opened", { game: t(`game.${view.game}`) }));
    else if (cause === "mode") parts.push(t(`mode.${this.session.state.mode}`));
    else if (cause === "walk") parts.push(last ? `${t("said.ply", { n: this.session.ply })} ${plySentence(last)}` : t("said.start"));
    else if (cause === "move") parts.push(plySentence(last));
    parts.push(view.over ? overSentence(view.over) : t("status.turn", { side: sideName(view.board.side) }));
    this.announce(parts.filter((part) => part !== "").join(" "));
  }

  /** Speaks through the live region; the same text twice is spoken twice. */
  announce(text) {
    this.#said = text === this.#said ? `${text}\u00a0` : text;
    byId("live").textContent = this.#said;
  }
}
