import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import { HostPort } from "../../extension/background/port.js";
import { FakeChrome } from "./fake_chrome.mjs";

const HELLO = { type: "hello", product: "freehold", protocol: 1, version: "0.1.0", role: "host", pid: 7 };

beforeEach(() => mock.timers.enable({ apis: ["setTimeout", "setInterval"] }));
afterEach(() => mock.timers.reset());

function connected(hello = HELLO) {
  const chrome = (globalThis.chrome = new FakeChrome());
  const heard = [];
  const port = new HostPort({
    hello: () => ({ type: "hello", product: "freehold" }),
    opened: (agent) => heard.push(["opened", agent]),
    closed: (agent) => heard.push(["closed", agent]),
    message: (agent, message) => heard.push(["message", agent, message]),
    changed: () => {},
  });
  port.connect();
  if (hello) chrome.ports[0].onMessage.emit(hello);
  return { chrome, port, heard, wire: chrome.ports[0] };
}

function die(chrome, wire, why = "Native host has exited.") {
  wire.open = false;
  chrome.runtime.lastError = { message: why };
  wire.onDisconnect.emit(wire);
  chrome.runtime.lastError = undefined;
}

test("hello is the first message on a port", () => {
  const { wire, port } = connected();
  assert.equal(wire.sent[0].type, "hello");
  assert.equal(port.connection.status, "connected");
  assert.deepEqual(port.connection.host, { version: "0.1.0", pid: 7 });
});

test("agents and their messages are passed on, and only after the host's hello", () => {
  const { wire, heard } = connected(null);
  wire.onMessage.emit({ type: "agent_opened", agent: 1 });
  wire.onMessage.emit(HELLO);
  wire.onMessage.emit({ type: "agent_opened", agent: 2 });
  wire.onMessage.emit({ type: "message", agent: 2, message: { type: "cancel", id: 1 } });
  wire.onMessage.emit({ type: "agent_closed", agent: 2 });
  assert.deepEqual(heard, [["opened", 2], ["message", 2, { type: "cancel", id: 1 }], ["closed", 2]]);
});

test("a host that died is started again within a second, and later less and less often", () => {
  const { chrome, wire, port } = connected();
  die(chrome, wire);
  assert.equal(port.connection.status, "disconnected");
  mock.timers.tick(250);
  assert.equal(chrome.ports.length, 2);
  die(chrome, chrome.ports[1]);
  mock.timers.tick(499);
  assert.equal(chrome.ports.length, 2);
  mock.timers.tick(1);
  assert.equal(chrome.ports.length, 3);
  chrome.ports[2].onMessage.emit(HELLO);
  die(chrome, chrome.ports[2]);
  mock.timers.tick(250);
  assert.equal(chrome.ports.length, 4);
});

test("connecting while there is a port makes no second one", () => {
  const { chrome, port } = connected();
  port.connect();
  assert.equal(chrome.ports.length, 1);
});

test("a host that answers its pings is kept", () => {
  const { chrome, wire } = connected();
  for (let ping = 1; ping <= 20; ping += 1) {
    mock.timers.tick(3000);
    assert.equal(wire.sent.filter(({ type }) => type === "ping").length, ping);
    wire.onMessage.emit({ type: "pong" });
  }
  assert.equal(chrome.ports.length, 1);
});

test("a host whose pong waits behind a large message is kept", () => {
  const { chrome, wire } = connected();
  for (let index = 0; index < 10; index += 1) {
    mock.timers.tick(6000);
    wire.onMessage.emit({ type: "chunk", chunk: 1, index, count: 20, data: "" });
  }
  assert.equal(chrome.ports.length, 1);
});

test("a host that stays silent for three pings is dropped and made anew", () => {
  const { chrome, wire, port } = connected();
  mock.timers.tick(12_000);
  assert.equal(wire.open, false);
  assert.equal(port.connection.status, "disconnected");
  mock.timers.tick(250);
  assert.equal(chrome.ports.length, 2);
});

test("a port that was given up is not listened to any more", () => {
  const { wire, heard } = connected();
  mock.timers.tick(12_250);
  wire.onMessage.emit(HELLO);
  wire.onMessage.emit({ type: "agent_opened", agent: 9 });
  assert.deepEqual(heard, []);
});

for (const [code, other] of [["product_mismatch", { product: "elsewhere" }], ["protocol_mismatch", { protocol: 2 }]]) {
  test(`a host with another ${code.split("_")[0]} is refused by name, and nothing of it is passed on`, () => {
    const { wire, port, heard } = connected({ ...HELLO, ...other });
    assert.equal(port.connection.status, "refused");
    assert.equal(port.connection.error.code, code);
    assert.equal(wire.open, false);
    wire.onMessage.emit({ type: "agent_opened", agent: 1 });
    assert.deepEqual(heard, []);
  });
}

test("an extension that is refused keeps its port open and says nothing more", () => {
  const { wire, port } = connected(null);
  wire.onMessage.emit({ type: "refused", error: { code: "protocol_mismatch", message: "Update." } });
  mock.timers.tick(60_000);
  port.send(1, {});
  assert.equal(wire.open, true);
  assert.deepEqual(wire.sent.map(({ type }) => type), ["hello"]);
  assert.deepEqual(port.connection.error, { code: "protocol_mismatch", message: "Update." });
});

test("chunks are put together before they are passed on; a broken row of them ends the port", () => {
  const { wire, heard } = connected();
  const text = btoa(JSON.stringify({ type: "agent_opened", agent: 5 }));
  wire.onMessage.emit({ type: "chunk", chunk: 1, index: 0, count: 2, data: text.slice(0, 8) });
  wire.onMessage.emit({ type: "chunk", chunk: 1, index: 1, count: 2, data: text.slice(8) });
  assert.deepEqual(heard, [["opened", 5]]);
  wire.onMessage.emit({ type: "chunk", chunk: 2, index: 1, count: 2, data: "" });
  assert.equal(wire.open, false);
});
