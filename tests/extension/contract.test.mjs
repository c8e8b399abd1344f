/** The worker and the files of protocol/ say the same. */

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { Chunks } from "../../extension/background/chunks.js";
import { FORWARDED } from "../../extension/background/events.js";
import { methods } from "../../extension/background/methods.js";
import { PAGE_FILES, PAGE_FUNCTIONS } from "../../extension/background/page_files.js";

const root = new URL("../../", import.meta.url);
const read = (path) => readFileSync(new URL(path, root), "utf8");
const json = (path) => JSON.parse(read(path));
const sources = readdirSync(new URL("extension/background/", root)).map((name) => read(`extension/background/${name}`));
const protocol = json("protocol/methods.json");

test("every method of the protocol is there, with its parameters and its fence, and no other", () => {
  const table = Object.entries(methods({})).map(([name, { fence, params }]) => ({ name, fence, params }));
  const expected = protocol.methods.map(({ name, fence, params }) => ({ name, fence, params }));
  const sorted = (list) => list.toSorted((one, other) => one.name.localeCompare(other.name));
  assert.deepEqual(sorted(table), sorted(expected));
});

test("every event of the protocol is told, and no other", () => {
  const told = sources.flatMap((source) => [...source.matchAll(/(?:emit|#emitOf)\([^"]*"([a-z]+\.[a-z]+)"/g)].map(([, name]) => name));
  assert.deepEqual(new Set(told), new Set(protocol.events.map(({ name }) => name)));
});

test("the browser's events that agents are told are those of the protocol", () => {
  const [, list] = protocol.events.find(({ name }) => name === "debugger.event").params.split("; ");
  const names = list.split(", ").map((name) => (name.includes(".") ? name : `Page.${name}`));
  assert.deepEqual(FORWARDED, new Set(names));
});

test("every error code that the worker uses is one of the protocol's", () => {
  const known = new Set(json("protocol/errors.json").map(({ code }) => code));
  const used = sources.flatMap((source) => [...source.matchAll(/BridgeError\(\s*"([a-z_]+)"/g)].map(([, code]) => code));
  assert.ok(used.length > 10);
  for (const code of used) assert.ok(known.has(code), code);
});

test("the page's files and functions are those that the page has", () => {
  assert.deepEqual(PAGE_FILES, json("extension/page/files.json"));
  const documented = [...read("protocol/PROTOCOL.md").split("### 3.2")[1].split("\n## ")[0].matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  assert.deepEqual([...PAGE_FUNCTIONS].sort(), documented.sort());
});

test("nothing of the extension can be reached by pages or other extensions", () => {
  const manifest = json("extension/manifest.json");
  for (const key of ["web_accessible_resources", "externally_connectable", "content_scripts", "sandbox"]) assert.ok(!(key in manifest), key);
  assert.match(manifest.content_security_policy.extension_pages, /^default-src 'none'; script-src 'self';/);
});

for (const { name, chunks, messages } of json("protocol/vectors/chunks.json").reassembly) {
  test(`chunks of the golden vectors: ${name}`, () => {
    const reader = new Chunks();
    assert.deepEqual(chunks.map((chunk) => reader.take(chunk)).filter(Boolean), messages);
  });
}

test("chunks that do not follow each other are refused", () => {
  const chunk = (index, count) => ({ type: "chunk", chunk: 1, index, count, data: "" });
  for (const row of [[chunk(1, 2)], [chunk(0, 2), chunk(0, 2)], [chunk(0, 3), chunk(1, 2)], [chunk(0, 0)], [chunk(0, 100_000)]]) {
    const reader = new Chunks();
    assert.throws(() => row.forEach((one) => reader.take(one)));
  }
});
