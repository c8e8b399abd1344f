import assert from "node:assert/strict";
import { test } from "node:test";

import { quiet } from "./fake_chrome.mjs";
import { Worker } from "./worker.mjs";

test("a second live agent of an exclusive name gets a name of its own, until the first has gone", async () => {
  const worker = await Worker.start();
  assert.equal(await worker.agent(1, "work"), "work");
  assert.equal(await worker.agent(2, "work"), "work-2");
  assert.equal(await worker.agent(3, "work"), "work-3");
  worker.parts.agents.close(1);
  assert.equal(await worker.agent(4, "work"), "work");
});

test("one-shot agents share a name", async () => {
  const worker = await Worker.start();
  assert.equal(await worker.agent(1, "cli", false), "cli");
  assert.equal(await worker.agent(2, "cli", false), "cli");
  const tabId = await worker.tab(1);
  assert.equal((await worker.call(2, "tabs.get", { tabId })).result.tabId, tabId);
});

test("a name must be one that a tab group can show", async () => {
  const worker = await Worker.start();
  worker.parts.agents.open(1);
  for (const name of ["", "  ", "a\nb", "x".repeat(81), "__proto__"]) {
    assert.equal((await worker.call(1, "session.open", { name, exclusive: true, client: "" })).error.code, "invalid_argument");
  }
});

test("two tabs that are created at once come into one group that bears the session's name", async () => {
  const worker = await Worker.start();
  await worker.agent(1, "shop");
  const ids = ["http://a.test/", "http://b.test/"].map((url) => worker.start(1, "tabs.create", { url }));
  await quiet();
  const tabs = ids.map((id) => worker.chrome.tabsById.get(worker.answers(1, id)[0].result.tabId));
  assert.equal(tabs[0].groupId, tabs[1].groupId);
  assert.equal(worker.chrome.groups.size, 1);
  assert.equal([...worker.chrome.groups.values()][0].title, "shop");
});

test("a tab is created without coming to the front and only at an address that may be opened", async () => {
  const worker = await Worker.start();
  await worker.agent(1);
  const tabId = await worker.tab(1);
  assert.equal(worker.chrome.tabsById.get(tabId).active, false);
  assert.equal((await worker.call(1, "tabs.create", { url: "file:///etc/passwd" })).error.code, "address_not_allowed");
  assert.equal(worker.chrome.tabsById.size, 1);
});

test("a session comes back to its tabs after its agent, its host or the worker has gone", async () => {
  const worker = await Worker.start();
  await worker.agent(1, "work");
  const tabId = await worker.tab(1);
  const next = await Worker.start(worker.chrome);
  assert.equal(await next.agent(1, "work"), "work");
  assert.deepEqual((await next.call(1, "tabs.list")).result.tabs.map((tab) => tab.tabId), [tabId]);
});

test("a tab that a page of the session opens is adopted, also where Chrome cannot group it", async () => {
  const worker = await Worker.start();
  await worker.agent(1);
  const opener = await worker.tab(1);
  for (const type of ["normal", "popup"]) {
    const opened = worker.chrome.addTab({ type });
    await worker.events.opened({ sourceTabId: opener, tabId: opened.id });
    assert.equal((await worker.call(1, "tabs.get", { tabId: opened.id })).result.opener, opener);
    assert.equal(worker.told(1, "tab.created").at(-1).tabId, opened.id);
  }
});

test("a tab that a page of the user opens is not", async () => {
  const worker = await Worker.start();
  await worker.agent(1);
  await worker.tab(1);
  const users = worker.chrome.addTab();
  const opened = worker.chrome.addTab();
  await worker.events.opened({ sourceTabId: users.id, tabId: opened.id });
  assert.equal((await worker.call(1, "tabs.get", { tabId: opened.id })).error.code, "outside_fence");
});

test("an adopted popup that the user moves into a group and out again is out", async () => {
  const worker = await Worker.start();
  await worker.agent(1);
  const opener = await worker.tab(1);
  const popup = worker.chrome.addTab({ type: "popup" });
  await worker.events.opened({ sourceTabId: opener, tabId: popup.id });
  worker.chrome.setGroup(popup.id, 4242);
  worker.chrome.setGroup(popup.id, -1);
  assert.equal((await worker.call(1, "tabs.get", { tabId: popup.id })).error.code, "outside_fence");
});

test("after its group was closed a session makes a new one", async () => {
  const worker = await Worker.start();
  await worker.agent(1);
  const first = await worker.tab(1);
  const { groupId } = worker.chrome.tabsById.get(first);
  worker.chrome.removeTab(first);
  worker.chrome.groups.delete(groupId);
  const second = await worker.tab(1);
  assert.ok((await worker.call(1, "tabs.get", { tabId: second })).result);
});

test("a closed tab ends what waits on it", async () => {
  const worker = await Worker.start();
  await worker.agent(1);
  const tabId = await worker.tab(1);
  worker.chrome.answer = () => new Promise(() => {});
  const id = worker.start(1, "debugger.send", { tabId, method: "Page.reload", params: {} });
  await quiet();
  worker.chrome.removeTab(tabId);
  await quiet();
  assert.equal(worker.answers(1, id)[0].error.code, "tab_closed");
  assert.deepEqual(worker.told(1, "tab.removed"), [{ tabId }]);
  assert.equal((await worker.call(1, "tabs.get", { tabId })).error.code, "unknown_tab");
});

test("agents hear of their own session's tabs only", async () => {
  const worker = await Worker.start();
  await worker.agent(1, "a");
  await worker.agent(2, "b");
  const tabId = await worker.tab(1);
  worker.chrome.debugger.onEvent.emit({ tabId }, "Page.loadEventFired", { timestamp: 1 });
  worker.chrome.debugger.onEvent.emit({ tabId }, "Page.somethingElse", {});
  assert.deepEqual(worker.told(1, "debugger.event").map(({ method }) => method), ["Page.loadEventFired"]);
  assert.deepEqual(worker.told(2, "debugger.event"), []);
  assert.deepEqual(worker.told(2, "tab.updated"), []);
});
