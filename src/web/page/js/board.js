// The board: eight pits with their stones, two stores. It shows what it is told and knows no rule.

import { el, padlock, setText, sideMark, svg } from "./dom.js";
import { number, t } from "./i18n.js";
import { places } from "./stones.js";

export const LETTERS = ["A", "B", "C", "D", "a", "b", "c", "d"];
const ROWS = { N: ["d", "c", "b", "a"], S: ["A", "B", "C", "D"] };

/** The eight numbers and the two stores of a position's text, for pictures of a position that is not played. */
export function readCounts(position) {
  const numbers = position.split("-").slice(0, 10).map(Number);
  return { pits: Object.fromEntries(LETTERS.map((letter, i) => [letter, numbers[i]])), stores: { S: numbers[8], N: numbers[9] } };
}

/** A board drawn into `host`. With `onPit` its pits are buttons; `onLook` hears which pit is pointed at, or null. */
export class Board {
  constructor(host, { onPit = null, onLook = () => {} } = {}) {
    this.pits = new Map();
    this.stores = new Map();
    this.host = host;
    const rows = el("div", { class: "rows" }, this.#row("N", onPit, onLook), this.#row("S", onPit, onLook));
    host.replaceChildren(this.#store("N"), rows, this.#store("S"));
    host.classList.add("board");
    if (onPit !== null) rows.addEventListener("keydown", (event) => this.#walk(event));
  }

  #row(side, onPit, onLook) {
    const row = el("div", { class: `row ${side === "S" ? "south" : "north"}`, role: "group" });
    for (const letter of ROWS[side]) row.append(this.#pit(letter, side, onPit, onLook));
    this[side] = row;
    return row;
  }

  #pit(letter, side, onPit, onLook) {
    const stones = svg("g", {});
    const parts = {
      letter, stones, shown: -1,
      count: el("span", { class: "count" }), lock: el("span", { class: "lock" }), owner: el("span", { class: "owner" }),
      value: el("span", { class: "value" }), after: el("span", { class: "after" }), spoken: el("span", { class: "hidden" }),
    };
    const hollow = svg("svg", { class: "hollow", viewBox: "-50 -50 100 100", "aria-hidden": "true" },
      svg("circle", { class: "rim", r: 49 }), stones);
    const name = el("span", { class: "name" }, el("span", { class: "letter" }, letter), parts.count, parts.after);
    const content = [name, el("span", { class: "bowl" }, hollow), el("span", { class: "notes" }, parts.lock, parts.owner, parts.value)];
    for (const part of content) part.setAttribute("aria-hidden", "true");
    const common = { class: `pit ${side === "S" ? "south" : "north"}`, "data-pit": letter };
    if (onPit === null) {
      parts.node = el("div", { ...common, role: "img" }, content);
    } else {
      parts.node = el("button", {
        ...common, type: "button", onclick: (event) => onPit(letter, event),
        onpointerenter: (event) => event.pointerType === "mouse" && onLook(letter), onpointerleave: () => onLook(null),
        onfocus: () => parts.node.matches(":focus-visible") && onLook(letter), onblur: () => onLook(null),
      }, parts.spoken, content);
    }
    this.pits.set(letter, parts);
    return parts.node;
  }

  #store(side) {
    const parts = {
      shown: -1, stones: svg("g", {}), name: el("span", { class: "who" }), count: el("span", { class: "count" }),
      state: el("span", { class: "state" }), after: el("span", { class: "after" }),
    };
    parts.node = el("div", { class: `store ${side === "S" ? "south" : "north"}`, role: "group" },
      el("span", { class: "player" }, sideMark(side), parts.name),
      el("span", { class: "bowl" }, svg("svg", { class: "hollow", viewBox: "-50 -50 100 100", "aria-hidden": "true" }, parts.stones)),
      el("span", { class: "total" }, el("span", { class: "sum" }, parts.count, parts.after), el("span", { class: "unit", "data-t": "store.captured" })),
      parts.state);
    this.stores.set(side, parts);
    return parts.node;
  }

  /** Arrow keys go from pit to pit. */
  #walk(event) {
    const letter = event.target.closest("[data-pit]")?.dataset.pit;
    if (!letter || event.ctrlKey || event.altKey || event.metaKey) return;
    const side = ROWS.S.includes(letter) ? "S" : "N";
    const column = ROWS[side].indexOf(letter);
    const goal = {
      ArrowLeft: ROWS[side][column - 1], ArrowRight: ROWS[side][column + 1],
      ArrowUp: ROWS.N[column], ArrowDown: ROWS.S[column], Home: ROWS[side][0], End: ROWS[side][3],
    }[event.key];
    if (event.key.startsWith("Arrow") || goal) event.preventDefault();
    if (event.key.startsWith("Arrow") || goal) event.stopPropagation();
    if (goal) this.pits.get(goal).node.focus();
  }

  /** Draws the stones of a pit; a pit that already shows them is left alone. */
  setStones(letter, count) {
    const pit = this.pits.get(letter);
    if (pit.shown === count) return;
    pit.shown = count;
    pit.stones.replaceChildren(...stonesFor(count));
    pit.node.classList.toggle("empty", count === 0);
  }

  /** Writes the number beside a pit; while stones fly it runs with them. */
  setCount(letter, count) {
    this.setStones(letter, count);
    setText(this.pits.get(letter).count, number(count));
  }

  setStore(side, count) {
    const store = this.stores.get(side);
    setText(store.count, number(count));
    if (store.shown === count) return;
    store.shown = count;
    store.stones.replaceChildren(...stonesFor(count));
  }

  /**
   * Shows a board of the server. `view` adds what is known of each pit: `labels` (texts for screen readers), `legal`
   * and `chosen` (sets of letters), `values` (texts with a kind), `last` (the ply that led here), `names` of the players.
   */
  show(board, view = {}) {
    const owned = view.game === "gore";
    for (const pit of board.pits) this.#showPit(pit, view, owned);
    for (const side of ["S", "N"]) this.#showStore(side, board, view);
    this[`N`].setAttribute("aria-label", t("row.N"));
    this[`S`].setAttribute("aria-label", t("row.S"));
    this.host.classList.toggle("owned", owned);
    this.host.classList.toggle("valued", Boolean(view.values?.size));
    this.host.classList.toggle("locks", board.pits.some((pit) => pit.locked));
    this.preview(null);
  }

  #showPit({ letter, stones, owner, locked }, view, owned) {
    const pit = this.pits.get(letter);
    this.setCount(letter, stones);
    const flags = {
      legal: view.legal?.has(letter) ?? false, chosen: view.chosen?.has(letter) ?? false, locked, offered: view.offered?.has(letter) ?? false,
      origin: view.last?.origin === letter, end: view.last?.path?.at(-1) === letter, taken: view.last?.pits?.includes(letter) ?? false,
      "of-south": owned && owner === "S", "of-north": owned && owner === "N",
    };
    for (const [name, on] of Object.entries(flags)) pit.node.classList.toggle(name, on);
    pit.lock.replaceChildren(...(locked ? [padlock(true), t("pit.locked")] : []));
    pit.owner.replaceChildren(...(owned ? [sideMark(owner), t(`side.${owner}`)] : []));
    this.#showValue(pit, view.values?.get(letter));
    const label = view.labels?.get(letter) ?? `${letter}: ${t("stones", { n: stones })}`;
    if (pit.node.tagName !== "BUTTON") return pit.node.setAttribute("aria-label", label);
    setText(pit.spoken, label);
    pit.node.setAttribute("aria-disabled", String(!flags.legal));
    if (view.choosing) pit.node.setAttribute("aria-pressed", String(flags.chosen));
    else pit.node.removeAttribute("aria-pressed");
    return undefined;
  }

  #showValue(pit, value) {
    setText(pit.value, value ? value.text : "");
    pit.value.className = value ? `value shown ${value.sign} ${value.exact ? "exact" : "rough"} ${value.best ? "best" : ""}` : "value";
  }

  #showStore(side, board, view) {
    const store = this.stores.get(side);
    this.setStore(side, board.stores[side]);
    setText(store.name, view.names?.[side] ?? t(`side.${side}`));
    store.node.classList.toggle("turn", board.side === side && !view.over);
    store.node.setAttribute("aria-label", t("store.label", { side: t(`side.${side}`), n: board.stores[side] }));
    const locks = board.unlocked && view.game === "kpe";
    store.state.replaceChildren(...(locks ? [padlock(!board.unlocked[side]), t(board.unlocked[side] ? "store.unlocked" : "store.locked")] : []));
    store.node.querySelector(".unit").textContent = t("store.captured");
  }

  /** Writes beside each pit what it would hold after a move; null takes that away. */
  preview(result, captured = []) {
    const after = result === null ? null : readCounts(result);
    for (const [letter, pit] of this.pits) {
      const changes = after !== null && after.pits[letter] !== pit.shown;
      setText(pit.after, changes ? `→ ${number(after.pits[letter])}` : "");
      pit.node.classList.toggle("would-take", captured.includes(letter));
    }
    for (const [side, store] of this.stores) {
      setText(store.after, after !== null && after.stores[side] !== store.shown ? `→ ${number(after.stores[side])}` : "");
    }
    this.host.classList.toggle("previewing", after !== null);
  }
}

/** The circles of a number of stones; every other ring has another tint, which helps to count. */
function stonesFor(count) {
  return places(count).map(({ x, y, radius, ring }) =>
    svg("circle", { class: ring % 2 === 1 ? "stone odd" : "stone", cx: x, cy: y, r: radius }));
}
