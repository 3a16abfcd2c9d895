// Setting up a position: a number for each pit and store, locks or owners, the player to move. The server says whether
// the position can be; the page only writes it as text.

import * as api from "./api.js";
import { LETTERS } from "./board.js";
import { byId, el, setText } from "./dom.js";
import { t } from "./i18n.js";
import { sideName } from "./words.js";

const DELAY = 200;
const ALL = 48;

export class Setup {
  #timer = 0;
  #stop = new AbortController();
  #shownFor = "";

  constructor(session, board) {
    this.session = session;
    this.board = board;
    this.fields = new Map();
    byId("setup-text").addEventListener("change", () => this.#take(byId("setup-text").value.trim()));
    byId("setup-text").addEventListener("input", () => this.#forget());
    byId("setup-start").addEventListener("click", () => this.#take("startpos"));
    byId("setup-empty").addEventListener("click", () => this.#clear());
    byId("setup-side").addEventListener("change", () => this.#changed());
    for (const mode of ["analyse", "play", "two"]) byId(`setup-${mode}`).addEventListener("click", () => this.#use(mode));
  }

  /** Shows the editor for the position looked at, if it is not already being edited. */
  draw() {
    const open = this.session.state.mode === "setup";
    byId("setup").hidden = !open;
    const { view } = this.session;
    const key = open ? `${view.game} ${view.position} ${document.documentElement.lang}` : "";
    if (open && key !== this.#shownFor) {
      this.#build(view.game);
      this.#fillIn(view.board, view.position, "");
    }
    this.#shownFor = key;
  }

  #build(game) {
    this.fields.clear();
    const cell = (letter) => {
      const side = LETTERS.indexOf(letter) < 4 ? "S" : "N";
      const count = el("input", { type: "number", min: 0, max: ALL, id: `set-${letter}`, inputmode: "numeric", oninput: () => this.#changed() });
      const flag = game === "kpe" ? this.#lockBox(letter) : this.#ownerList(letter, side);
      this.fields.set(letter, { count, flag: flag.input });
      return el("div", { class: "cell" }, el("label", { for: count.id, "aria-label": t("setup.pit", { pit: letter }) }, letter), count, flag.node);
    };
    byId("setup-pits").replaceChildren(...["d", "c", "b", "a", "A", "B", "C", "D"].map(cell));
    for (const side of ["S", "N"]) {
      const input = byId(`set-store-${side}`);
      input.oninput = () => this.#changed();
      this.fields.set(side, { count: input });
      byId(`set-store-${side}-label`).textContent = t("setup.store", { side: sideName(side) });
    }
    for (const option of byId("setup-side").options) option.textContent = sideName(option.value);
  }

  #lockBox(letter) {
    const input = el("input", { type: "checkbox", id: `lock-${letter}`, onchange: () => this.#changed() });
    return { input, node: el("label", { class: "flag", for: input.id }, input, t("setup.unsown"), el("span", { class: "hidden" }, ` ${letter}`)) };
  }

  #ownerList(letter, side) {
    const options = ["S", "N"].map((owner) => el("option", { value: owner, selected: owner === side }, sideName(owner)));
    const input = el("select", { "aria-label": t("setup.owner", { pit: letter }), onchange: () => this.#changed() }, options);
    return { input, node: input };
  }

  #fillIn(board, position, state) {
    for (const pit of board.pits) {
      const { count, flag } = this.fields.get(pit.letter);
      count.value = pit.stones;
      if (flag.type === "checkbox") flag.checked = pit.locked;
      else flag.value = pit.owner;
    }
    for (const side of ["S", "N"]) this.fields.get(side).count.value = board.stores[side];
    byId("setup-side").value = board.side;
    this.#say(position, state, true);
  }

  #clear() {
    for (const { count, flag } of this.fields.values()) {
      count.value = 0;
      if (flag?.type === "checkbox") flag.checked = false;
    }
    this.#changed();
  }

  /** The board that the fields describe. */
  #read() {
    const number = (field) => Math.max(0, Math.min(99, Math.trunc(Number(field.count.value)) || 0));
    const pits = LETTERS.map((letter, i) => {
      const field = this.fields.get(letter);
      const lock = field.flag.type === "checkbox";
      return { letter, stones: number(field), locked: lock && field.flag.checked, owner: lock ? (i < 4 ? "S" : "N") : field.flag.value };
    });
    const stores = { S: number(this.fields.get("S")), N: number(this.fields.get("N")) };
    return { pits, stores, side: byId("setup-side").value, offer: null, unlocked: null };
  }

  /** The text of a board, as RULES has it: numbers, player to move, locks or owners. */
  static text(board, game) {
    const numbers = [...board.pits.map((pit) => pit.stones), board.stores.S, board.stores.N];
    const marked = board.pits.filter((pit) => (game === "kpe" ? pit.locked : pit.owner === "S")).map((pit) => pit.letter).join("");
    const suffix = game === "gore" ? `@${marked}` : marked && `:${marked}`;
    return `${numbers.join("-")}-${board.side}${suffix}`;
  }

  #changed() {
    const board = this.#read();
    const text = Setup.text(board, this.session.state.game);
    this.board.show(board, { game: this.session.state.game, over: null });
    this.#say(text, t("setup.checking"), false);
    this.#forget();
    this.#timer = setTimeout(() => this.#check(text), DELAY);
  }

  /** Gives up a question whose answer is no longer wanted. */
  #forget() {
    clearTimeout(this.#timer);
    this.#stop.abort();
    this.#stop = new AbortController();
  }

  /** Asks the server whether the position can be. */
  async #check(text) {
    const { signal } = this.#stop;
    try {
      const document = await api.play({ ...this.session.state, start: text, moves: [] }, signal);
      if (signal.aborted) return null;
      this.#say(document.position, document.over ? t("setup.over") : t("setup.sound"), true);
      return document;
    } catch (error) {
      if (error.name !== "AbortError" && !signal.aborted) this.#say(text, error.message || t("problem.network"), false);
      return null;
    }
  }

  #say(text, state, sound) {
    byId("setup-text").value = text;
    const stones = [...this.fields.values()].reduce((sum, field) => sum + (Math.trunc(Number(field.count.value)) || 0), 0);
    setText(byId("setup-total"), t("setup.total", { n: stones, all: ALL }));
    setText(byId("setup-state"), state);
    byId("setup-state").classList.toggle("wrong", !sound && state !== t("setup.checking"));
    for (const mode of ["analyse", "play", "two"]) byId(`setup-${mode}`).setAttribute("aria-disabled", String(!sound));
  }

  /** Puts a position given as text into the fields. */
  async #take(text) {
    this.#forget();
    const document = await this.#check(text);
    if (document === null) return;
    this.#fillIn(document.board, document.position, byId("setup-state").textContent);
    this.board.show(document.board, { game: document.game, over: null });
  }

  #use(mode) {
    if (byId(`setup-${mode}`).getAttribute("aria-disabled") === "true") return;
    this.session.restart(byId("setup-text").value, { mode });
  }
}
