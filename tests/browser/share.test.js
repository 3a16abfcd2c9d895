// Links, records, setting up, analysis, rules: what one does with a game beside playing it.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { context, counts, fragment, go, open, pit, position, says, shot, text, useBrowser } from "./harness.js";

useBrowser();

test("a link shares the game and the ply looked at", async (t) => {
  const made = await context(t, { permissions: ["clipboard-read", "clipboard-write"] });
  const page = await made.newPage();
  await go(page, "#game=gore&mode=two&moves=A,a,offer:B");
  await page.goBack().catch(() => {});
  await go(page, "#game=kpe&mode=two&moves=A,a,B&ply=2");
  await page.click("#share");
  await says(page, "#note", /The link has been copied/);
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(link, await page.inputValue("#link"));
  assert.doesNotMatch(link, /lang=/);
  const other = await made.newPage();
  await other.goto(link);
  await other.waitForSelector("html[data-ready]");
  assert.equal(await position(other), await position(page));
  assert.equal(await other.locator("#moves li").count(), 4);
  assert.equal(await other.getAttribute("#moves li:nth-child(3) button", "aria-current"), "step");
});

test("a link without permission for the clipboard is there to copy by hand", async (t) => {
  const page = await open(t, "#game=kpe&mode=two&moves=A");
  await page.evaluate(() => { navigator.clipboard.writeText = () => Promise.reject(new Error("no")); });
  await page.click("#share");
  await says(page, "#note", /Copy the link from the field/);
  assert.equal(await page.evaluate(() => document.activeElement.id), "link");
});

test("a link put into the address of an open page is followed", async (t) => {
  const page = await open(t, "#game=kpe&mode=two");
  await page.evaluate(() => { location.hash = "#game=kpe&mode=two&moves=D,d"; });
  await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 3);
});

test("setting up: numbers, locks, the reason why not, and on to the analysis", async (t) => {
  const page = await open(t, "#game=kpe&mode=setup");
  await page.click("#setup-empty");
  for (const [letter, stones] of Object.entries({ B: 3, C: 8, D: 1, a: 2, b: 4, c: 1, d: 3 })) await page.fill(`#set-${letter}`, String(stones));
  await page.fill("#set-store-S", "12");
  await page.fill("#set-store-N", "15");
  await says(page, "#setup-state", /48|4[0-9]/);
  assert.equal(await page.getAttribute("#setup-analyse", "aria-disabled"), "true");
  assert.match(await text(page, "#setup-total"), /49 of 48/);
  await shot(page, "setup-wrong");
  await page.fill("#set-store-N", "14");
  await page.selectOption("#setup-side", "N");
  await says(page, "#setup-state", /can be played/);
  assert.equal(await page.inputValue("#setup-text"), "0-3-8-1-2-4-1-3-12-14-N");
  assert.equal((await counts(page)).C, "8");
  await shot(page, "setup");
  await page.check("#lock-C");
  await says(page, "#setup-state", /can be played/);
  assert.match(await page.inputValue("#setup-text"), /-N:C$/);
  await page.check("#lock-B");
  await page.waitForFunction(() => document.querySelector("#setup-state.wrong"));
  await page.uncheck("#lock-B");
  await page.uncheck("#lock-C");
  await says(page, "#setup-state", /can be played/);
  await page.click("#setup-analyse");
  await says(page, "#verdict", /Value for North: \+4, exact\./);
  assert.match(await fragment(page), /start=0-3-8-1-2-4-1-3-12-14-N&mode=analyse/);
});

test("setting up Goré: owners, and a position given as text", async (t) => {
  const page = await open(t, "#game=gore&mode=setup");
  await page.selectOption('[aria-label="Owner of pit a"]', "S");
  await says(page, "#setup-state", /can be played/);
  assert.equal(await page.inputValue("#setup-text"), "6-6-6-6-6-6-6-6-0-0-S@ABCDa");
  await page.fill("#setup-text", "6-0-5-4-2-3-5-1-8-14-N@ABCDd");
  await page.press("#setup-text", "Tab");
  await page.waitForFunction(() => document.querySelector("#set-B").value === "0");
  assert.equal(await page.inputValue("#setup-side"), "N");
  await page.fill("#setup-text", "<b>nonsense</b>");
  await page.press("#setup-text", "Tab");
  await page.waitForFunction(() => document.querySelector("#setup-state.wrong"));
  await page.fill("#setup-text", "6-0-5-4-2-3-5-1-8-14-N@ABCDd");
  await page.press("#setup-text", "Tab");
  await says(page, "#setup-state", /can be played/);
  await page.click("#setup-two");
  await says(page, "#status", /North to move/);
});

test("analysis: values of all moves, best first, and the main line", async (t) => {
  const page = await open(t, "#game=kpe&mode=analyse&start=0-3-8-1-2-4-1-3-12-14-N");
  await says(page, "#verdict", /\+4, exact.*From the tables/);
  const rows = await page.$$eval("#worth tr", (nodes) => nodes.map((node) => [...node.children].map((cell) => cell.textContent)));
  assert.deepEqual(rows.map(([move, value]) => [move, value]), [["b ★", "+4"], ["a", "+2"], ["c", "0"], ["d", "−6"]]);
  assert.match(await text(page, "#main-line"), /^b( [A-Da-d]){5}/);
  await shot(page, "analysis");
  await page.click("#worth tr:first-child button");
  await says(page, "#live", /North sows b/);
});

test("the value of the game as a curve and as a table", async (t) => {
  const page = await open(t, "#game=kpe&mode=analyse&start=0-3-8-1-2-4-1-3-12-14-N&moves=d,B,a");
  await page.click("#curve > summary");
  await page.waitForSelector("#curve-picture svg path.line", { timeout: 15_000 });
  assert.equal(await page.locator("#curve-picture .dot").count(), 4, "the start and three moves");
  assert.ok(await page.locator("#curve-picture .dot.lost").count() >= 1, "the first move loses ten stones");
  await page.click("#curve-table > summary");
  const rows = await page.$$eval("#curve-rows tr", (nodes) => nodes.map((node) => node.textContent));
  assert.equal(rows.length, 3);
  assert.match(rows[0], /North d.*b$/);
  await shot(page, "curve");
});

test("a game is saved as a record and read again", async (t) => {
  const page = await open(t, "#game=kpe&mode=two&moves=A,a,B,b,C");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
  assert.equal(download.suggestedFilename(), "kpe.kpg");
  const record = await readFile(await download.path(), "utf8");
  assert.match(record, /A/);
  await says(page, "#note", /saved/);
  const reader = await open(t, "#game=gore&mode=two");
  await reader.setInputFiles("#file", { name: "game.txt", mimeType: "text/plain", buffer: Buffer.from(record) });
  await says(reader, "#note", /game\.txt: 5 moves loaded/);
  assert.match(await fragment(reader), /game=kpe.*moves=A,a,B,b,C&ply=0/);
  await reader.click("#last");
  await says(reader, "#live", /Move 5/);
  assert.equal(await position(reader), await position(page));
});

test("the comments of a record are shown with their moves", async (t) => {
  const page = await open(t, "#game=kpe&mode=two");
  const record = "{Two friends.} 1. A {A quiet <b>start</b>.} a 2. B *";
  await page.setInputFiles("#file", { name: "game.kpg", mimeType: "text/plain", buffer: Buffer.from(record) });
  await says(page, "#comment", /^Two friends\.$/);
  await page.click("#forward");
  await says(page, "#comment", /^A quiet <b>start<\/b>\.$/);
  await page.click("#forward");
  await says(page, "#comment", /^$/);
});

test("the rules of both games are explained, each rule with a demonstration that works", async (t) => {
  const page = await open(t, "#game=kpe&mode=rules");
  for (const [game, count] of [["kpe", 8], ["gore", 7]]) {
    await page.click(`[data-game="${game}"]`);
    await page.waitForFunction((wanted) => document.querySelectorAll("#rules figure").length === wanted, count);
    await page.waitForFunction(() => [...document.querySelectorAll("#rules .caption")].every((caption) => caption.textContent !== ""));
    await shot(page, `rules-${game}`);
    for (const figure of await page.locator("#rules figure").all()) {
      const button = figure.locator("button");
      if (await button.isHidden()) {
        assert.match(await figure.locator(".caption").textContent(), /South may only play: C and D\./);
        continue;
      }
      const before = await figure.locator(".caption").textContent();
      await button.click();
      await page.waitForFunction(([node, old]) => node.querySelector(".caption").textContent !== old, [await figure.elementHandle(), before]);
    }
  }
  await says(page, "#rules .rule:nth-of-type(2) .caption", /Captured: 14 stones/);
  await page.waitForFunction(() => /victory without glory/i.test(document.querySelector("#rules .rule:nth-of-type(4) .caption").textContent), null, { timeout: 15_000 });
});

test("other readings of the rules begin another game", async (t) => {
  const page = await open(t, "#game=kpe&mode=two&moves=A,a");
  await page.click("#options > summary");
  await page.selectOption("#reading-unlock", "next");
  await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 1);
  assert.match(await fragment(page), /options=origin=skip,unlock=next,feed=remains/);
  await page.selectOption("#reading-loops", "own");
  await page.waitForFunction(() => location.hash.includes("loops=own"));
  await pit(page, "A").click();
  await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 2);
  await page.reload();
  await page.waitForSelector("html[data-ready]");
  assert.equal(await page.inputValue("#reading-unlock"), "next");
});
