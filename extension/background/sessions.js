/**
 * Session → tab group → tabs. A session may touch the tabs of its own group and nothing else: the fence. The user moves it by
 * dragging tabs in and out of the group; Chrome's groups are the record, and only what they cannot hold is stored.
 */

import { BridgeError } from "./errors.js";
import { Serial } from "./serial.js";
import { Stored } from "./stored.js";

/**
 * @typedef {{group: number | null, adopted: number[]}} Session
 *   `adopted`: tabs that Chrome cannot put into the group, such as those of a popup window
 */

const UNGROUPED = -1;
/** @type {`${chrome.tabGroups.Color}`[]} */
const COLORS = ["blue", "purple", "cyan", "green", "orange", "pink", "yellow", "red"];

export class Sessions {
  /** @type {Stored<Record<string, Session>>} */
  #stored = new Stored(() => chrome.storage.session, "sessions", {});
  /** The group of each tab, for events, which carry only a tab's id. The fence asks Chrome anew. @type {Map<number, number>} */
  #groupOf = new Map();
  #serial = new Serial();

  async load() {
    await this.#stored.load();
    for (const tab of await chrome.tabs.query({})) this.see(tab);
  }

  /** Notes where a tab is now. @param {chrome.tabs.Tab} tab */
  see(tab) {
    if (tab.id === undefined) return;
    this.#groupOf.set(tab.id, tab.groupId);
    // A tab that reached a group is judged by it alone, or taking it out of the group would not take it away from the session.
    if (tab.groupId !== UNGROUPED) this.#disown(tab.id);
  }

  /** @param {number} tabId */
  forget(tabId) {
    this.#groupOf.delete(tabId);
    this.#disown(tabId);
  }

  names() {
    return Object.keys(this.#stored.value);
  }

  /** Makes the session if there is none of that name. @param {string} name */
  async open(name) {
    if (Object.hasOwn(this.#stored.value, name)) return;
    this.#stored.value[name] = { group: null, adopted: [] };
    await this.#stored.save();
  }

  /** Returns the session that a tab is in, as far as events have told. @param {number} tabId */
  ofTab(tabId) {
    return this.#owner(tabId, this.#groupOf.get(tabId) ?? UNGROUPED);
  }

  /**
   * Returns the tab if it is inside the session's fence at this moment.
   * @param {string} name
   * @param {number} tabId
   * @returns {Promise<chrome.tabs.Tab>}
   */
  async fenced(name, tabId) {
    const tab = await chrome.tabs.get(tabId);
    this.see(tab);
    if (this.#owner(tabId, tab.groupId) === name) return tab;
    throw outside(tabId);
  }

  /** Returns the session's tabs. @param {string} name */
  async tabs(name) {
    const all = await chrome.tabs.query({});
    return all.filter((tab) => tab.id !== undefined && this.#owner(tab.id, tab.groupId) === name);
  }

  /** Returns the window of the session's group, or nothing when the group does not exist (any more). @param {string} name */
  async groupWindow(name) {
    const group = this.#stored.value[name]?.group ?? null;
    const found = group === null ? undefined : await chrome.tabGroups.get(group).catch(() => undefined);
    return found?.windowId;
  }

  /**
   * Puts a tab inside the fence: into the group where Chrome allows it, else onto the list of adopted tabs.
   * @param {string} name
   * @param {number} tabId
   */
  add(name, tabId) {
    return this.#serial.run(name, async () => {
      await this.open(name);
      const session = this.#stored.value[name];
      try {
        await this.#group(name, session, tabId);
      } catch (error) {
        // "Tabs can only be moved to and from normal windows", or the user is dragging a tab at this moment.
        console.info("Tab", tabId, "stays outside the group:", error);
        session.adopted.push(tabId);
      }
      await this.#stored.save();
    });
  }

  /** Puts a tab outside every fence. @param {number} tabId */
  async release(tabId) {
    this.#disown(tabId);
    const tab = await chrome.tabs.get(tabId);
    if (tab.groupId !== UNGROUPED && this.#owner(tabId, tab.groupId)) await chrome.tabs.ungroup(tabId);
    this.#groupOf.set(tabId, UNGROUPED);
  }

  /** @param {string} name @param {Session} session @param {number} tabId */
  async #group(name, session, tabId) {
    const { windowId } = await chrome.tabs.get(tabId);
    const exists = (await this.groupWindow(name)) !== undefined;
    const where = exists && session.group !== null ? { groupId: session.group } : { createProperties: { windowId } };
    session.group = await chrome.tabs.group({ tabIds: [tabId], ...where });
    this.#groupOf.set(tabId, session.group);
    if (!exists) await chrome.tabGroups.update(session.group, { title: name, color: colorOf(name) });
  }

  /** @param {number} tabId @param {number} groupId @returns {string | undefined} */
  #owner(tabId, groupId) {
    const holds = (/** @type {Session} */ session) =>
      groupId === UNGROUPED ? session.adopted.includes(tabId) : session.group === groupId;
    return Object.entries(this.#stored.value).find(([, session]) => holds(session))?.[0];
  }

  /** @param {number} tabId */
  #disown(tabId) {
    for (const session of Object.values(this.#stored.value)) {
      if (!session.adopted.includes(tabId)) continue;
      session.adopted = session.adopted.filter((id) => id !== tabId);
      void this.#stored.save();
    }
  }
}

/** @param {number} tabId */
export function outside(tabId) {
  const message =
    `Tab ${tabId} is not in the tab group of this session. Use a tab of the session (tabs_context lists them), ` +
    "or ask the user to hand it over in Freehold's popup.";
  return new BridgeError("outside_fence", message, { tabId });
}

/** The same name has the same colour every day. @param {string} name */
function colorOf(name) {
  const sum = [...name].reduce((total, char) => total + (char.codePointAt(0) ?? 0), 0);
  return COLORS[sum % COLORS.length];
}
