// Starts the browser for a test file and opens pages of the server that KPE_URL names.

import { mkdirSync } from "node:fs";
import path from "node:path";
import { after, before } from "node:test";
import assert from "node:assert/strict";
import { chromium } from "playwright-core";

export const LANGUAGES = ["en", "fr", "de", "pl", "bg", "bn", "pa"];
export const MODES = ["play", "two", "analyse", "setup", "rules"];
export const PHONE = { width: 360, height: 780 };
export const DESKTOP = { width: 1280, height: 900 };

const url = process.env.KPE_URL;
const artefacts = process.env.KPE_ARTEFACTS;
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];

let browser;

/** To be called once by each test file. */
export function useBrowser() {
  before(async () => {
    assert.ok(url, "KPE_URL is not set; run scripts/browser-test");
    browser = await chromium.launch({ executablePath: process.env.KPE_CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
  });
  after(() => browser?.close());
}

/** A fresh profile; what a page throws or logs as an error fails the test that opened it. */
export async function context(t, options = {}) {
  const made = await browser.newContext({ baseURL: url, viewport: DESKTOP, locale: "en", reducedMotion: "reduce", ...options });
  const faults = [];
  made.on("weberror", (error) => faults.push(error.error().stack));
  made.on("console", (message) => {
    // A refused request is logged by the browser itself; the tests look at what the page makes of it.
    if (message.type() === "error" && !/Failed to load resource/.test(message.text())) faults.push(message.text());
  });
  made.faults = faults;
  t.after(async () => {
    await made.close();
    assert.deepEqual(faults, [], "errors in the page");
  });
  return made;
}

/** A page at a fragment, waited for until it can be used. */
export async function open(t, fragment = "", options = {}) {
  const made = await context(t, options);
  const page = await made.newPage();
  await go(page, fragment);
  return page;
}

export async function go(page, fragment) {
  await page.goto(`/${fragment}`);
  await ready(page);
}

export const ready = (page) => page.waitForSelector("html[data-ready]", { timeout: 10_000 });

/** A picture for people, kept outside the repository. */
export async function shot(page, name) {
  if (!artefacts) return;
  mkdirSync(artefacts, { recursive: true });
  await page.screenshot({ path: path.join(artefacts, `${name}.png`), fullPage: true });
}

export const pit = (page, letter) => page.locator(`#board [data-pit="${letter}"]`);

/** The numbers beside the pits, A to D and a to d. */
export const counts = (page) => page.$$eval("#board [data-pit]", (nodes) =>
  Object.fromEntries(nodes.map((node) => [node.dataset.pit, node.querySelector(".count").textContent])));

export const position = (page) => page.inputValue("#position");
export const text = async (page, selector) => (await page.textContent(selector)).trim();
export const fragment = async (page) => new URL(page.url()).hash;

/** Waits until the text of an element matches. */
export async function says(page, selector, pattern) {
  await page.waitForFunction(([where, source, flags]) => new RegExp(source, flags).test(document.querySelector(where)?.textContent ?? ""),
    [selector, pattern.source, pattern.flags], { timeout: 10_000 }).catch(async () => {
    assert.match(await text(page, selector), pattern);
  });
}
