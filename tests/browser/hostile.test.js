// What goes wrong and what is meant badly: errors of the server are shown kindly, nothing foreign becomes markup.

import assert from "node:assert/strict";
import { test } from "node:test";
import { context, go, open, pit, says, shot, text, useBrowser } from "./harness.js";

useBrowser();

const ATTACKS = ["<img src=x onerror=window.hit=1>", "<script>window.hit=1</script>", "javascript:window.hit=1", '"><svg onload=window.hit=1>', "'-window.hit=1-'"];

const unharmed = async (page) => {
  assert.equal(await page.evaluate(() => window.hit), undefined);
  assert.equal(await page.locator("img, iframe, main script, [onerror], [onload]").count(), 0);
};

test("the policy forbids inline script", async (t) => {
  const page = await open(t);
  const response = await page.request.get("/");
  assert.match(response.headers()["content-security-policy"], /default-src 'none'.*script-src 'self'/);
  assert.doesNotMatch(response.headers()["content-security-policy"], /unsafe/);
});

test("a fragment cannot bring in markup", async (t) => {
  const page = await (await context(t)).newPage();
  page.on("dialog", () => assert.fail("a dialog"));
  for (const attack of ATTACKS) {
    const each = (names) => names.map((name) => `${name}=${encodeURIComponent(attack)}`).join("&");
    for (const fragment of [each(["game"]), each(["options"]), each(["loops", "start"]), each(["moves"]), `moves=A&${each(["ply", "mode", "level", "side", "lang"])}`]) {
      await page.goto("about:blank");
      await page.goto(`/#${fragment}`);
      await page.waitForSelector("html[data-ready]");
      await unharmed(page);
    }
  }
});

test("a wrong link is explained and leads to a new game", async (t) => {
  const page = await open(t, `#game=kpe&moves=A,${encodeURIComponent(ATTACKS[0])}`);
  await says(page, "#problem", /That did not work\./);
  assert.ok((await text(page, "#problem .detail")).length > 10);
  await shot(page, "problem-link");
  for (const key of ["Escape", "a", "ArrowLeft", "u", "h"]) await page.keyboard.press(key);
  await page.click("#problem button.main");
  await says(page, "#status", /South to move/);
  assert.equal(await page.isHidden("#problem"), true);
});

test("what comes before a wrong move can be opened", async (t) => {
  const page = await open(t, "#game=kpe&mode=two&moves=A,a,zz,B");
  await says(page, "#problem .detail", /zz/);
  await page.locator("#problem button", { hasText: "before" }).click();
  await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 3);
  assert.equal(await page.isHidden("#problem"), true);
});

test("a record cannot bring in markup, and its fault has a place", async (t) => {
  const page = await open(t, "#game=kpe&mode=two");
  for (const attack of ATTACKS) {
    await page.setInputFiles("#file", { name: `${attack.replaceAll("/", "")}.txt`, mimeType: "text/plain", buffer: Buffer.from(`[Game "Kpé"]\n[South "${attack}"]\n\n1. A ${attack} 2. B\n`) });
    await page.waitForSelector("#problem:not([hidden])");
    await says(page, "#problem .detail", /Line \d+, column \d+:/);
    await unharmed(page);
    await page.locator("#problem button").last().click();
  }
});

test("too long a file is refused before it is sent", async (t) => {
  const page = await open(t, "#game=kpe&mode=two");
  await page.setInputFiles("#file", { name: "book.txt", mimeType: "text/plain", buffer: Buffer.alloc(100_000, "A ") });
  await says(page, "#problem", /too long/);
});

const answers = {
  "an error of the server": [{ status: 500, contentType: "application/problem+json", body: '{"title":"Internal error","status":500,"detail":"<b>broken</b>"}' }, /Something went wrong in the server/],
  "a busy server": [{ status: 503, contentType: "application/problem+json", body: '{"title":"Busy","status":503,"detail":"too many searches"}' }, /The server is busy/],
  "an answer that is no JSON": [{ status: 200, contentType: "text/html", body: "<p>proxy</p>" }, /That did not work/],
  "a server that is gone": [null, /cannot be reached/],
};
for (const [what, [answer, pattern]] of Object.entries(answers)) {
  test(`${what} is shown kindly, and trying again works`, async (t) => {
    const page = await open(t, "#game=kpe&mode=two");
    await page.route("**/api/v1/play?**", (route) => (answer === null ? route.abort() : route.fulfill(answer)));
    await pit(page, "A").click();
    await says(page, "#problem", pattern);
    assert.equal(await page.locator("#problem b").count(), 0);
    assert.equal(await page.locator("#moves li").count(), 1, "the game is as it was");
    await page.unroute("**/api/v1/play?**");
    await page.locator("#problem button").first().click();
    await page.waitForSelector("#problem", { state: "hidden" });
    await pit(page, "A").click();
    await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 2);
  });
}

test("a page without its texts says so", async (t) => {
  const made = await context(t);
  const page = await made.newPage();
  await page.route("**/messages/*", (route) => route.fulfill({ status: 500, body: "" }));
  await page.goto("/");
  await says(page, "#problem", /could not be started.*500/);
});

test("an engine that fails can be asked again", async (t) => {
  const page = await open(t, "#game=kpe&mode=two");
  await page.route("**/api/v1/choose?**", (route) => route.abort());
  await page.click('[data-mode="play"]');
  await pit(page, "A").click();
  await says(page, "#problem", /cannot be reached/);
  await page.unroute("**/api/v1/choose?**");
  await page.locator("#problem button").first().click();
  await page.waitForFunction(() => document.querySelectorAll("#moves li").length === 3);
});

test("late answers of a game that was left change nothing", async (t) => {
  const page = await open(t, "#game=kpe&mode=two");
  let hold = true;
  await page.route("**/api/v1/choose?**", async (route) => {
    while (hold) await new Promise((resolve) => { setTimeout(resolve, 20); });
    await route.continue().catch(() => {});
  });
  await page.click('[data-mode="play"]');
  await pit(page, "A").click();
  await says(page, "#status", /thinking/);
  await page.click('[data-game="gore"]');
  await page.waitForSelector("#board.owned");
  hold = false;
  await page.waitForTimeout(300);
  assert.equal(await page.locator("#moves li").count(), 1);
  await go(page, "#game=kpe&mode=two");
});
