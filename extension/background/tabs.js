/** The tabs of a session, as agents see them. */

import { openable } from "./addresses.js";

/**
 * @typedef {{tabId: number, url: string, title: string, active: boolean, status: string,
 *   dialog?: import("./dialogs.js").Dialog, opener?: number}} Tab
 */

export class Tabs {
  #sessions;
  #dialogs;
  #debugging;

  /**
   * @param {import("./sessions.js").Sessions} sessions
   * @param {import("./dialogs.js").Dialogs} dialogs
   * @param {import("./debugger.js").Debugging} debugging
   */
  constructor(sessions, dialogs, debugging) {
    this.#sessions = sessions;
    this.#dialogs = dialogs;
    this.#debugging = debugging;
  }

  /** @param {string} session */
  async list(session) {
    return { tabs: (await this.#sessions.tabs(session)).map((tab) => this.describe(tab)) };
  }

  /**
   * Opens a tab in the session's group without bringing it to the front.
   * @param {string} session
   * @param {string | undefined} url
   * @param {AbortSignal} signal
   */
  async create(session, url, signal) {
    const address = openable(url ?? "about:blank");
    const tabId = await blankTab(await this.#sessions.groupWindow(session));
    await this.#sessions.add(session, tabId);
    signal.throwIfAborted();
    // Attached before the page loads, so that a dialog it opens at once is heard of.
    await this.#debugging.attach(tabId);
    signal.throwIfAborted();
    if (address !== "about:blank") await chrome.tabs.update(tabId, { url: address });
    return this.describe(await chrome.tabs.get(tabId));
  }

  /** @param {number} tabId */
  async close(tabId) {
    await chrome.tabs.remove(tabId);
    return {};
  }

  /** @param {chrome.tabs.Tab} tab @returns {Tab} */
  describe({ id = -1, url, pendingUrl, title, active, status, openerTabId, groupId }) {
    const dialog = this.#dialogs.get(id);
    const session = this.#sessions.ofTab(id);
    const opener = openerTabId !== undefined && session && this.#sessions.ofTab(openerTabId) === session ? openerTabId : undefined;
    return {
      ...{ tabId: id, url: url || pendingUrl || "", title: title ?? "", active, status: status ?? "complete" },
      ...(dialog && { dialog }),
      ...(opener !== undefined && { opener }),
    };
  }
}

/** @param {number | undefined} windowId */
async function blankTab(windowId) {
  const normal = windowId ?? (await chrome.windows.getAll({ windowTypes: ["normal"] })).find(({ incognito }) => !incognito)?.id;
  if (normal !== undefined) {
    const { id } = await chrome.tabs.create({ windowId: normal, url: "about:blank", active: false });
    return /** @type {number} */ (id);
  }
  const created = await chrome.windows.create({ url: "about:blank", focused: false });
  return /** @type {number} */ (created?.tabs?.[0].id);
}
