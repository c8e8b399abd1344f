/** Runs the page functions in the isolated world of a tab's frames, and puts them there when they are missing. */

import { BridgeError, named } from "./errors.js";
import { PAGE_FILES } from "./page_files.js";

/**
 * @typedef {{frameId: number, documentId: string, value: any}} Answer
 * @typedef {{tabId: number, frameIds?: number[], documentIds?: string[], allFrames?: boolean}} Target
 */

/**
 * Calls one page function in every frame of the target; a frame that is gone or cannot be scripted is left out.
 * @param {Target} target
 * @param {string} name
 * @param {unknown[]} args
 * @returns {Promise<Answer[]>}
 */
export async function callFrames(target, name, args) {
  const answers = await run(target, name, args);
  const missing = answers.filter(({ value }) => value.missing).map(({ frameId }) => frameId);
  if (!missing.length) return answers.map(opened);
  const again = { tabId: target.tabId, frameIds: missing };
  await chrome.scripting.executeScript({ target: again, files: PAGE_FILES, injectImmediately: true });
  const late = await run(again, name, args);
  return [...answers.filter(({ value }) => !value.missing), ...late].map(opened);
}

/**
 * @param {Target} target
 * @param {string} name
 * @param {unknown[]} args
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
