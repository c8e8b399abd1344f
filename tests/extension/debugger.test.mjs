import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { Idle } from "../../extension/background/idle.js";
import { quiet } from "./fake_chrome.mjs";
import { Worker } from "./worker.mjs";

const never = () => new Promise(() => {});

async function withTab() {
  const worker = await Worker.start();
  await worker.agent(1);
  return { worker, tabId: await worker.tab(1) };
}

test("a tab is attached once, and made ready for being hidden", async () => {
  const { worker, tabId } = await withTab();
  await worker.send(1, tabId, "Page.getLayoutMetrics");
  await worker.send(1, tabId, "Page.getLayoutMetrics");
  const names = worker.chrome.commands.map(({ method }) => method);
  assert.equal(names.filter((name) => name === "Emulation.setFocusEmulationEnabled").length, 1);
  assert.equal(names.filter((name) => name === "Page.enable").length, 1);
});

test("after the user has cancelled the debugger the next call attaches again", async () => {
  const { worker, tabId } = await withTab();
  worker.chrome.attached.delete(tabId);
  worker.chrome.debugger.onDetach.emit({ tabId }, "canceled_by_user");
  assert.deepEqual(worker.told(1, "debugger.detached"), [{ tabId, reason: "canceled_by_user" }]);
  assert.ok((await worker.send(1, tabId, "Page.getLayoutMetrics")).result);
});

test("an attachment that was lost unnoticed costs one call", async () => {
  const { worker, tabId } = await withTab();
  worker.chrome.attached.delete(tabId);
  assert.equal((await worker.send(1, tabId, "Page.getLayoutMetrics")).error.code, "debugger_detached");
  assert.ok((await worker.send(1, tabId, "Page.getLayoutMetrics")).result);
});

test("a call that is cancelled while its tab is being attached sends nothing", async () => {
  const worker = await Worker.start();
  await worker.agent(1);
  const tab = worker.chrome.addTab();
  await worker.parts.sessions.add("s", tab.id);
  const attaching = Promise.withResolvers();
  worker.chrome.answer = () => attaching.promise;
  const id = worker.start(1, "debugger.send", { tabId: tab.id, method: "Page.reload", params: {} });
  await quiet();
  worker.dispatch.receive(1, { type: "cancel", id });
  attaching.resolve({});
  await quiet();
  assert.equal(worker.answers(1, id)[0].error.code, "cancelled");
  assert.deepEqual(worker.chrome.sentCommands(), []);
});

test("a worker that starts anew takes over the attachment of the one before", async () => {
  const { worker, tabId } = await withTab();
  const next = await Worker.start(worker.chrome);
  await next.agent(1);
  assert.ok((await next.send(1, tabId, "Page.getLayoutMetrics")).result);
});

test("a batch is sent in order without waiting, and one command that is not allowed stops all of it", async () => {
  const { worker, tabId } = await withTab();
  const press = { method: "Input.dispatchMouseEvent", params: { type: "mousePressed", x: 1, y: 1 } };
  const release = { method: "Input.dispatchMouseEvent", params: { type: "mouseReleased", x: 1, y: 1 } };
  const bad = { method: "Target.createTarget", params: {} };
  assert.equal((await worker.call(1, "debugger.batch", { tabId, commands: [press, bad] })).error.code, "command_not_allowed");
  assert.deepEqual(worker.chrome.sentCommands(), []);
  worker.chrome.answer = never;
  worker.start(1, "debugger.batch", { tabId, commands: [press, release] });
  await quiet();
  assert.deepEqual(worker.chrome.commands.slice(-2).map(({ params }) => params.type), ["mousePressed", "mouseReleased"]);
});

test("a picture is taken while a screencast makes the browser draw, and each frame is acknowledged", async () => {
  const { worker, tabId } = await withTab();
  worker.chrome.answer = async (method) => {
    if (method === "Page.captureScreenshot") worker.chrome.debugger.onEvent.emit({ tabId }, "Page.screencastFrame", { sessionId: 3, data: "" });
    return method === "Page.captureScreenshot" ? { data: "picture" } : {};
  };
  assert.deepEqual((await worker.send(1, tabId, "Page.captureScreenshot", { format: "png" })).result, { data: "picture" });
  assert.deepEqual(worker.chrome.sentCommands(), [
    ...["Page.startScreencast", "Page.captureScreenshot", "Page.screencastFrameAck", "Page.stopScreencast"],
  ]);
  assert.deepEqual(worker.told(1, "debugger.event"), []);
});

test("a minimized window is brought back for the picture only", async () => {
  const { worker, tabId } = await withTab();
  worker.chrome.window.state = "minimized";
  let during;
  worker.chrome.answer = async (method) => (method === "Page.captureScreenshot" ? void (during = worker.chrome.window.state) : {});
  await worker.send(1, tabId, "Page.captureScreenshot");
  assert.deepEqual([during, worker.chrome.window.state], ["normal", "minimized"]);
});

test("a picture that nobody waits for any more leaves no screencast behind, and the next one is taken", async () => {
  const { worker, tabId } = await withTab();
  worker.chrome.answer = (method) => (method === "Page.captureScreenshot" ? never() : {});
  const id = worker.start(1, "debugger.send", { tabId, method: "Page.captureScreenshot", params: {} });
  await quiet();
  worker.dispatch.receive(1, { type: "cancel", id });
  await quiet();
  assert.equal(worker.chrome.sentCommands().at(-1), "Page.stopScreencast");
  worker.chrome.answer = async () => ({ data: "picture" });
  assert.deepEqual((await worker.send(1, tabId, "Page.captureScreenshot")).result, { data: "picture" });
});

test("a tab that draws nothing while hidden is shown for the picture, and then the tab before it again", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const { worker, tabId } = await withTab();
    const front = worker.chrome.addTab({ active: true }).id;
    const drawn = Promise.withResolvers();
    worker.chrome.answer = (method) => (method === "Page.captureScreenshot" ? drawn.promise : {});
    worker.start(1, "debugger.send", { tabId, method: "Page.captureScreenshot", params: {} }, { deadline_ms: 10_000 });
    await quiet();
    mock.timers.tick(4_000);
    await quiet();
    assert.equal(worker.chrome.tabsById.get(tabId).active, true);
    drawn.resolve({ data: "picture" });
    await quiet();
    assert.equal(worker.chrome.tabsById.get(front).active, true);
  } finally {
    mock.timers.reset();
  }
});

test("an agent's own screencast goes on after a picture", async () => {
  const { worker, tabId } = await withTab();
  await worker.send(1, tabId, "Page.startScreencast", { format: "jpeg" });
  await worker.send(1, tabId, "Page.captureScreenshot");
  worker.chrome.debugger.onEvent.emit({ tabId }, "Page.screencastFrame", { sessionId: 1, data: "x" });
  assert.deepEqual(worker.chrome.sentCommands(), ["Page.startScreencast", "Page.captureScreenshot"]);
  assert.equal(worker.told(1, "debugger.event").length, 1);
});

test("a crashed tab is named as such until it is loaded anew", async () => {
  const { worker, tabId } = await withTab();
  worker.chrome.answer = never;
  const id = worker.start(1, "debugger.send", { tabId, method: "Runtime.evaluate", params: { expression: "1" } });
  await quiet();
  worker.chrome.debugger.onEvent.emit({ tabId }, "Inspector.targetCrashed", {});
  await quiet();
  worker.chrome.answer = async () => ({});
  assert.equal(worker.answers(1, id)[0].error.code, "tab_crashed");
  assert.equal((await worker.call(1, "page.read", { tabId })).error.code, "tab_crashed");
  assert.ok((await worker.send(1, tabId, "Page.reload")).result);
  worker.chrome.debugger.onEvent.emit({ tabId }, "Inspector.targetReloadedAfterCrash", {});
  assert.ok((await worker.send(1, tabId, "Runtime.evaluate", { expression: "1" })).result);
});

test("a session without agents for a minute lets go of its tabs, but not of one with a dialog", async () => {
  const { worker, tabId } = await withTab();
  const blocked = await worker.tab(1);
  const { agents, sessions, dialogs, debugging } = worker.parts;
  const idle = new Idle(agents, sessions, dialogs, debugging);
  await idle.tick(0);
  await idle.tick(600_000);
  assert.ok(worker.chrome.attached.has(tabId));
  agents.close(1);
  worker.chrome.debugger.onEvent.emit({ tabId: blocked }, "Page.javascriptDialogOpening", { type: "alert", message: "", url: "" });
  await idle.tick(600_000);
  await idle.tick(659_999);
  assert.ok(worker.chrome.attached.has(tabId));
  await idle.tick(660_000);
  assert.deepEqual([...worker.chrome.attached], [blocked]);
  worker.chrome.debugger.onEvent.emit({ tabId: blocked }, "Page.javascriptDialogClosed", { result: true });
  await idle.tick(690_000);
  assert.equal(worker.chrome.attached.size, 0);
});

test("a download belongs to the session whose tab began it, whichever is told first", async () => {
  const { worker, tabId } = await withTab();
  await worker.agent(2, "other");
  const begin = (url) => worker.chrome.debugger.onEvent.emit({ tabId }, "Page.downloadWillBegin", { url, guid: "g" });
  begin("http://x/1");
  worker.events.downloadCreated({ id: 1, url: "http://x/1", finalUrl: "http://x/1" });
  worker.events.downloadCreated({ id: 2, url: "http://x/2", finalUrl: "http://cdn/2" });
  begin("http://cdn/2");
  worker.events.downloadCreated({ id: 3, url: "http://users.own/", finalUrl: "http://users.own/" });
  await quiet();
  assert.deepEqual(worker.told(1, "download.changed").map(({ id, tabId: of }) => [id, of]), [[1, tabId], [2, tabId]]);
  assert.deepEqual(worker.told(2, "download.changed"), []);
  assert.equal((await worker.call(1, "downloads.list", { ids: [1, 2] })).result.downloads.length, 2);
  assert.equal((await worker.call(1, "downloads.list", { ids: [3] })).error.code, "invalid_argument");
  assert.equal((await worker.call(2, "downloads.list", { ids: [1] })).error.code, "invalid_argument");
});
