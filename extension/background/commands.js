/**
 * The DevTools commands an agent may send, each with the parameters it may carry. Nothing here reaches beyond its tab: no
 * Target, Network, Storage or Browser domain, and no way into the extension's own world in the page.
 */

import { openable } from "./addresses.js";
import { BridgeError } from "./errors.js";

/**
 * @typedef {{
 *   params: string[],
 *   navigates?: boolean,
 *   check?: (params: Record<string, any>) => void,
 * }} Command `navigates`: may be sent while the tab shows a page that cannot be touched, since it leads away from it
 */

const MOUSE = ["type", "x", "y", "modifiers", "timestamp", "button", "buttons", "clickCount", "force", "deltaX", "deltaY", "pointerType"];
const KEY = [
  ...["type", "modifiers", "timestamp", "text", "unmodifiedText", "code", "key", "location", "autoRepeat", "isKeypad"],
  ...["windowsVirtualKeyCode", "nativeVirtualKeyCode", "commands"],
];

/** @type {Record<string, Command>} */
export const COMMANDS = {
  "Page.navigate": { params: ["url"], navigates: true, check: checkAddress },
  "Page.getNavigationHistory": { params: [], navigates: true },
  // Its entry's address is checked in debugger.js, which can ask the tab for it.
  "Page.navigateToHistoryEntry": { params: ["entryId"], navigates: true },
  "Page.reload": { params: ["ignoreCache"], navigates: true },
  "Page.stopLoading": { params: [], navigates: true },
  "Page.handleJavaScriptDialog": { params: ["accept", "promptText"], navigates: true },
  // Without fromSurface: that would take the picture from the screen, with what lies over the tab.
  "Page.captureScreenshot": { params: ["format", "quality", "clip", "captureBeyondViewport", "optimizeForSpeed"] },
  "Page.getLayoutMetrics": { params: [] },
  "Page.startScreencast": { params: ["format", "quality", "maxWidth", "maxHeight", "everyNthFrame"] },
  "Page.stopScreencast": { params: [] },
  "Page.screencastFrameAck": { params: ["sessionId"] },
  "Page.setInterceptFileChooserDialog": { params: ["enabled", "cancel"] },
  "Input.dispatchMouseEvent": { params: MOUSE },
  "Input.dispatchKeyEvent": { params: KEY, check: checkEditing },
  "Input.insertText": { params: ["text"] },
  "Input.setInterceptDrags": { params: ["enabled"] },
  "Input.dispatchDragEvent": { params: ["type", "x", "y", "data", "modifiers"] },
  // Never contextId or uniqueContextId: they would run code in the extension's isolated world, beside its refs.
  "Runtime.evaluate": {
    params: ["expression", "awaitPromise", "returnByValue", "userGesture", "replMode", "timeout", "generatePreview"],
  },
  "DOM.setFileInputFiles": { params: ["files", "backendNodeId"] },
};

/**
 * Returns the entry of an allowed command whose parameters are all allowed.
 * @param {unknown} method
 * @param {unknown} params
 * @returns {Command}
 */
export function allowed(method, params) {
  if (typeof method !== "string" || !Object.hasOwn(COMMANDS, method)) {
    const message = `The browser command ${String(method)} is not allowed.`;
    throw new BridgeError("command_not_allowed", message, { allowed: Object.keys(COMMANDS) });
  }
  const command = COMMANDS[method];
  if (typeof params !== "object" || params === null || Array.isArray(params)) {
    throw new BridgeError("invalid_argument", `The parameters of ${method} must be an object.`);
  }
  const unknown = Object.keys(params).filter((name) => !command.params.includes(name));
  if (unknown.length) {
    throw new BridgeError("command_not_allowed", `${method} may not carry ${unknown.join(", ")}.`, { allowed: command.params });
  }
  command.check?.(params);
  return command;
}

/** Hands Chrome the address as it was checked, not as it was spelled. @param {Record<string, any>} params */
function checkAddress(params) {
  params.url = openable(params.url);
}

/**
 * Editing commands move and delete in the page; copy, cut and paste would reach the user's clipboard.
 * @param {Record<string, any>} params
 */
function checkEditing({ commands = [] }) {
  const editing = /^(selectAll|undo|redo|(delete|move|scroll|insert(Newline|Tab|Backtab|LineBreak))\w*)$/i;
  if (Array.isArray(commands) && commands.every((name) => typeof name === "string" && editing.test(name))) return;
  const message = "Input.dispatchKeyEvent may carry only editing commands that stay in the page.";
  throw new BridgeError("command_not_allowed", message, { commands });
}
