/** Runs the page functions in the isolated world of a tab's frames, and puts them there when they are missing. */

import { BridgeError, named } from "./errors.js";
import { PAGE_FILES } from "./page_files.js";
import { within } from "./within.js";

/**
 * @typedef {{frameId: number, documentId: string, value: any}} Answer
 * @typedef {{tabId: number, frameIds?: number[], documentIds?: string[], allFrames?: boolean}} Target
 */

/** How long the other frames have once the first has answered: one of another site may hang, in a process of its own. */
const PATIENCE_MS = 3_000;
/** The same for a frame that has hung before. */
const SHORT_MS = 100;
const SILENT = new BridgeError("timeout", "A frame does not answer.");

/** The documents that have not answered. @type {Set<string>} */
const silent = new Set();

/** @param {string} documentId */
export function isSilent(documentId) {
  return silent.has(documentId);
}

/**
 * Calls one page function in every frame of the target. A frame that is gone, fails or hangs is left out while others answer.
 * @param {Target} target
 * @param {string} name
 * @param {unknown[]} args
 * @param {{frameId: number, documentId: string}[]} frames the tab's frames as they stood before the call
 * @returns {Promise<Answer[]>}
 * @throws {BridgeError} page_navigated
 */
export async function callFrames(target, name, args, frames) {
  const watch = watchLeaving(target, frames);
  try {
    return await Promise.race([watch.left, callAll(target, name, args, frames)]);
  } finally {
    watch.stop();
  }
}

/**
 * A document that goes into the back/forward cache is frozen, and the scripts in it with it: Chrome then never answers.
 * @param {Target} target
 * @param {{documentId: string}[]} frames
 */
function watchLeaving({ tabId, frameIds = [] }, frames) {
  /** @type {PromiseWithResolvers<never>} */
  const { promise: left, reject } = Promise.withResolvers();
  left.catch(() => undefined);
  const known = new Set(frames.map(({ documentId }) => documentId));
  /** @param {{tabId: number, frameId: number, documentId?: string}} details */
  function committed(details) {
    // The event of a navigation can come after a call that was made because of it.
    if (details.tabId !== tabId || known.has(details.documentId ?? "")) return;
    if (details.frameId !== 0 && !frameIds.includes(details.frameId)) return;
    reject(new BridgeError("page_navigated", "The page was left during the call. Read the page as it now is.", { tabId }));
  }
  chrome.webNavigation.onCommitted.addListener(committed);
  return { left, stop: () => chrome.webNavigation.onCommitted.removeListener(committed) };
}

/**
 * @param {Target} target
 * @param {string} name
 * @param {unknown[]} args
 * @param {{frameId: number, documentId: string}[]} frames
 * @returns {Promise<Answer[]>}
 */
async function callAll({ tabId, frameIds, documentIds, allFrames }, name, args, frames) {
  if (documentIds) return one({ tabId, documentIds }, name, args);
  // Each on its own: Chrome answers a call in all frames only when the last of them has.
  const called = frames.filter(({ frameId }) => allFrames || frameIds?.includes(frameId));
  const calls = called.map(({ frameId, documentId }) => ({ documentId, answer: one({ tabId, frameIds: [frameId] }, name, args) }));
  if (calls.length <= 1) return calls[0]?.answer ?? one({ tabId, frameIds, allFrames }, name, args);
  const first = allFrames ? calls[0].answer : Promise.resolve();
  return some(calls.map(({ documentId, answer }) => (answer === first ? answer : unlessSilent(documentId, answer, first))));
}

/**
 * The answer of a frame that does not keep the others waiting.
 * @param {string} documentId
 * @param {Promise<Answer[]>} answer
 * @param {Promise<unknown>} first
 */
async function unlessSilent(documentId, answer, first) {
  const heard = () => void silent.delete(documentId);
  answer.then(heard, heard);
  await first.catch(() => undefined);
  try {
    return await within(silent.has(documentId) ? SHORT_MS : PATIENCE_MS, answer, SILENT);
  } catch (error) {
    if (error === SILENT) silent.add(documentId);
    throw error;
  }
}

/** @param {Target} target @param {string} name @param {unknown[]} args */
async function one(target, name, args) {
  const answers = await run(target, name, args);
  const told = answers.some(({ value }) => value.missing) ? await injected(target, name, args) : answers;
  return told.map(opened);
}

/** What came of those that succeeded; when none did, the first failure. @param {Promise<Answer[]>[]} works */
async function some(works) {
  const done = await Promise.allSettled(works);
  const failed = done.filter((one) => one.status === "rejected").map(({ reason }) => reason);
  if (failed.length && failed.length === done.length) throw failed[0];
  for (const reason of failed) console.info("A frame was left out:", reason);
  return done.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
}

/** @param {Target} target @param {string} name @param {unknown[]} args */
async function injected(target, name, args) {
  await chrome.scripting.executeScript({ target: /** @type {any} */ (target), files: PAGE_FILES, injectImmediately: true });
  return run(target, name, args);
}

/**
 * @param {Target} target
 * @param {string} name
 * @param {unknown[]} args
 * @returns {Promise<Answer[]>}
 */
async function run(target, name, args) {
  const results = await chrome.scripting.executeScript({
    target: /** @type {any} */ (target),
    func: invoke,
    args: [name, args],
    injectImmediately: true,
  });
  return results
    .filter(({ result }) => result)
    .map(({ frameId, documentId, result }) => ({ frameId, documentId, value: /** @type {any} */ (result) }));
}

/**
 * Runs in the page's frame, alone: nothing of this module reaches there. An exception must come back as a value, since Chrome
 * answers null for it.
 * @param {string} name
 * @param {unknown[]} args
 */
async function invoke(name, args) {
  const page = /** @type {any} */ (globalThis).freeholdPage;
  if (!page?.[name]) return { missing: true };
  try {
    return { value: (await page[name](...args)) ?? null };
  } catch (error) {
    return { error: String(error), stack: /** @type {any} */ (error)?.stack };
  }
}

/** @param {Answer} answer @returns {Answer} */
function opened({ frameId, documentId, value }) {
  if (value.missing) throw new BridgeError("internal_error", "The page functions could not be loaded into the page.");
  if (value.error) throw new BridgeError("internal_error", `A page function failed: ${value.error}`, { stack: value.stack });
  return { frameId, documentId, value: value.value };
}

/**
 * Returns the tab's frames, parents before their children.
 * @param {number} tabId
 */
export async function framesOf(tabId) {
  const frames = await chrome.webNavigation.getAllFrames({ tabId }).catch((error) => {
    throw named(error);
  });
  if (!frames) throw new BridgeError("unknown_tab", "No tab has that id. List the session's tabs with tabs_context.", { tabId });
  return frames;
}
