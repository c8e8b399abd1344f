import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { quiet } from "./fake_chrome.mjs";
import { Worker } from "./worker.mjs";

/** A frame's page functions: it gives its elements negative numbers until it is told theirs. */
class Frame {
  loaded = false;
  numbers = [];
  constructor(frameId, documentId, elements) {
    Object.assign(this, { frameId, documentId, elements });
  }
  snapshot({ ref }) {
    if (ref && !this.numbers.includes(ref)) return { status: "unknown" };
    let fresh = 0;
    const nodes = this.elements.map((name, index) => [0, "button", name, this.numbers[index] ?? -(fresh += 1), 0]);
    return { status: "ok", index: null, url: "http://x/", title: "", viewport: {}, nodes: JSON.stringify(nodes), fresh, highest: Math.max(0, ...this.numbers) };
  }
  commit(base, count) {
    for (let index = 0; index < count; index += 1) this.numbers.push(base + index);
    return { status: "ok" };
  }
  text() {
    return { text: this.elements.join(" ") };
  }
}

/** The refs of a frame's nodes, as Python reads them. */
function refsOf({ nodes, base }) {
  return JSON.parse(nodes).map(([, , , ref]) => (ref < 0 ? base - ref - 1 : ref));
}

/** chrome.scripting over such frames. */
function install(chrome, frames) {
  chrome.frames = frames.map(({ frameId, documentId }) => ({ frameId, documentId, parentFrameId: frameId === 0 ? -1 : 0 }));
  chrome.scripts = async ({ target, files, args }) => {
    const { frameIds, documentIds } = target;
    const hit = frames.filter((one) => (frameIds ? frameIds.includes(one.frameId) : documentIds ? documentIds.includes(one.documentId) : true));
    if (!hit.length) throw new Error("Frame with ID 1 was removed.");
    if (files) return hit.map((one) => void (one.loaded = true));
    const [name, own] = args;
    const result = (one) => (one.loaded ? { value: one[name](...own) } : { missing: true });
    return hit.map((one) => ({ frameId: one.frameId, documentId: one.documentId, result: result(one) }));
  };
}

async function reading(frames) {
  const worker = await Worker.start();
  await worker.agent(1);
  const tabId = await worker.tab(1);
  install(worker.chrome, frames);
  const refs = ({ result }) => result.frames.map(refsOf);
  return { worker, tabId, read: async (params = {}) => refs(await worker.call(1, "page.read", { tabId, ...params })) };
}

test("the page functions are put where they are missing, and every frame's elements get numbers of their own", async () => {
  const { read } = await reading([new Frame(0, "top", ["a", "b"]), new Frame(5, "inner", ["c"])]);
  assert.deepEqual(await read(), [[1, 2], [3]]);
});

test("an element keeps its number, and a new one never gets one that was given out", async () => {
  const top = new Frame(0, "top", ["a", "b"]);
  const { read } = await reading([top]);
  await read();
  top.elements.push("c");
  assert.deepEqual(await read(), [[1, 2, 3]]);
});

test("a page that was left takes its numbers with it", async () => {
  const { worker, read } = await reading([new Frame(0, "first", ["a", "b"])]);
  await read();
  install(worker.chrome, [new Frame(0, "second", ["c"])]);
  assert.deepEqual(await read(), [[3]]);
});

test("two readings at once do not give out the same numbers", async () => {
  const { worker, tabId } = await reading([new Frame(0, "top", ["a"]), new Frame(5, "inner", ["b"])]);
  const ids = [0, 1].map(() => worker.start(1, "page.read", { tabId }));
  await quiet();
  const refs = ids.map((id) => worker.answers(1, id)[0].result.frames.map((frame) => refsOf(frame)[0]));
  assert.deepEqual(refs, [[1, 2], [1, 2]]);
});

test("a worker that starts anew goes on where the last one was", async () => {
  const top = new Frame(0, "top", ["a", "b"]);
  const { worker, tabId, read } = await reading([top]);
  await read();
  top.elements.push("c");
  const next = await Worker.start(worker.chrome);
  await next.agent(1);
  const { result } = await next.call(1, "page.read", { tabId });
  assert.deepEqual(refsOf(result.frames[0]), [1, 2, 3]);
  assert.equal(result.next_ref, 4);
});

test("numbers are stored before any frame hears of them", async () => {
  const top = new Frame(0, "top", ["a", "b"]);
  const { worker, tabId, read } = await reading([top]);
  let stored;
  top.commit = () => {
    stored ??= worker.chrome.storage.session.content.refs[tabId];
    return { status: "stale" };
  };
  await assert.rejects(read());
  assert.equal(stored, 3);
});

test("when the store is lost the numbers go on above those that the frames know", async () => {
  const top = new Frame(0, "top", ["a"]);
  const inner = Object.assign(new Frame(5, "inner", ["b"]), { loaded: true, numbers: [41] });
  const { read } = await reading([top, inner]);
  assert.deepEqual(await read({ ref: 41 }), [[41]]);
  assert.deepEqual(await read(), [[42], [41]]);
});

test("a frame that is left while it is read is missing; the others are told", async () => {
  const frames = [new Frame(0, "top", ["a"]), new Frame(5, "inner", ["b"])];
  const { worker, read } = await reading(frames);
  const scripts = worker.chrome.scripts;
  worker.chrome.scripts = async (injection) => {
    if (injection.target.documentIds?.includes("inner")) throw new Error("No document with id inner in tab with id 1");
    return scripts(injection);
  };
  assert.deepEqual(await read(), [[1]]);
});

test("a frame without page functions that cannot be loaded fails no other", async () => {
  const frames = [new Frame(0, "top", ["a"]), new Frame(5, "inner", ["b"])];
  const { worker, read } = await reading(frames);
  const scripts = worker.chrome.scripts;
  worker.chrome.scripts = async (injection) => {
    if (injection.files && injection.target.frameIds.includes(5)) throw new Error("Frame with ID 5 was removed.");
    return scripts(injection);
  };
  assert.deepEqual(await read(), [[1]]);
});

test("a ref that no frame has is told apart: never given out, or of a page that was left", async () => {
  const { worker, tabId, read } = await reading([new Frame(0, "first", ["a", "b"])]);
  await read();
  assert.equal((await worker.call(1, "page.read", { tabId, ref: 9 })).error.code, "unknown_ref");
  install(worker.chrome, [Object.assign(new Frame(0, "second", ["c"]), { loaded: true })]);
  assert.equal((await worker.call(1, "page.read", { tabId, ref: 2 })).error.code, "ref_navigated");
});

test("only the functions of the protocol can be called", async () => {
  const { worker, tabId } = await reading([new Frame(0, "top", ["a"])]);
  const call = (name) => worker.call(1, "page.call", { tabId, function: name, args: [] });
  for (const name of ["commit", "snapshot", "refState", "constructor"]) assert.equal((await call(name)).error.code, "invalid_argument");
  const { tab, ...answer } = (await call("text")).result;
  assert.deepEqual(answer, { frames: [{ frameId: 0, parentFrameId: -1, documentId: "top", result: { text: "a" } }], next_ref: 1 });
  assert.equal(tab.tabId, tabId);
});

test("a call in a page that is left ends, though the frozen page never answers", async () => {
  const { worker, tabId } = await reading([new Frame(0, "top", ["a"])]);
  worker.chrome.scripts = () => new Promise(() => {});
  const id = worker.start(1, "page.call", { tabId, function: "settle", args: [] });
  await quiet();
  worker.chrome.webNavigation.onCommitted.emit({ tabId, frameId: 0, documentId: "top" });
  worker.chrome.webNavigation.onCommitted.emit({ tabId, frameId: 5, documentId: "other frame" });
  worker.chrome.webNavigation.onCommitted.emit({ tabId: tabId + 1, frameId: 0, documentId: "other tab" });
  await quiet();
  assert.deepEqual(worker.answers(1, id), []);
  worker.chrome.webNavigation.onCommitted.emit({ tabId, frameId: 0, documentId: "next" });
  await quiet();
  assert.equal(worker.answers(1, id)[0].error.code, "page_navigated");
});

test("a reading of a page that was being left is one of the page that came", async () => {
  const { worker, tabId, read } = await reading([new Frame(0, "top", ["a"])]);
  worker.chrome.scripts = () => {
    install(worker.chrome, [new Frame(0, "next", ["b"])]);
    worker.chrome.webNavigation.onCommitted.emit({ tabId, frameId: 0, documentId: "next" });
    return new Promise(() => {});
  };
  assert.deepEqual(await read(), [[1]]);
});

test("a page that leads on for ever is given up", async () => {
  const { worker, tabId } = await reading([new Frame(0, "top", ["a"])]);
  let document = 0;
  worker.chrome.scripts = () => {
    worker.chrome.webNavigation.onCommitted.emit({ tabId, frameId: 0, documentId: `next${(document += 1)}` });
    return new Promise(() => {});
  };
  assert.equal((await worker.call(1, "page.read", { tabId })).error.code, "page_navigated");
});

test("an error page is named as such", async () => {
  const { worker, tabId } = await reading([new Frame(0, "top", [])]);
  worker.chrome.scripts = async () => Promise.reject(new Error("Frame with ID 0 is showing error page"));
  assert.equal((await worker.call(1, "page.read", { tabId })).error.code, "navigation_failed");
});

test("a frame that hangs is left out and counted, waits no second time, and is told again once it answers", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const { worker, tabId } = await reading([new Frame(0, "top", ["a"]), new Frame(5, "hung", ["b"])]);
    const scripts = worker.chrome.scripts;
    const release = Promise.withResolvers();
    worker.chrome.scripts = async (injection) => {
      if (injection.target.frameIds?.includes(5)) await release.promise;
      return scripts(injection);
    };
    const read = async (ms) => {
      const id = worker.start(1, "page.read", { tabId }, { deadline_ms: 60_000 });
      await quiet();
      mock.timers.tick(ms);
      await quiet();
      const { frames, silent } = worker.answers(1, id)[0].result;
      return [frames.map(({ documentId }) => documentId), silent];
    };
    assert.deepEqual(await read(3_000), [["top"], 1]);
    assert.deepEqual(await read(100), [["top"], 1]);
    release.resolve();
    await quiet();
    assert.deepEqual(await read(0), [["top", "hung"], 0]);
  } finally {
    mock.timers.reset();
  }
});
