import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { FakePort, quiet } from "./fake_chrome.mjs";
import { Worker } from "./worker.mjs";

const never = () => new Promise(() => {});
const POPUP = { id: "own", url: "chrome-extension://own/popup/popup.html" };

function popup(worker, sender = POPUP) {
  const port = new FakePort(sender);
  worker.control.connect(port, Promise.resolve());
  return port;
}

test("the first request must be session.open", async () => {
  const worker = await Worker.start();
  worker.parts.agents.open(1);
  assert.equal((await worker.call(1, "tabs.list")).error.code, "session_not_open");
});

test("an unknown method is refused with the valid ones", async () => {
  const worker = await Worker.start();
  await worker.agent(1);
  for (const name of ["tabs.eat", "constructor", "__proto__"]) {
    const { error } = await worker.call(1, name);
    assert.equal(error.code, "unknown_method");
    assert.ok(error.data.allowed.includes("tabs.list"));
  }
});

test("parameters that are missing, unknown or of the wrong type are refused", async () => {
  const worker = await Worker.start();
  await worker.agent(1);
  const wrong = [{}, { tabId: "1" }, { tabId: 1, extra: 1 }, null, [], "x"];
  for (const params of wrong) assert.equal((await worker.call(1, "tabs.get", params)).error.code, "invalid_argument");
});

test("a session may touch the tabs of its own group only", async () => {
  const worker = await Worker.start();
  await worker.agent(1, "a");
  await worker.agent(2, "b");
  const mine = await worker.tab(1);
  const users = worker.chrome.addTab().id;
  assert.equal((await worker.call(1, "tabs.get", { tabId: mine })).result.tabId, mine);
  for (const [agent, tabId] of [[2, mine], [1, users], [2, users]]) {
    for (const [method, more] of [["tabs.get", {}], ["tabs.close", {}], ["page.read", {}], ["debugger.send", { method: "Page.reload", params: {} }]]) {
      assert.equal((await worker.call(agent, method, { tabId, ...more })).error.code, "outside_fence");
    }
  }
  assert.deepEqual((await worker.call(2, "tabs.list")).result.tabs, []);
});

test("a tab that the user takes out of the group ends the calls on it and is refused from then on", async () => {
  const worker = await Worker.start();
  await worker.agent(1);
  const tabId = await worker.tab(1);
  worker.chrome.answer = never;
  worker.parts.debugging.command = never;
  const id = worker.start(1, "debugger.send", { tabId, method: "Runtime.evaluate", params: { expression: "1" } });
  await quiet();
  worker.chrome.setGroup(tabId, -1);
  await quiet();
  assert.equal(worker.answers(1, id)[0].error.code, "outside_fence");
  assert.equal((await worker.call(1, "tabs.get", { tabId })).error.code, "outside_fence");
  assert.deepEqual(worker.told(1, "tab.removed"), [{ tabId }]);
});

test("a tab that the user drags into the group belongs to the session", async () => {
  const worker = await Worker.start();
  await worker.agent(1);
  const { groupId } = worker.chrome.tabsById.get(await worker.tab(1));
  const users = worker.chrome.addTab().id;
  worker.chrome.setGroup(users, groupId);
  assert.equal((await worker.call(1, "tabs.get", { tabId: users })).result.tabId, users);
});

test("the pause ends what runs, refuses what comes, and is lifted in the popup only", async () => {
  const worker = await Worker.start();
  await worker.agent(1);
  const tabId = await worker.tab(1);
  worker.chrome.answer = never;
  const id = worker.start(1, "debugger.send", { tabId, method: "Runtime.evaluate", params: { expression: "1" } });
  await quiet();
  const own = popup(worker);
  own.onMessage.emit({ type: "pause", paused: true });
  await quiet();
  assert.equal(worker.answers(1, id)[0].error.code, "paused");
  assert.equal((await worker.call(1, "tabs.list")).error.code, "paused");
  assert.equal((await worker.call(1, "session.open", { name: "s", exclusive: true, client: "" })).result.paused, true);
  assert.ok(!worker.chrome.attached.has(tabId));
  for (const sender of [{ id: "own", url: "http://evil.test/" }, { id: "other", url: POPUP.url }, {}]) {
    const foreign = popup(worker, sender);
    assert.equal(foreign.open, false);
    foreign.onMessage.emit({ type: "pause", paused: false });
  }
  await quiet();
  assert.equal((await worker.call(1, "tabs.list")).error.code, "paused");
  own.onMessage.emit({ type: "pause", paused: false });
  await quiet();
  assert.ok((await worker.call(1, "tabs.list")).result);
  assert.deepEqual(worker.told(1, "session.paused"), [{ paused: true }, { paused: false }]);
});

test("an open popup shows a session as soon as an agent has opened it", async () => {
  const worker = await Worker.start();
  const own = popup(worker);
  await quiet();
  assert.deepEqual(own.sent.at(-1).sessions, []);
  await worker.agent(1, "shop");
  assert.deepEqual(own.sent.at(-1).sessions, [{ name: "shop", agents: [{ client: "test" }] }]);
});

test("the pause outlives the worker", async () => {
  const worker = await Worker.start();
  const own = popup(worker);
  own.onMessage.emit({ type: "pause", paused: true });
  await quiet();
  const next = await Worker.start(worker.chrome);
  await next.agent(1);
  assert.equal((await next.call(1, "tabs.list")).error.code, "paused");
});

test("a call that was stopped before it reached the browser never reaches it", async () => {
  const worker = await Worker.start();
  await worker.agent(1);
  const tabId = await worker.tab(1);
  const id = worker.start(1, "debugger.send", { tabId, method: "Page.reload", params: {} });
  worker.dispatch.receive(1, { type: "cancel", id });
  await quiet();
  assert.deepEqual(worker.answers(1, id).map(({ error }) => error.code), ["cancelled"]);
  assert.deepEqual(worker.chrome.sentCommands(), []);
});

test("a passed deadline answers timeout, once, even when the browser answers later", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const worker = await Worker.start();
    await worker.agent(1);
    const tabId = await worker.tab(1);
    const late = Promise.withResolvers();
    worker.chrome.answer = () => late.promise;
    const id = worker.start(1, "debugger.send", { tabId, method: "Page.reload", params: {} }, { deadline_ms: 500 });
    await quiet();
    mock.timers.tick(500);
    await quiet();
    late.resolve({});
    await quiet();
    assert.deepEqual(worker.answers(1, id).map(({ error }) => error.code), ["timeout"]);
  } finally {
    mock.timers.reset();
  }
});

test("a page that is not of the web may be left but not touched", async () => {
  const worker = await Worker.start();
  await worker.agent(1);
  const tabId = await worker.tab(1);
  for (const url of ["chrome://settings/", "file:///etc/passwd", "chrome-extension://own/popup/popup.html", "devtools://x/"]) {
    worker.chrome.moveTo(tabId, url);
    assert.equal((await worker.call(1, "page.read", { tabId })).error.code, "address_not_allowed");
    assert.equal((await worker.send(1, tabId, "Runtime.evaluate", { expression: "1" })).error.code, "address_not_allowed");
    assert.ok((await worker.send(1, tabId, "Page.navigate", { url: "http://example.test/" })).result);
  }
});

test("a batch that carries one navigation does not open the other commands a page that is not of the web", async () => {
  const worker = await Worker.start();
  await worker.agent(1);
  const tabId = await worker.tab(1);
  worker.chrome.moveTo(tabId, "chrome://settings/");
  const commands = [{ method: "Page.stopLoading", params: {} }, { method: "Runtime.evaluate", params: { expression: "1" } }];
  assert.equal((await worker.call(1, "debugger.batch", { tabId, commands })).error.code, "address_not_allowed");
  assert.deepEqual(worker.chrome.sentCommands(), []);
});

test("a history entry is opened only when its address is", async () => {
  const worker = await Worker.start();
  await worker.agent(1);
  const tabId = await worker.tab(1);
  const entries = [{ id: 1, url: "chrome://newtab/" }, { id: 2, url: "http://example.test/" }];
  worker.chrome.answer = async (method) => (method === "Page.getNavigationHistory" ? { entries } : {});
  const go = (entryId) => worker.send(1, tabId, "Page.navigateToHistoryEntry", { entryId });
  assert.equal((await go(1)).error.code, "address_not_allowed");
  assert.equal((await go(3)).error.code, "invalid_argument");
  assert.ok((await go(2)).result);
});

test("a tab that is taken back from an agent is no longer debugged, one that is handed on still is", async () => {
  const worker = await Worker.start();
  await worker.agent(1, "a");
  await worker.agent(2, "b");
  const own = popup(worker);
  const [dragged, released, handed, adopted] = await Promise.all([1, 1, 1, 1].map((agent) => worker.tab(agent)));
  worker.chrome.tabsById.get(adopted).type = "popup";
  worker.chrome.setGroup(adopted, -1);
  await worker.parts.sessions.add("a", adopted);
  for (const tabId of [dragged, released, handed, adopted]) await worker.send(1, tabId, "Page.getLayoutMetrics");
  worker.chrome.answer = never;
  const waiting = worker.start(1, "debugger.send", { tabId: adopted, method: "Runtime.evaluate", params: { expression: "1" } });
  await quiet();
  worker.chrome.answer = async () => ({});
  worker.chrome.setGroup(dragged, -1);
  for (const tabId of [released, adopted]) own.onMessage.emit({ type: "release", tabId });
  own.onMessage.emit({ type: "hand", tabId: handed, session: "b" });
  await quiet();
  assert.deepEqual([...worker.chrome.attached], [handed]);
  assert.equal(worker.answers(1, waiting)[0].error.code, "outside_fence");
});

test("a tab that is taken back while it shows a dialog is let go of once that is answered", async () => {
  const worker = await Worker.start();
  await worker.agent(1);
  const tabId = await worker.tab(1);
  await worker.send(1, tabId, "Page.getLayoutMetrics");
  worker.chrome.debugger.onEvent.emit({ tabId }, "Page.javascriptDialogOpening", { type: "alert", message: "", url: "" });
  worker.chrome.setGroup(tabId, -1);
  await quiet();
  assert.ok(worker.chrome.attached.has(tabId));
  worker.chrome.debugger.onEvent.emit({ tabId }, "Page.javascriptDialogClosed", { result: true });
  await quiet();
  assert.ok(!worker.chrome.attached.has(tabId));
});

test("a session's name cannot break or turn round the line that shows it", async () => {
  const worker = await Worker.start();
  worker.parts.agents.open(1);
  for (const name of ["a\u202eb", "a\u2066b", "a\u2028b", "a\nb", "\ud800", "__proto__", " "]) {
    assert.equal((await worker.call(1, "session.open", { name, exclusive: true, client: "" })).error.code, "invalid_argument");
  }
  for (const name of ["constructor", "\u067e\u0631\u0648\u0698\u0647", "\u{1f600}"]) {
    assert.equal((await worker.call(1, "session.open", { name, exclusive: true, client: "" })).result.name, name);
  }
});

test("numbers that no tab and no frame can have are answered as such", async () => {
  const worker = await Worker.start();
  await worker.agent(1);
  worker.chrome.tabs.get = async () => {
    throw new TypeError("Error in invocation of tabs.get(integer tabId, optional function callback): No matching signature.");
  };
  for (const tabId of [-1, 2 ** 31, 2 ** 53]) assert.equal((await worker.call(1, "tabs.get", { tabId })).error.code, "unknown_tab");
});
