import assert from "node:assert/strict";
import { test } from "node:test";

import { noteText, sessionText, tabActions } from "../../extension/popup/words.js";

const connected = { status: "connected", host: { version: "0.1.0" } };
const view = (more) => ({ connection: connected, version: "0.1.0", paused: false, sessions: [], tab: { tabId: 7, title: "T" }, ...more });
const live = { name: "work", agents: [{ client: "claude-code" }] };
const asleep = { name: "cli", agents: [] };

test("a tab can be handed to every session, those with an agent first", () => {
  assert.deepEqual(tabActions(view({ sessions: [asleep, live] })).map(({ wish }) => wish), [
    { type: "hand", tabId: 7, session: "work" },
    { type: "hand", tabId: 7, session: "cli" },
  ]);
});

test("a tab of a session can only be taken back", () => {
  const tab = { tabId: 7, title: "T", session: "work" };
  assert.deepEqual(tabActions(view({ sessions: [live], tab })).map(({ wish }) => wish), [{ type: "release", tabId: 7 }]);
});

test("when all is well nothing is noted", () => {
  assert.equal(noteText(view({})), "");
  assert.equal(noteText(view({ connection: { status: "connecting" } })), "");
});

test("another version, a refusal and a missing host are noted with what to do", () => {
  assert.match(noteText(view({ version: "0.0.9" })), /Reload the extension/);
  assert.equal(noteText(view({ connection: { status: "refused", error: { code: "product_mismatch", message: "Who is this?" } } })), "Who is this?");
  assert.match(noteText(view({ connection: { status: "disconnected" } })), /freehold setup/);
});

test("a session names its agents", () => {
  assert.equal(sessionText(live), "claude-code");
  assert.notEqual(sessionText(asleep), "");
});
