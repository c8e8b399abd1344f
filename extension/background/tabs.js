/** The tabs of a session, as agents see them. */

import { openable } from "./addresses.js";
import { Stored } from "./stored.js";

/**
 * @typedef {{tabId: number, url: string, title: string, active: boolean, status: string,
 *   dialog?: import("./dialogs.js").Dialog, opener?: number}} Tab
 */

export class Tabs {
  #sessions;
  #dialogs;
  #debugging;
  /**
   * Which tab's page opened which. Chrome's own openerTabId changes with the order in which the user visits tabs.
   * @type {Stored<Record<number, number>>}
   */
  #openers = new Stored(() => chrome.storage.session, "openers", {});

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

  load() {
    return this.#openers.load();
  }

  /** @param {number} tabId @param {number} opener */
  async openedBy(tabId, opener) {
    this.#openers.value[tabId] = opener;
    await this.#openers.save();
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
  describe({ id = -1, url, pendingUrl, title, active, status }) {
    const dialog = this.#dialogs.get(id);
    const opener = this.#openers.value[id];
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
