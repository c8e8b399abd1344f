/** `chrome.debugger` for the tabs that agents work in: attached on first use, made ready for tabs nobody looks at. */

import { checkTouchable, openable } from "./addresses.js";
import { BridgeError, named } from "./errors.js";
import { capture } from "./screenshot.js";
import { within } from "./within.js";

/** @typedef {{method: string, params: Record<string, any>}} Sent */

const LEAVE_MS = 5_000;
const READY_MS = 5_000;
const BLANK = "about:blank";
const BLOCKED =
  "The page does not answer: it is busy, or shows a dialog from before Freehold came. " +
  "The user can answer that; else close the tab with tabs_close.";

/**
 * A hidden tab takes 5 s for a click unless it believes to be focused, and the browser may freeze it.
 * @type {[string, Record<string, unknown>][]}
 */
const READY = [
  ["Page.enable", {}],
  ["Inspector.enable", {}],
  ["Emulation.setFocusEmulationEnabled", { enabled: true }],
  ["Page.setWebLifecycleState", { state: "active" }],
];

export class Debugging {
  /** @type {Map<number, Promise<void>>} */
  #attached = new Map();
  /** @type {Set<number>} */
  #crashed = new Set();
  /** Tabs whose screencast an agent itself has started. @type {Set<number>} */
  casting = new Set();

  /**
   * Attaches unless that has been done.
   * @param {number} tabId
   */
  attach(tabId) {
    const attached = this.#attached.get(tabId) ?? this.#open(tabId);
    this.#attached.set(tabId, attached);
    attached.catch(() => this.forget(tabId));
    return attached;
  }

  /**
   * Sends one command that dispatch.js has allowed.
   * @param {number} tabId
   * @param {Sent} command
   * @param {AbortSignal} signal aborted when nobody waits any more: then nothing is sent
   * @returns {Promise<any>}
   */
  async send(tabId, { method, params }, signal) {
    if (method === "Page.navigate") await this.#leaveUntouchable(tabId);
    await this.attach(tabId);
    signal.throwIfAborted();
    if (method === "Page.navigateToHistoryEntry") await this.#checkEntry(tabId, params.entryId);
    signal.throwIfAborted();
    if (method === "Page.startScreencast") this.casting.add(tabId);
    if (method === "Page.stopScreencast") this.casting.delete(tabId);
    if (method === "Page.captureScreenshot") return capture(this, tabId, params, signal);
    return this.command(tabId, method, params);
  }

  /**
   * Sends commands in order without waiting in between; the first that fails ends the batch.
   * @param {number} tabId
   * @param {Sent[]} commands
   * @param {AbortSignal} signal
   */
  async batch(tabId, commands, signal) {
    await this.attach(tabId);
    return Promise.all(commands.map((command) => this.send(tabId, command, signal)));
  }

  /** @param {number} tabId @param {string} method @param {Record<string, any>} params @returns {Promise<any>} */
  async command(tabId, method, params) {
    try {
      return await chrome.debugger.sendCommand({ tabId }, method, params);
    } catch (error) {
      if (named(error).code === "debugger_detached") this.forget(tabId);
      throw error;
    }
  }

  /** Ends the attachment, for instance of a session without agents. @param {number} tabId */
  async detach(tabId) {
    this.forget(tabId);
    await chrome.debugger.detach({ tabId }).catch((error) => console.info("Tab", tabId, "was not attached:", error));
  }

  /** @param {number} tabId */
  isAttached(tabId) {
    return this.#attached.has(tabId);
  }

  tabs() {
    return [...this.#attached.keys()];
  }

  /** Notes that the browser has ended the attachment. @param {number} tabId */
  forget(tabId) {
    this.#attached.delete(tabId);
    this.#crashed.delete(tabId);
    this.casting.delete(tabId);
  }

  /** @param {number} tabId */
  crashed(tabId) {
    this.#crashed.add(tabId);
  }

  /** @param {number} tabId */
  revived(tabId) {
    this.#crashed.delete(tabId);
  }

  /** @param {number} tabId @throws {BridgeError} tab_crashed */
  checkAlive(tabId) {
    if (this.#crashed.has(tabId)) throw crash(tabId);
  }

  /** @param {number} tabId */
  async #open(tabId) {
    try {
      await chrome.debugger.attach({ tabId }, "1.3");
    } catch (error) {
      // After a restart of the worker the attachment of the one before still stands, and takes commands.
      if (!String(error).includes("Another debugger is already attached")) throw error;
    }
    const ready = Promise.all(READY.map(([method, params]) => this.command(tabId, method, params)));
    await within(READY_MS, ready, new BridgeError("timeout", BLOCKED, { tabId }));
  }

  /**
   * Chrome lets no debugger attach to its own pages, so a tab that shows one is brought to a blank page first.
   * @param {number} tabId
   */
  async #leaveUntouchable(tabId) {
    const { url } = await chrome.tabs.get(tabId);
    try {
      checkTouchable(url);
    } catch {
      await committed(tabId, BLANK, () => chrome.tabs.update(tabId, { url: BLANK }));
    }
  }

  /** @param {number} tabId @param {unknown} entryId */
  async #checkEntry(tabId, entryId) {
    const { entries } = await this.command(tabId, "Page.getNavigationHistory", {});
    const entry = entries.find((/** @type {{id: number}} */ { id }) => id === entryId);
    if (!entry) throw new BridgeError("invalid_argument", "The tab's history has no entry of that id.", { entryId });
    openable(entry.url);
  }
}

/** @param {number} tabId */
export function crash(tabId) {
  return new BridgeError("tab_crashed", "The tab's process has crashed. Reload the tab with navigate.", { tabId });
}

/**
 * Resolves when the tab has committed an address that `start` sets out for.
 * @param {number} tabId
 * @param {string} address
 * @param {() => Promise<unknown>} start
 */
async function committed(tabId, address, start) {
  /** @type {PromiseWithResolvers<void>} */
  const { promise, resolve } = Promise.withResolvers();
  /** @param {number} id @param {{url?: string}} change */
  const updated = (id, { url }) => void (id === tabId && url === address && resolve());
  chrome.tabs.onUpdated.addListener(updated);
  try {
    await start();
    await within(LEAVE_MS, promise, new BridgeError("timeout", "The tab did not leave its page in time.", { tabId }));
  } finally {
    chrome.tabs.onUpdated.removeListener(updated);
  }
}
