import assert from "node:assert/strict";
import { test } from "node:test";

import { quiet } from "./fake_chrome.mjs";
import { Worker } from "./worker.mjs";

const OPENING = { type: "confirm", message: "Really?", defaultPrompt: "", url: "http://example.test/" };
const never = () => new Promise(() => {});

async function withDialog() {
  const worker = await Worker.start();
  await worker.agent(1);
  const tabId = await worker.tab(1);
  worker.chrome.answer = never;
  const waiting = worker.start(1, "debugger.send", { tabId, method: "Input.insertText", params: { text: "x" } });
  await quiet();
  worker.chrome.debugger.onEvent.emit({ tabId }, "Page.javascriptDialogOpening", OPENING);
  await quiet();
  worker.chrome.answer = async () => ({});
  return { worker, tabId, waiting };
}

test("a dialog answers what waits on its tab with its own text", async () => {
  const { worker, tabId, waiting } = await withDialog();
  const [{ error }] = worker.answers(1, waiting);
  assert.equal(error.code, "dialog_open");
  assert.deepEqual(error.data, { tabId, type: "confirm", message: "Really?", default_prompt: "", url: "http://example.test/" });
  assert.deepEqual(worker.told(1, "dialog.opened"), [error.data]);
});

test("later calls are answered with it too, but for those that do not need the page", async () => {
  const { worker, tabId } = await withDialog();
  assert.equal((await worker.call(1, "page.read", { tabId })).error.code, "dialog_open");
  assert.equal((await worker.send(1, tabId, "Page.navigate", { url: "http://example.test/" })).error.code, "dialog_open");
  assert.equal((await worker.call(1, "tabs.get", { tabId })).result.dialog.message, "Really?");
  assert.equal((await worker.call(1, "tabs.list")).result.tabs[0].dialog.message, "Really?");
  assert.deepEqual((await worker.send(1, tabId, "Page.handleJavaScriptDialog", { accept: true })).result, {});
});

test("a dialog of another tab stops nothing", async () => {
  const { worker, tabId } = await withDialog();
  const other = await worker.tab(1);
  worker.chrome.answer = never;
  const id = worker.start(1, "debugger.send", { tabId: other, method: "Page.getLayoutMetrics", params: {} });
  await quiet();
  worker.chrome.debugger.onEvent.emit({ tabId }, "Page.javascriptDialogOpening", OPENING);
  await quiet();
  assert.deepEqual(worker.answers(1, id), []);
});

test("a worker that starts anew still knows of the dialog", async () => {
  const { worker, tabId } = await withDialog();
  const next = await Worker.start(worker.chrome);
  await next.agent(1);
  assert.equal((await next.call(1, "page.read", { tabId })).error.code, "dialog_open");
});

test("once it is closed the tab works again", async () => {
  const { worker, tabId } = await withDialog();
  worker.chrome.debugger.onEvent.emit({ tabId }, "Page.javascriptDialogClosed", { result: false, userInput: "" });
  assert.ok((await worker.send(1, tabId, "Page.getLayoutMetrics")).result);
  assert.deepEqual(worker.told(1, "dialog.closed"), [{ tabId, accepted: false }]);
});

test("a dialog that Chrome does not know is forgotten", async () => {
  const { worker, tabId } = await withDialog();
  worker.chrome.answer = async () => Promise.reject(new Error('{"code":-32602,"message":"No dialog is showing"}'));
  assert.equal((await worker.send(1, tabId, "Page.handleJavaScriptDialog", { accept: true })).error.code, "no_dialog");
  worker.chrome.answer = async () => ({});
  assert.ok((await worker.send(1, tabId, "Page.getLayoutMetrics")).result);
});

test("closing a tab needs no answer to its dialog", async () => {
  const { worker, tabId } = await withDialog();
  assert.deepEqual((await worker.call(1, "tabs.close", { tabId })).result, {});
});
