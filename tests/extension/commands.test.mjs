import assert from "node:assert/strict";
import { test } from "node:test";

import { openable } from "../../extension/background/addresses.js";
import { allowed, COMMANDS } from "../../extension/background/commands.js";

const refused = (code) => (error) => error.code === code;

test("no command reaches beyond its tab", () => {
  const domains = new Set(Object.keys(COMMANDS).map((name) => name.split(".")[0]));
  assert.deepEqual(domains, new Set(["Page", "Input", "Runtime", "DOM"]));
  const beyond = ["Target.createTarget", "Browser.close", "Network.getAllCookies", "Storage.getCookies", "Runtime.enable", "Page.enable", "constructor", 7];
  for (const method of beyond) assert.throws(() => allowed(method, {}), refused("command_not_allowed"));
});

test("a script can run in the page's own world only", () => {
  assert.ok(allowed("Runtime.evaluate", { expression: "1", awaitPromise: true, returnByValue: true }));
  for (const name of ["contextId", "uniqueContextId", "objectGroup", "includeCommandLineAPI", "allowUnsafeEvalBlockedByCSP"]) {
    assert.throws(() => allowed("Runtime.evaluate", { expression: "1", [name]: 1 }), refused("command_not_allowed"));
  }
});

test("a picture is taken of the tab, not of the screen", () => {
  assert.throws(() => allowed("Page.captureScreenshot", { fromSurface: false }), refused("command_not_allowed"));
});

test("editing commands stay in the page; the clipboard is the user's", () => {
  assert.ok(allowed("Input.dispatchKeyEvent", { type: "keyDown", commands: ["selectAll", "deleteBackward", "moveToEndOfLine"] }));
  for (const name of ["paste", "copy", "cut", "pasteAndMatchStyle", "yank"]) {
    assert.throws(() => allowed("Input.dispatchKeyEvent", { type: "keyDown", commands: [name] }), refused("command_not_allowed"));
  }
});

test("parameters must be an object", () => {
  for (const params of [null, undefined, [], "x"]) assert.throws(() => allowed("Page.reload", params), refused("invalid_argument"));
});

test("only web addresses and about:blank may be opened, and Chrome is handed what was checked", () => {
  const params = { url: "  HTTP://Example.test/a b" };
  allowed("Page.navigate", params);
  assert.equal(params.url, "http://example.test/a%20b");
  assert.equal(openable("about:blank"), "about:blank");
  const others = ["javascript:alert(1)", " java\nscript:alert(1)", "file:///etc/passwd", "chrome://settings", "chrome-extension://x/", "data:text/html,x"];
  others.push("view-source:http://example.test/", "about:srcdoc", "blob:http://example.test/1", "devtools://x", "filesystem:http://x/", "ftp://x/");
  for (const url of others) assert.throws(() => allowed("Page.navigate", { url }), refused("address_not_allowed"), url);
  for (const url of ["example.test", "", undefined, 7]) assert.throws(() => allowed("Page.navigate", { url }), refused("invalid_argument"));
});
