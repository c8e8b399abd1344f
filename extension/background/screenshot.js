/** Pictures of tabs nobody looks at: Chrome draws no frames for them unless a screencast asks for some. */

import { aborted } from "./errors.js";
import { Serial } from "./serial.js";

/** @typedef {import("./debugger.js").Debugging} Debugging */

/** The frames themselves are not wanted, so they are as small as can be. */
const CAST = { format: "jpeg", quality: 1, maxWidth: 32, maxHeight: 32 };

/** A hidden tab that was moved between windows draws nothing until it has been shown, whatever else is tried. */
const SHOW_AFTER_MS = 4_000;

/** A tab can have one screencast at a time. */
const serial = new Serial();

/**
 * @param {Debugging} debugging
 * @param {number} tabId
 * @param {Record<string, any>} params of Page.captureScreenshot
 * @param {AbortSignal} signal ends the waiting, and with it what was done to the tab for the picture
 * @returns {Promise<any>}
 */
export function capture(debugging, tabId, params, signal) {
  return serial.run(tabId, async () => {
    signal.throwIfAborted();
    const minimize = await unminimized(tabId);
    const stop = debugging.casting.has(tabId) ? undefined : await startCast(debugging, tabId);
    try {
      return await picture(debugging, tabId, params, signal);
    } finally {
      await stop?.();
      await minimize?.();
    }
  });
}

/**
 * @param {Debugging} debugging
 * @param {number} tabId
 * @param {Record<string, any>} params
 * @param {AbortSignal} signal
 */
async function picture(debugging, tabId, params, signal) {
  /** @type {Promise<(() => Promise<unknown>) | undefined> | undefined} */
  let front;
  const timer = setTimeout(() => (front = shown(tabId).catch(() => undefined)), SHOW_AFTER_MS);
  try {
    return await Promise.race([debugging.command(tabId, "Page.captureScreenshot", params), aborted(signal)]);
  } finally {
    clearTimeout(timer);
    await (await front)?.();
  }
}

/** Brings a tab to the front of its window; returns what brings back the one that was there. @param {number} tabId */
async function shown(tabId) {
  const { windowId } = await chrome.tabs.get(tabId);
  const [{ id } = { id: undefined }] = await chrome.tabs.query({ active: true, windowId });
  if (id === undefined || id === tabId) return undefined;
  await chrome.tabs.update(tabId, { active: true });
  return () => chrome.tabs.update(id, { active: true }).catch(() => undefined);
}

/**
 * Returns what ends the screencast.
 * @param {Debugging} debugging
 * @param {number} tabId
 */
async function startCast(debugging, tabId) {
  /** Each frame must be acknowledged, or Chrome stops after a few. @type {(source: any, method: string, params: any) => void} */
  const acknowledge = (source, method, frame) => {
    if (source.tabId !== tabId || method !== "Page.screencastFrame") return;
    // The tab may be gone by now, and then the capture itself says so.
    void debugging.command(tabId, "Page.screencastFrameAck", { sessionId: frame.sessionId }).catch(() => undefined);
  };
  chrome.debugger.onEvent.addListener(acknowledge);
  await debugging.command(tabId, "Page.startScreencast", CAST);
  return async () => {
    chrome.debugger.onEvent.removeListener(acknowledge);
    await debugging.command(tabId, "Page.stopScreencast", {}).catch(() => undefined);
  };
}

/**
 * In a minimized window not even a screencast draws, so it is brought back, without focus; returns what minimizes it again.
 * @param {number} tabId
 */
async function unminimized(tabId) {
  const { windowId } = await chrome.tabs.get(tabId);
  if ((await chrome.windows.get(windowId)).state !== "minimized") return undefined;
  await chrome.windows.update(windowId, { state: "normal", focused: false });
  // A window that was closed meanwhile needs nothing.
  return () => chrome.windows.update(windowId, { state: "minimized" }).catch(() => undefined);
}
