/** Pictures of tabs nobody looks at: Chrome draws no frames for them unless a screencast asks for some. */

/** The frames themselves are not wanted, so they are as small as can be. */
const CAST = { format: "jpeg", quality: 1, maxWidth: 32, maxHeight: 32 };

/**
 * @param {import("./debugger.js").Debugging} debugging
 * @param {number} tabId
 * @param {Record<string, any>} params of Page.captureScreenshot
 */
export async function capture(debugging, tabId, params) {
  const ours = !debugging.casting.has(tabId);
  /** Each frame must be acknowledged, or Chrome stops after a few. @type {(source: any, method: string, params: any) => void} */
  const acknowledge = (source, method, frame) => {
    if (source.tabId !== tabId || method !== "Page.screencastFrame") return;
    // The tab may be gone by now, and then the capture itself says so.
    void debugging.command(tabId, "Page.screencastFrameAck", { sessionId: frame.sessionId }).catch(() => undefined);
  };
  if (ours) {
    chrome.debugger.onEvent.addListener(acknowledge);
    await debugging.command(tabId, "Page.startScreencast", CAST);
  }
  try {
    return await debugging.command(tabId, "Page.captureScreenshot", params);
  } finally {
    chrome.debugger.onEvent.removeListener(acknowledge);
    if (ours) await debugging.command(tabId, "Page.stopScreencast", {}).catch(() => undefined);
  }
}
