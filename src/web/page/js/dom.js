// Builds elements without ever parsing markup: what comes from a server, a file or a link becomes text, never a tag.

const SVG = "http://www.w3.org/2000/svg";

/** The element with this id, which index.html is known to have. */
export const byId = (id) => document.getElementById(id);

/** An HTML element. Attributes that are null or false are left out; `onclick` and the like become listeners. */
export function el(tag, attributes, ...children) {
  return dress(document.createElement(tag), attributes, children);
}

/** An SVG element, by the same rules. */
export function svg(tag, attributes, ...children) {
  return dress(document.createElementNS(SVG, tag), attributes, children);
}

function dress(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Sets the text only if it is another one, so that a screen reader is not told twice. */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** A padlock, closed or open; it is told apart by its shape, and the text beside it says the same. */
export function padlock(locked) {
  const bow = locked ? "M4 7V5a4 4 0 0 1 8 0v2" : "M4 7V4a3.4 3.4 0 0 1 6.7-1";
  return svg("svg", { class: locked ? "padlock" : "padlock open", viewBox: "0 0 16 16", "aria-hidden": "true" },
    svg("path", { d: bow, class: "bow" }), svg("rect", { x: 2.5, y: 7, width: 11, height: 8, rx: 1.8 }));
}

/** The sign of a player, told apart by shape: a filled triangle that points to his side of the board. */
export function sideMark(side) {
  const points = side === "S" ? "2,4 14,4 8,13" : "2,12 14,12 8,3";
  return svg("svg", { class: `mark ${side === "S" ? "south" : "north"}`, viewBox: "0 0 16 16", "aria-hidden": "true" },
    svg("polygon", { points }));
}
