// Words and numbers in the language chosen. A message is a text with {names}, or an object of such texts by plural form,
// picked by the value called n.

export const LANGUAGES = {
  en: "English", fr: "Français", de: "Deutsch", pl: "Polski", bg: "Български", bn: "বাংলা", pa: "ਪੰਜਾਬੀ",
};

let messages = {};
let numbers = new Intl.NumberFormat("en");
let signs = numbers;
let plurals = new Intl.PluralRules("en");
let lists = new Intl.ListFormat("en");

/** The first language of the reader that there is a message file for. */
export function preferred(wanted) {
  for (const tag of wanted) {
    const language = String(tag).toLowerCase().split("-")[0];
    if (Object.hasOwn(LANGUAGES, language)) return language;
  }
  return "en";
}

/** The message file of one language. */
export async function fetchMessages(language) {
  const response = await fetch(`/messages/${language}.json`);
  if (!response.ok) throw new Error(`no messages for ${language}: ${response.status}`);
  return response.json();
}

/** Makes a language that of the page. */
export async function use(language, file = fetchMessages(language)) {
  messages = await file;
  numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  signs = new Intl.NumberFormat(language, { maximumFractionDigits: 1, signDisplay: "exceptZero" });
  plurals = new Intl.PluralRules(language);
  lists = new Intl.ListFormat(language, { type: "conjunction" });
  document.documentElement.lang = language;
  document.title = t("title");
  fill(document);
}

/** The message of a key with its values put in; whole numbers are written in the language's way. */
export function t(key, values = {}) {
  let message = messages[key] ?? key;
  if (typeof message === "object") message = message[plurals.select(values.n)] ?? message.other;
  return message.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    return typeof value === "number" ? number(value) : value ?? whole;
  });
}

export const number = (value) => numbers.format(value);

/** A number with its sign, `+4`, with a true minus. */
export const signed = (value) => signs.format(value).replace("-", "−");

/** Items as the language lists them: "b, c and d". */
export const list = (items) => lists.format(items);

/** Puts the messages into the elements that ask for one. */
export function fill(root) {
  for (const node of root.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
  for (const node of root.querySelectorAll("[data-label]")) node.setAttribute("aria-label", t(node.dataset.label));
}
