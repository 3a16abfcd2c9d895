// Playing: games to their end in both games, against a level and by two people, with the mouse and with keys alone.

import assert from "node:assert/strict";
import { test } from "node:test";
import { counts, fragment, go, open, pit, position, says, shot, text, useBrowser } from "./harness.js";

useBrowser();

const legal = (page) => page.$$eval("#board .legal", (nodes) => nodes.map((node) => node.dataset.pit));
const isOver = (page) => page.evaluate(() => document.querySelector("#status").classList.contains("over"));

/** Plays pits, chosen in turn, until the game is over. */
async function playOut(page, most = 400) {
  for (let turn = 0; turn < most; turn += 1) {
    await page.waitForFunction(() => document.querySelector("#status.over") || (document.querySelector("#board .legal") && !document.querySelector("#status.busy")));
    if (await isOver(page)) return turn;
    const pits = await legal(page);
    const before = await page.locator("#moves li").count();
    const letter = pits[turn % pits.length];
    // The mouse for some moves, for most the keys, which are quicker.
    if (turn < 6) await pit(page, letter).click();
    else await page.keyboard.press(letter.toLowerCase());
    await page.waitForFunction((count) => document.querySelectorAll("#moves li").length > count || document.querySelector("#status.over"), before);
  }
  throw new Error("the game does not end");
}

test("a whole game of Kpé for two, from the start to its end", async (t) => {
  const page = await open(t, "#game=kpe&mode=two");
  assert.deepEqual(await legal(page), ["A", "B", "C", "D"]);
  const turns = await playOut(page);
  assert.ok(turns > 8);
  assert.match(await text(page, "#status"), /(wins|draw)\. South [\d.]+, North [\d.]+\./);
  assert.match(await text(page, "#live"), /(wins|draw)/);
  assert.deepEqual(await legal(page), []);
  await shot(page, "two-over");
});

test("a game against a level, to its end", async (t) => {
  const page = await open(t, "#game=kpe&start=2-4-3-5-1-4-2-3-12-12-S&mode=play&level=1&side=S");
  assert.match(await text(page, "#board .store.north"), /North \(level\s1\)/);
  await playOut(page);
  assert.match(await text(page, "#status"), /South [\d.]+, North [\d.]+\./);
});

test("the engine begins when the reader plays North", async (t) => {
  const page = await open(t, "#game=kpe&mode=play&level=3&side=N");
  await says(page, "#status", /Your turn: North to move/);
  assert.equal(await page.locator("#moves li").count(), 2);
  await pit(page, "a").click();
  await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 4);
  await page.click("#undo");
  await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 2);
  await says(page, "#status", /Your turn: North/);
});

test("a move shows its captures, is said aloud and can be taken back", async (t) => {
  const page = await open(t, "#game=kpe&mode=two&start=0-3-4-2-1-3-3-6-12-14-S");
  await pit(page, "C").click();
  await says(page, "#live", /South sows C: 4 stones, the last one into c\. Captured: 10 stones from [abc], b,? and [abc]\./);
  assert.deepEqual(await counts(page), { d: "6", c: "0", b: "0", a: "0", A: "0", B: "3", C: "0", D: "3" });
  assert.match(await text(page, "#board .store.south .count"), /^22$/);
  assert.match(await text(page, "#moves"), /C ×10/);
  await page.click("#undo");
  await says(page, "#status", /South to move/);
  assert.equal((await counts(page)).C, "4");
});

test("a pit that may not be sown says so and changes nothing", async (t) => {
  const page = await open(t, "#game=kpe&mode=two");
  await pit(page, "a").click({ force: true });
  await says(page, "#preview", /a cannot be sown now/);
  assert.equal(await page.locator("#moves li").count(), 1);
});

test("pointing at a pit shows the board after the move", async (t) => {
  const page = await open(t, "#game=kpe&mode=two&start=0-3-4-2-1-3-3-6-12-14-S");
  await pit(page, "C").hover();
  await says(page, "#preview", /C: 4 stones, the last one falls in c\. Captures 10 stones/);
  assert.equal(await text(page, '#board [data-pit="D"] .after'), "→ 3");
  assert.equal(await text(page, '#board .store.south .after'), "→ 22");
  await shot(page, "preview");
  await page.mouse.move(2, 2);
  await says(page, "#preview", /^$/);
  assert.equal(await text(page, '#board [data-pit="D"] .after'), "");
});

test("on a touch screen the first press shows, the second plays", async (t) => {
  const page = await open(t, "#game=kpe&mode=two", { hasTouch: true, isMobile: true, viewport: { width: 360, height: 780 } });
  await pit(page, "B").tap();
  await says(page, "#preview", /Press again to play/);
  assert.equal(await page.locator("#moves li").count(), 1);
  await pit(page, "B").tap();
  await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 2);
});

test("Goré: offering, declining and a victory without glory", async (t) => {
  const page = await open(t, "#game=gore&mode=two&start=3-0-0-0-1-0-0-1-13-30-S@ABCD");
  await page.click("#trade-offer");
  await says(page, "#trade", /Choose one to three/);
  assert.equal(await page.getAttribute("#trade-send", "aria-disabled"), "true");
  await pit(page, "B").click();
  assert.equal(await pit(page, "B").getAttribute("aria-pressed"), "true");
  await shot(page, "gore-offer");
  await page.click("#trade-send");
  await says(page, "#trade", /South offers: B\.Accepting costs 6/);
  await shot(page, "gore-answer");
  await page.click("#trade-decline");
  await says(page, "#status", /North to move/);
  await pit(page, "a").click();
  await says(page, "#status", /South to move/);
  await pit(page, "A").click();
  await says(page, "#status", /North wins\. South 16, North 32\. A victory without glory/);
});

test("Goré: an accepted offer changes the owner and is paid", async (t) => {
  const page = await open(t, "#game=gore&mode=two&start=6-0-5-4-2-3-5-1-8-14-S@ABCD&moves=offer:B");
  await page.click("#trade-accept");
  await says(page, "#live", /North accepts the offer and pays/);
  assert.equal(await text(page, '#board [data-pit="B"] .owner'), "North");
  assert.equal((await counts(page)).B, "6");
  assert.equal(await text(page, "#board .store.north .count"), "8");
  assert.ok((await legal(page)).includes("B"));
});

test("Goré: a player without stones passes", async (t) => {
  const page = await open(t, "#game=gore&mode=two&start=0-0-0-0-5-1-2-0-20-20-S@ABCD");
  await says(page, "#status", /must pass/);
  await page.click("#trade-pass");
  await says(page, "#live", /South passes/);
});

test("Goré against a level, with the keyboard", async (t) => {
  const page = await open(t, "#game=gore&mode=play&level=1&side=S&start=3-2-0-1-2-1-1-2-16-20-S@ABCD");
  await page.keyboard.press("a");
  await page.waitForFunction(() => document.querySelectorAll("#moves li").length >= 2);
});

test("the keyboard is enough: arrows and Enter on the board, letters, walking, help", async (t) => {
  const page = await open(t, "#game=kpe&mode=two");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.id), "skip");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.pit), "d");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.pit), "B");
  await says(page, "#preview", /B: 6 stones/);
  await page.keyboard.press("Enter");
  await says(page, "#live", /South sows B/);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.pit), "B", "the focus stays where it was");
  await page.keyboard.press("c");
  await says(page, "#live", /North sows c/);
  await page.keyboard.press(",");
  await says(page, "#live", /Move 1\. South sows B/);
  assert.match(await fragment(page), /ply=1/);
  await page.keyboard.press(".");
  await says(page, "#live", /Move 2\./);
  await page.keyboard.press("u");
  await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 2);
  await page.keyboard.press("v");
  await page.waitForFunction(() => document.querySelectorAll("#board .value.shown").length === 4);
  await page.keyboard.press("?");
  assert.equal(await page.evaluate(() => document.querySelector("#help-text").open), true);
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.querySelector("#help-text").open), false);
  await page.keyboard.press("n");
  await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 1);
});

test("an offer by keys alone", async (t) => {
  const page = await open(t, "#game=gore&mode=two&start=6-0-5-4-2-3-5-1-8-14-S@ABCD");
  await page.keyboard.press("o");
  await says(page, "#trade", /Choose/);
  await page.keyboard.press("b");
  await page.keyboard.press("Enter");
  await says(page, "#trade", /South offers: B/);
  await page.keyboard.press("y");
  await says(page, "#live", /accepts/);
});

test("single keys can be switched off", async (t) => {
  const page = await open(t, "#game=kpe&mode=two");
  await page.click("#options summary");
  await page.uncheck("#single-keys");
  await page.keyboard.press("a");
  await page.waitForTimeout(150);
  assert.equal(await page.locator("#moves li").count(), 1);
});

test("values and the hint are there on demand", async (t) => {
  const page = await open(t, "#game=kpe&mode=two&start=0-3-8-1-2-4-1-3-12-14-N");
  assert.equal(await page.locator("#board .value.shown").count(), 0);
  await page.click("#hint");
  await says(page, "#preview", /Best move: b\. It is worth \+4, exact/);
  assert.equal(await text(page, '#board [data-pit="b"] .value'), "★\u2009+4");
  assert.equal(await page.locator("#board .value.shown").count(), 1);
  await page.click("#values");
  await page.waitForFunction(() => document.querySelectorAll("#board .value.shown").length === 4);
  assert.equal(await text(page, '#board [data-pit="d"] .value'), "−6");
  assert.match(await pit(page, "d").locator(".hidden").textContent(), /d: 3 stones, may be sown, −6, exact/);
  await shot(page, "values");
});

test("walking through the game and playing on from the middle", async (t) => {
  const page = await open(t, "#game=kpe&mode=two&moves=A,a,B,b,C,c");
  await page.click("#first");
  await says(page, "#live", /Start of the game/);
  await page.click("#forward");
  await says(page, "#live", /Move 1\./);
  await page.locator("#moves button").nth(3).click();
  await says(page, "#live", /Move 3\./);
  assert.match(await fragment(page), /moves=A,a,B,b,C,c&ply=3/);
  await pit(page, "c").click();
  await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 5);
  assert.match(await fragment(page), /moves=A,a,B,c&mode/);
  assert.ok((await position(page)).endsWith("-S:CDbd"));
});

test("stones fly along the path, but not for those who want calm", async (t) => {
  const lively = await open(t, "#game=kpe&mode=two", { reducedMotion: "no-preference" });
  await pit(lively, "A").click();
  await lively.waitForSelector(".flying", { state: "attached" });
  await shot(lively, "sowing");
  await lively.waitForFunction(() => document.querySelector('#board [data-pit="c"] .count').textContent === "7");
  await lively.waitForSelector("#board:not(.sowing)");
  const calm = await open(t, "#game=kpe&mode=two");
  await calm.evaluate(() => {
    window.flown = 0;
    new MutationObserver((changes) => { for (const change of changes) window.flown += [...change.addedNodes].filter((node) => node.className === "flying").length; })
      .observe(document.querySelector("#board"), { childList: true });
  });
  await pit(calm, "A").click();
  await says(calm, "#live", /South sows A/);
  assert.equal(await calm.evaluate(() => window.flown), 0);
});

test("locks are shown by shape and by word, and open", async (t) => {
  const page = await open(t, "#game=kpe&mode=two&start=6-1-2-3-5-3-1-9-0-18-S:A");
  assert.equal(await text(page, '#board [data-pit="A"] .lock'), "not yet sown");
  assert.equal(await page.locator('#board [data-pit="A"] .lock svg').count(), 1);
  assert.equal(await text(page, "#board .store.south .state"), "may not capture yet");
  assert.equal(await text(page, "#board .store.north .state"), "may capture");
  await pit(page, "A").click();
  await says(page, "#live", /Captured: 6 stones from [bc] and [bc]\. South has now sown from every pit/);
  assert.equal(await text(page, "#board .store.south .state"), "may capture");
});

test("the other game keeps its place while one looks away", async (t) => {
  const page = await open(t, "#game=kpe&mode=two&moves=A,a");
  await page.click('[data-game="gore"]');
  await page.waitForSelector("#board.owned");
  assert.equal(await page.locator("#board .owner:not(:empty)").count(), 8);
  await page.click('[data-game="kpe"]');
  await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 3);
  await go(page, "#game=kpe&mode=two");
});
