/** main.js itself: what stands before anything is awaited, and that its parts find each other. */

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { FakeChrome, quiet } from "./fake_chrome.mjs";

// The heartbeat of the open port would keep Node alive.
mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
const chrome = (globalThis.chrome = new FakeChrome());
await import("../../extension/background/main.js");
const heardAtOnce = [chrome.tabs.onRemoved, chrome.debugger.onEvent, chrome.debugger.onDetach, chrome.alarms.onAlarm, chrome.runtime.onConnect].map(
  (event) => event.listeners.size,
);

test("every listener stands when the worker's script has run", () => {
  assert.deepEqual(heardAtOnce, [1, 1, 1, 1, 1]);
});

test("the worker says hello, and answers an agent of the host", async () => {
  await quiet();
  const [wire] = chrome.ports;
  // As it travels: JSON leaves out what is undefined.
  const hello = JSON.parse(JSON.stringify(wire.sent[0]));
  assert.deepEqual({ ...hello, browser: "", instance: "" }, {
    ...{ type: "hello", product: "freehold", role: "extension", protocol: 1, version: "0.1.0", browser: "", instance: "" },
  });
  assert.equal(chrome.storage.local.content.instance, hello.instance);
  wire.onMessage.emit({ type: "hello", product: "freehold", protocol: 1, version: "0.1.0", pid: 1 });
  wire.onMessage.emit({ type: "agent_opened", agent: 1 });
  const message = { type: "request", id: 1, method: "session.open", params: { name: "s", exclusive: true, client: "t" }, deadline_ms: 1000 };
  wire.onMessage.emit({ type: "message", agent: 1, message });
  await quiet();
  assert.deepEqual(wire.sent.at(-1), {
    ...{ type: "message", agent: 1 },
    message: { type: "response", id: 1, result: { name: "s", browser: "Chromium", version: "0.1.0", paused: false } },
  });
});
