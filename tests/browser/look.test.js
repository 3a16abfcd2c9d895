// How the page looks and reads: languages, widths, day and night, accessibility.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { DESKTOP, LANGUAGES, MODES, PHONE, context, go, open, pit, ready, says, shot, useBrowser } from "./harness.js";

useBrowser();

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const GAMES = { kpe: "moves=A,a,B,b", gore: "start=6-0-5-4-2-3-5-1-8-14-S@ABCDa&moves=offer:B" };

for (const language of LANGUAGES) {
  test(`${language}: chosen by the browser, alone loaded, fits a phone`, async (t) => {
    const made = await context(t, { locale: `${language}-XX`.replace("-XX", ""), viewport: PHONE });
    const page = await made.newPage();
    const asked = [];
    page.on("request", (request) => { if (request.url().includes("/messages/")) asked.push(new URL(request.url()).pathname); });
    await go(page, "#game=kpe&mode=play&moves=A,a");
    assert.deepEqual(asked, [`/messages/${language}.json`]);
    assert.equal(await page.getAttribute("html", "lang"), language);
    const { title } = JSON.parse(readFileSync(new URL(`../../src/web/page/messages/${language}.json`, import.meta.url)));
    assert.equal(await page.title(), title);
    for (const mode of MODES) {
      await page.click(`[data-mode="${mode}"]`);
      await page.waitForFunction((wanted) => document.body.dataset.mode === wanted, mode);
      if (mode === "rules") await page.waitForSelector("#rules figure");
      await fits(page, `${language} ${mode}`);
      if (["play", "rules"].includes(mode)) await shot(page, `phone-${language}-${mode}`);
    }
    const bare = await page.$$eval("body *", (nodes) => nodes.filter((node) => /^[a-z-]+\.[a-z.-]+$/.test(node.textContent.trim())).map((node) => node.textContent));
    assert.deepEqual(bare, [], "keys without a message");
  });
}

async function fits(page, what) {
  const [wide, room, outside] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth,
    [...document.querySelectorAll("button, select, input, p, .store, .pit")].filter((node) => node.getBoundingClientRect().right > innerWidth + 1).map((node) => node.id || node.className)]);
  assert.ok(wide <= room, `${what}: ${wide} px wide in ${room}`);
  assert.deepEqual(outside, [], `${what}: outside the screen`);
  const crowded = await page.$$eval(".cell, .notes, #side-panel > *, .rule", (nodes) => nodes.filter((node) => node.scrollWidth > node.clientWidth + 1).map((node) => node.className || node.id));
  assert.deepEqual(crowded, [], `${what}: wider than its place`);
}

test("no horizontal scroll on a phone in any mode of both games", async (t) => {
  const page = await open(t, "", { viewport: PHONE });
  for (const [game, moves] of Object.entries(GAMES)) {
    for (const mode of MODES) {
      await page.goto(`/#game=${game}&mode=${mode}&${moves}`);
      await page.reload();
      await ready(page);
      await page.$$eval("details", (nodes) => nodes.forEach((node) => { node.open = true; }));
      await page.waitForTimeout(100);
      await fits(page, `${game} ${mode}`);
    }
  }
});

test("another language by hand, kept for the next visit and in the address", async (t) => {
  const page = await open(t, "#game=kpe&mode=two&moves=A");
  await page.selectOption("#language", "pl");
  await says(page, "#status", /Ruch ma Północ\./);
  assert.equal(await page.getAttribute("html", "lang"), "pl");
  assert.match(page.url(), /lang=pl/);
  await go(page, "#game=kpe");
  await page.reload();
  await ready(page);
  assert.equal(await page.getAttribute("html", "lang"), "pl");
  await page.selectOption("#language", "bn");
  await says(page, '#board [data-pit="A"] .count', /^৬$/);
});

test("a language nobody wrote is answered in the next one that is known", async (t) => {
  const page = await open(t, "#lang=tlh", { locale: "fr-CA" });
  assert.equal(await page.getAttribute("html", "lang"), "fr");
});

const paper = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

test("dark and light, by the system and by hand", async (t) => {
  const light = await open(t, "", { colorScheme: "light" });
  const dark = await open(t, "", { colorScheme: "dark" });
  assert.notEqual(await paper(light), await paper(dark));
  await shot(dark, "dark");
  await light.selectOption("#theme", "dark");
  assert.equal(await paper(light), await paper(dark));
  await light.reload();
  await ready(light);
  assert.equal(await paper(light), await paper(dark), "the choice is kept");
  await light.selectOption("#theme", "auto");
  assert.notEqual(await paper(light), await paper(dark));
});

for (const scheme of ["light", "dark"]) {
  for (const [game, moves] of Object.entries(GAMES)) {
    test(`no fault of accessibility: ${game}, ${scheme}`, async (t) => {
      const page = await open(t, `#game=${game}&${moves}`, { colorScheme: scheme, viewport: DESKTOP });
      for (const mode of MODES) {
        await page.click(`[data-mode="${mode}"]`);
        await page.waitForFunction((wanted) => document.body.dataset.mode === wanted, mode);
        if (mode === "analyse") await page.waitForSelector("#worth tr");
        if (mode === "rules") await page.waitForFunction(() => document.querySelector("#rules .caption") && [...document.querySelectorAll("#rules .caption")].every((one) => one.textContent));
        await page.$$eval("details", (nodes) => nodes.forEach((node) => { node.open = true; }));
        await page.waitForTimeout(250);
        await scan(page, `${game} ${mode} ${scheme}`, scheme === "dark" ? ["color-contrast"] : null);
        await shot(page, `${scheme}-${game}-${mode}`);
      }
    });
  }
}

test("no fault of accessibility: help, problem, offer, end of a game", async (t) => {
  const page = await open(t, "#game=kpe&mode=two");
  await page.click("#help");
  await scan(page, "help");
  await shot(page, "help");
  await page.click("#help-close");
  await go(page, "#game=kpe&mode=two&start=1-2-1-0-0-0-0-0-22-22-S&moves=B");
  await page.reload();
  await ready(page);
  await says(page, "#status", /South wins/);
  await scan(page, "over");
  await page.goto("/#game=kpe&moves=zz");
  await page.reload();
  await page.waitForSelector("#problem:not([hidden])");
  await scan(page, "problem");
  await page.goto("/#game=gore&mode=two&start=6-0-5-4-2-3-5-1-8-14-S@ABCDa");
  await page.reload();
  await ready(page);
  await page.click("#trade-offer");
  await pit(page, "a").click();
  await scan(page, "offer");
});

/** All rules of axe, or these; at night only the colours are others. */
async function scan(page, what, rules = null) {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const { violations } = await page.evaluate((only) => axe.run(document, { resultTypes: ["violations"], ...(only && { runOnly: only }) }), rules);
  const found = violations.map((one) => `${one.id}: ${one.nodes.map((node) => `${node.target} ${node.failureSummary}`).join("; ")}`);
  assert.deepEqual(found, [], what);
}
