import assert from "node:assert/strict";
import { test } from "node:test";

import { placeShadowed } from "../../extension/background/shadow_frames.js";

const iframe = (frame, url) => [0, "iframe", "", 0, { frame, url }];

function frame(frameId, parentFrameId, url, index, nodes = []) {
  return [{ frameId, parentFrameId, documentId: `d${frameId}` }, { value: { url, index, nodes: JSON.stringify(nodes) } }];
}

const indexes = (answers) => answers.map(([, { value }]) => value.index);

test("frames in shadow trees get the numbers of their parent's iframes, by address first", () => {
  const top = frame(0, -1, "http://t/", null, [iframe(0, "http://a/"), iframe(-1, "http://b/"), iframe(-2, "http://c/")]);
  const answers = [top, frame(4, 0, "http://c/", -1), frame(5, 0, "http://b/", -1), frame(6, 0, "http://a/", 0)];
  const places = placeShadowed(answers);
  assert.deepEqual(indexes(answers), [null, -2, -1, 0]);
  assert.deepEqual(Object.fromEntries(places), { d4: -2, d5: -1 });
});

test("a frame that moved on to another address takes the iframe that is left", () => {
  const top = frame(0, -1, "http://t/", null, [iframe(-1, "http://b/"), iframe(-2, "http://c/")]);
  const answers = [top, frame(4, 0, "http://moved/", -1), frame(5, 0, "http://b/", -1)];
  placeShadowed(answers);
  assert.deepEqual(indexes(answers), [null, -2, -1]);
});

test("each frame is placed in its own parent", () => {
  const top = frame(0, -1, "http://t/", null, [iframe(-1, "http://a/")]);
  const child = frame(4, 0, "http://a/", -1, [iframe(-1, "http://b/"), iframe(-2, "http://b/")]);
  const answers = [top, child, frame(7, 4, "http://b/", -1), frame(8, 4, "http://b/", -1)];
  placeShadowed(answers);
  assert.deepEqual(indexes(answers), [null, -1, -1, -2]);
});
