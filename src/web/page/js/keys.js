// Single keys for everything that is done often. They can be switched off, for those whose software types letters.

import { byId } from "./dom.js";

/** Keys and the buttons they press; the list in the help is made of the same names. */
export const KEYS = {
  u: "undo", h: "hint", v: "values", n: "new", l: "share", o: "trade-offer", p: "trade-pass", y: "trade-accept", x: "trade-decline",
};

/** Connects the keys. `sowFrom(letter, otherRow)` sows from a pit of the mover's row or, in Goré, of the other one. */
export function connectKeys(session, { sowFrom, enabled, cancel }) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape") return cancel();
    if (!enabled() || isWriting(event.target) || document.querySelector("dialog[open]")) return;
    if (act(session, event, sowFrom)) event.preventDefault();
  });
}

/** Where letters belong to a field. */
function isWriting(target) {
  return target instanceof HTMLElement && target.matches("input:not([type=checkbox]), select, textarea");
}

function act(session, event, sowFrom) {
  const key = event.key.toLowerCase();
  if (key === "?") return press("help");
  if (session.state.mode === "rules" || session.state.mode === "setup") return false;
  if ("abcd".includes(key) && key.length === 1) return sowFrom(key, event.shiftKey);
  const walk = {
    ArrowLeft: () => session.step(-1), ArrowRight: () => session.step(1), ",": () => session.step(-1), ".": () => session.step(1),
    Home: () => session.walk(0), End: () => session.walk(session.full.plies.length),
  }[event.key];
  if (walk !== undefined) {
    walk();
    return true;
  }
  return Object.hasOwn(KEYS, key) && press(KEYS[key]);
}

function press(id) {
  const button = byId(id);
  if (!button || button.hidden || button.closest("[hidden]")) return false;
  button.click();
  return true;
}
