// Sowing, shown stone by stone along the path that the server gives.

import { el } from "./dom.js";

const STEP = 130;
const LONGEST = 2400;

/** Whether the reader asked for less motion. */
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Waits; an abort ends the wait. */
function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => { clearTimeout(timer); resolve(); }, { once: true });
  });
}

/**
 * Moves the stones of a ply on `board`, which shows the position before it. Ends early when `signal` is aborted; what
 * the board then shows is put right by the caller, who shows the position after.
 */
export async function sow(board, ply, before, signal) {
  if (calm() || document.hidden || !ply.path?.length) return;
  const counts = Object.fromEntries(before.pits.map((pit) => [pit.letter, pit.stones]));
  const step = Math.min(STEP, LONGEST / ply.path.length);
  const origin = ply.origin ?? ply.move;
  board.host.classList.add("sowing");
  counts[origin] = 0;
  board.setCount(origin, 0);
  for (const letter of ply.path) {
    fly(board, board.pits.get(origin).node, board.pits.get(letter).node, step * 1.4);
    await pause(step, signal);
    if (signal.aborted) break;
    counts[letter] += 1;
    board.setCount(letter, counts[letter]);
  }
  if (!signal.aborted) await take(board, ply, signal);
  board.host.classList.remove("sowing");
}

/** The captured pits empty one after the other into the mover's store. */
async function take(board, ply, signal) {
  await pause(ply.captured > 0 ? 260 : 80, signal);
  for (const letter of ply.pits ?? []) {
    if (signal.aborted) return;
    const pit = board.pits.get(letter);
    pit.node.classList.add("taken");
    fly(board, pit.node, board.stores.get(ply.side).node, 320);
    board.setCount(letter, 0);
    await pause(280, signal);
  }
}

/** One stone flies from a pit to another and is gone. */
function fly(board, from, to, duration) {
  const frame = board.host.getBoundingClientRect();
  const middle = (node) => {
    const box = (node.querySelector(".bowl") ?? node).getBoundingClientRect();
    return [box.left + box.width / 2 - frame.left, box.top + box.height / 2 - frame.top];
  };
  const [x0, y0] = middle(from);
  const [x1, y1] = middle(to);
  const stone = el("span", { class: "flying", "aria-hidden": "true" });
  board.host.append(stone);
  const frames = [
    { transform: `translate(${x0}px, ${y0}px) scale(1)` },
    { transform: `translate(${(x0 + x1) / 2}px, ${(y0 + y1) / 2 - 18}px) scale(1.35)` },
    { transform: `translate(${x1}px, ${y1}px) scale(1)` },
  ];
  stone.animate(frames, { duration, easing: "ease-in-out" }).finished.catch(() => {}).then(() => stone.remove());
}
