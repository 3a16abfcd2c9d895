// What the reader chooses: language, light or dark, single keys, level and side, the readings of the rules.

import { byId, el } from "./dom.js";
import { LANGUAGES, t } from "./i18n.js";
import { remembered } from "./memory.js";
import { LEVELS } from "./state.js";

const THEMES = ["auto", "light", "dark"];

/** The readings a game's rules have; the first word is what counts if nothing is chosen. */
const READINGS = {
  kpe: { origin: ["skip", "sow"], unlock: ["same", "next"], feed: ["remains", "sown"] },
  gore: { origin: ["skip", "sow"], trade: ["on", "off"] },
};
const LOOPS = ["split", "own"];

/** Light or dark by hand, or as the system has it. */
export function connectTheme() {
  const select = byId("theme");
  const apply = (theme) => {
    document.documentElement.dataset.theme = theme;
    select.value = theme;
  };
  select.append(...THEMES.map((theme) => el("option", { value: theme, "data-t": `theme.${theme}` })));
  apply(THEMES.includes(remembered("theme")) ? remembered("theme") : "auto");
  select.addEventListener("change", () => {
    apply(select.value);
    remembered("theme", select.value);
  });
}

/** The list of languages, each in its own words. */
export function connectLanguage(onChoice) {
  const select = byId("language");
  select.append(...Object.entries(LANGUAGES).map(([tag, name]) => el("option", { value: tag, lang: tag }, name)));
  select.addEventListener("change", () => onChoice(select.value));
}

/** Level and side; both are told to the session. */
export function connectPlayers(session) {
  byId("level").append(...LEVELS.map((level) => el("option", { value: level })));
  byId("level").addEventListener("change", () => session.go({ level: Number(byId("level").value) }, "settings"));
  byId("side").addEventListener("change", () => session.go({ side: byId("side").value }, "settings"));
}

/** Shows the choices of a state. */
export function drawSettings(session) {
  const { state } = session;
  byId("players").hidden = state.mode !== "play";
  byId("level").value = String(state.level);
  byId("side").value = state.side;
  for (const option of byId("level").options) option.textContent = levelName(Number(option.value));
  for (const option of byId("side").options) option.textContent = t(`side.${option.value}`);
  byId("language").value = document.documentElement.lang;
  drawReadings(session);
}

function levelName(level) {
  const word = { 1: "level.first", 10: "level.last" }[level];
  return t("level.name", { n: level }) + (word ? ` – ${t(word)}` : "");
}

function drawReadings(session) {
  const { game, options } = session.full;
  const chosen = Object.fromEntries(options.split(",").map((part) => part.split("=")));
  chosen.loops = session.state.loops || LOOPS[0];
  const fields = Object.entries({ ...READINGS[game], loops: LOOPS }).map(([name, words]) => reading(session, game, name, words, chosen));
  const held = document.activeElement?.id ?? "";
  byId("readings").replaceChildren(...fields);
  if (held.startsWith("reading-")) byId(held)?.focus();
}

function reading(session, game, name, words, chosen) {
  const id = `reading-${name}`;
  const options = words.map((word) => el("option", { value: word, selected: chosen[name] === word }, t(`${name}.${word}`)));
  const select = el("select", { id, onchange: () => choose(session, game, name, select.value, chosen) }, options);
  return el("p", {}, el("label", { for: id }, t(`${name}.name`)), select);
}

/** Other rules are another game: it begins again from its start. */
function choose(session, game, name, word, chosen) {
  if (name === "loops") {
    session.restart(session.state.start, { loops: word === LOOPS[0] ? "" : word });
    return;
  }
  const wanted = { ...chosen, [name]: word };
  const texts = Object.keys(READINGS[game]).map((key) => `${key}=${wanted[key]}`);
  const usual = Object.entries(READINGS[game]).every(([key, choices]) => wanted[key] === choices[0]);
  session.restart(session.state.start, { options: usual ? "" : texts.join(",") });
}
