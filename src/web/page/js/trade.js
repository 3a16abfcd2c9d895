// Offers of pits in Goré: choosing the pits, answering an offer, passing. Which offers may be made is in the list of
// legal moves that the server sends.

import { LETTERS, readCounts } from "./board.js";
import { byId, el } from "./dom.js";
import { list, t } from "./i18n.js";
import { otherSide, sideName } from "./words.js";

export class Trade {
  choosing = false;
  chosen = new Set();

  constructor(session, redraw) {
    this.session = session;
    this.redraw = redraw;
  }

  /** The offers that may be made here, as sets of letters in the order of the board. */
  #offers() {
    if (!this.session.mayMove) return [];
    return this.session.view.legal.filter((move) => move.kind === "offer").map((move) => move.move.slice(6));
  }

  /** The move that offers the pits chosen, or null if they cannot be offered. */
  get move() {
    const letters = LETTERS.filter((letter) => this.chosen.has(letter)).join("");
    return this.#offers().includes(letters) ? `offer:${letters}` : null;
  }

  get possible() {
    return this.#offers().length > 0;
  }

  /** The pits that can be added to what is chosen, and those that are chosen. */
  choosable() {
    const fits = this.#offers().filter((offer) => [...this.chosen].every((letter) => offer.includes(letter)));
    return new Set([...fits.join(""), ...this.chosen]);
  }

  begin() {
    if (!this.possible) return;
    this.choosing = true;
    this.redraw();
    byId("trade").querySelector("button")?.focus();
  }

  cancel() {
    this.choosing = false;
    this.chosen.clear();
  }

  toggle(letter) {
    if (this.chosen.has(letter)) this.chosen.delete(letter);
    else if (this.choosable().has(letter)) this.chosen.add(letter);
    this.redraw();
  }

  send() {
    const { move } = this;
    if (move !== null) this.session.play(move);
  }

  draw() {
    const host = byId("trade");
    const held = host.contains(document.activeElement) ? document.activeElement.id : "";
    const parts = this.#parts();
    host.hidden = parts.length === 0;
    host.replaceChildren(...parts);
    if (held) (byId(held) ?? host.querySelector("button"))?.focus();
  }

  #parts() {
    const { session } = this;
    if (!session.mayMove) return [];
    const kinds = new Map(session.view.legal.map((move) => [move.kind, move]));
    if (kinds.has("accept") || kinds.has("decline")) return this.#answer(kinds);
    if (this.choosing) return this.#choice();
    const buttons = [];
    if (this.possible) buttons.push(this.#button("offer", t("trade.begin"), () => this.begin()));
    if (kinds.has("pass")) buttons.push(this.#button("pass", t("move.pass"), () => session.play("pass"), "main"));
    return buttons;
  }

  #answer(kinds) {
    const { board } = this.session.view;
    const text = t("trade.offered", { side: sideName(otherSide(board.side)), pits: list(board.offer ?? []) });
    const parts = [el("p", {}, text)];
    const accept = kinds.get("accept");
    if (accept) {
      const price = board.stores[board.side] - readCounts(accept.result).stores[board.side];
      parts.push(el("p", { class: "note" }, t("trade.price", { n: price })));
      parts.push(this.#button("accept", t("move.accept"), () => this.session.play("accept"), "main"));
    }
    if (kinds.has("decline")) parts.push(this.#button("decline", t("move.decline"), () => this.session.play("decline")));
    return parts;
  }

  #choice() {
    const chosen = LETTERS.filter((letter) => this.chosen.has(letter));
    const send = this.#button("send", chosen.length ? t("trade.send", { pits: list(chosen) }) : t("trade.none"), () => this.send(), "main");
    send.setAttribute("aria-disabled", String(this.move === null));
    return [el("p", {}, t("trade.choose")), send, this.#button("cancel", t("trade.cancel"), () => { this.cancel(); this.redraw(); })];
  }

  #button(name, text, onclick, kind = "") {
    return el("button", { type: "button", id: `trade-${name}`, class: kind, onclick }, text);
  }
}
