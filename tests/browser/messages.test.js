// The texts: every language has the same messages with the same places for values and the plural forms it needs; and
// every message that the page asks for is there.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { places } from "../../src/web/page/js/stones.js";

const PAGE = new URL("../../src/web/page/", import.meta.url);
const read = (file) => readFileSync(new URL(file, PAGE), "utf8");
const load = (file) => JSON.parse(read(`messages/${file}`));
const files = readdirSync(new URL("messages/", PAGE));
const english = load("en.json");
const texts = (message) => (typeof message === "object" ? Object.values(message) : [message]);
const holes = (message) => [...new Set(texts(message).flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1])))].sort();

test("there are seven languages", () => {
  assert.deepEqual(files.sort(), ["bg.json", "bn.json", "de.json", "en.json", "fr.json", "pa.json", "pl.json"]);
});

for (const file of files) {
  const language = file.slice(0, 2);
  const messages = load(file);

  test(`${language}: same keys, same values put in`, () => {
    assert.deepEqual(Object.keys(messages), Object.keys(english));
    for (const key of Object.keys(english)) {
      assert.deepEqual(holes(messages[key]), holes(english[key]), key);
      assert.equal(typeof messages[key], typeof english[key], key);
      for (const text of texts(messages[key])) assert.ok(text.trim() === text && text !== "", key);
    }
  });

  test(`${language}: every plural form of whole numbers, and no other`, () => {
    const rules = new Intl.PluralRules(language);
    const needed = [...new Set(Array.from({ length: 200 }, (_, n) => rules.select(n)))].sort();
    for (const [key, message] of Object.entries(messages)) {
      if (typeof message === "object") assert.deepEqual(Object.keys(message).sort(), needed, key);
    }
  });

  test(`${language}: keys are given once`, () => {
    const keys = [...read(`messages/${file}`).matchAll(/^ {2}"([^"]+)":/gm)].map((found) => found[1]);
    assert.equal(keys.length, Object.keys(messages).length);
    assert.equal(new Set(keys).size, keys.length);
  });
}

test("every message asked for by name is there, and none is idle", () => {
  const sources = readdirSync(new URL("js/", PAGE)).map((file) => read(`js/${file}`)).join("\n") + read("index.html");
  const asked = [...sources.matchAll(/\bt\("([^"]+)"/g), ...sources.matchAll(/data-(?:t|label)="([^"]+)"/g), ...sources.matchAll(/"data-t(?:": |=)"([\w.-]+)"/g)].map((found) => found[1]);
  for (const key of asked) assert.ok(key.includes("$") || Object.hasOwn(english, key), key);
  const stems = [...sources.matchAll(/[`"]([a-z]+(?:\.[a-z]+)*)\.?\$\{/g)].map((found) => found[1]);
  const computed = [...stems, "store", "hint", "refuse", "over", "status", "analysis", "level"];
  const idle = Object.keys(english).filter((key) => !asked.includes(key) && !sources.includes(`"${key}"`) && !computed.some((stem) => key.startsWith(`${stem}.`)) && !isReading(key));
  assert.deepEqual(idle, []);
});

/** Readings of the rules are named after their options. */
function isReading(key) {
  return /^(origin|unlock|feed|trade|loops)\./.test(key);
}

test("stones can be counted: as many as there are, apart from each other, inside the pit", () => {
  for (let count = 0; count <= 48; count += 1) {
    const found = places(count);
    assert.equal(found.length, count);
    for (const [i, one] of found.entries()) {
      assert.ok(Math.hypot(one.x, one.y) + one.radius <= 48, `${count}: stone ${i} leaves the pit`);
      for (const other of found.slice(0, i)) {
        assert.ok(Math.hypot(one.x - other.x, one.y - other.y) >= one.radius + other.radius, `${count}: stones touch`);
      }
    }
  }
});
