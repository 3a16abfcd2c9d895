// Sentences about moves, values and endings, for eyes and for screen readers.

import { list, number, signed, t } from "./i18n.js";

/** "South" or "North". */
export const sideName = (side) => t(`side.${side}`);

export const otherSide = (side) => (side === "S" ? "N" : "S");

/** A move as a button or the move list writes it: `A`, "offer C, D", "accept". */
export function moveName(move) {
  if (move.startsWith("offer:")) return t("move.offer", { pits: [...move.slice(6)].join(" ") });
  return move.length === 1 ? move : t(`move.${move}`);
}

/** What happened in a ply, in full sentences. */
export function plySentence(ply) {
  const side = sideName(ply.side);
  if (ply.kind !== "sow") return t(`ply.${ply.kind}`, { side, pits: list([...ply.move.slice(6)]) });
  const parts = [t("ply.sow", { side, pit: ply.origin ?? ply.move, n: ply.path.length, end: ply.path.at(-1) ?? "" })];
  if (ply.captured > 0) parts.push(t("ply.capture", { n: ply.captured, pits: list(ply.pits) }));
  if (ply.unlocked) parts.push(t("ply.unlocked", { side }));
  return parts.join(" ");
}

/** How the game ended, or an empty text. */
export function overSentence(over) {
  if (!over) return "";
  const [south, north] = over.totals_halves.map((halves) => number(halves / 2));
  const result = over.winner ? t("over.won", { side: sideName(over.winner) }) : t("over.drawn");
  const parts = [t(`over.${over.reason}`), result, t("over.totals", { south, north })];
  if (over.without_glory) parts.push(t("over.glory"));
  return parts.join(" ");
}

/** A value as short as can be: `+4` exact, `≈ +1` estimate, `≥ +2` and `≤ −3` bounds. */
export function valueText(value, kind) {
  const sign = { exact: "", "at-least": "≥\u2009", "at-most": "≤\u2009", estimate: "≈\u2009" }[kind] ?? "≈\u2009";
  return sign + signed(value);
}

/** The same in words. */
export const valueWords = (value, kind) => t(`value.${kind}`, { value: signed(value) });

/** What a screen reader hears of a pit. */
export function pitLabel(pit, { game, legal, value }) {
  const parts = [`${pit.letter}: ${t("stones", { n: pit.stones })}`];
  if (pit.locked) parts.push(t("pit.locked"));
  if (game === "gore") parts.push(t("pit.owner", { side: sideName(pit.owner) }));
  if (legal) parts.push(legal.captured > 0 ? t("pit.captures", { n: legal.captured }) : t("pit.playable"));
  if (value) parts.push(valueWords(value.value, value.kind), value.best ? t("value.best") : "");
  return parts.filter((part) => part !== "").join(", ");
}

/** What a move leads to, in one line. */
export function previewSentence(move) {
  if (move.kind !== "sow") return moveName(move.move);
  const parts = [t("preview.sow", { pit: move.origin ?? move.move, n: move.path.length, end: move.path.at(-1) ?? "" })];
  parts.push(move.captured > 0 ? t("preview.capture", { n: move.captured, pits: list(move.pits) }) : t("preview.nothing"));
  return parts.join(" ");
}
