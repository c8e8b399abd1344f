/**
 * The errors that travel: a stable code of protocol/errors.json, a message that names the next step, data for machines.
 * This is the one place that turns Chrome's error texts into codes.
 */

export class BridgeError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {Record<string, unknown>} [data]
   */
  constructor(code, message, data = {}) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/**
 * What Chrome says, and what it means for an agent. The first that fits counts. `chrome.debugger` wraps the protocol's own
 * errors as JSON text, so a pattern looks anywhere in the message.
 * @type {[RegExp, string, string][]}
 */
const CHROME_TEXTS = [
  // A number that could be no tab's is refused by the signature of tabs.get.
  [
    /No tab with (given )?id|Error in invocation of tabs\.get/i,
    "unknown_tab",
    "No tab has that id. List the session's tabs with tabs_context.",
  ],
  [/tab was closed/i, "tab_closed", "The tab was closed during the call. List the session's tabs with tabs_context."],
  [/No dialog is showing/i, "no_dialog", "No dialog is open in this tab."],
  [/Target crashed/i, "tab_crashed", "The tab's process has crashed. Reload it with navigate."],
  [
    /is showing error page/i,
    "navigation_failed",
    "The tab shows an error page instead of the address. Try navigate with another address or reload.",
  ],
  [
    /Cannot access|Cannot attach to this target|cannot be scripted|extensions gallery|must request permission/i,
    "address_not_allowed",
    "The browser lets no extension touch this page. Use navigate to open an http or https address in the tab.",
  ],
  [
    /Detached while|Debugger is not attached|Another debugger is already attached/i,
    "debugger_detached",
    "The browser detached the debugger from the tab, for instance because the user cancelled it. The next call attaches again.",
  ],
  [
    /frame (with ID \d+ )?was removed|No (frame|document) with id|document.*(removed|destroyed)|navigated or closed|context was destroyed/i,
    "page_navigated",
    "The page or frame was left during the call. Read the page again.",
  ],
  [
    /Not attached to an active page/i,
    "page_navigated",
    "The page or frame was left during the call. Read the page again.",
  ],
  [/Cannot navigate to invalid URL/i, "invalid_argument", "The address is not valid. Give a complete http or https address."],
  [
    /"code":-32602|Invalid parameters|Error in invocation of/i,
    "invalid_argument",
    "The browser did not accept the command's parameters.",
  ],
  [
    /No entry with passed id|No node (found )?(with|for) given|Could not find node/i,
    "invalid_argument",
    "The browser knows no entry or node of that id.",
  ],
  [
    /Object reference chain is too long|couldn't be returned by value/i,
    "script_error",
    "The script's value cannot be copied out of the page. Return text, numbers or plain lists and objects of them.",
  ],
  [/maximum (allowed )?size|Message length exceeded/i, "result_too_large", "The result does not fit into one message. Ask for less of it."],
];

/**
 * Returns the error as a BridgeError; Chrome's own words are kept in `data.chrome`.
 * @param {unknown} error
 * @returns {BridgeError}
 */
export function named(error) {
  if (error instanceof BridgeError) return error;
  const text = error instanceof Error ? error.message : String(error);
  for (const [pattern, code, message] of CHROME_TEXTS) {
    if (pattern.test(text)) return new BridgeError(code, message, { chrome: text });
  }
  return new BridgeError("internal_error", `The extension met an error it does not know: ${text}`, { chrome: text });
}

/** @param {number} tabId */
export function tabClosed(tabId) {
  return new BridgeError("tab_closed", `Tab ${tabId} was closed during the call. List the session's tabs with tabs_context.`, { tabId });
}

/**
 * @param {unknown} error
 * @returns {{code: string, message: string, data: Record<string, unknown>}}
 */
export function toWire(error) {
  const { code, message, data } = named(error);
  return { code, message, data };
}

/** Rejects with the signal's reason once it is aborted. @param {AbortSignal} signal @returns {Promise<never>} */
export function aborted(signal) {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}
