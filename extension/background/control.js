/** What the user may do in the popup, and nobody else: pause and resume, hand a tab over and take it back. */

import { pause } from "./dispatch.js";

/**
 * @typedef {{name: string, agents: {client: string}[]}} SessionView
 * @typedef {{
 *   connection: import("./port.js").Connection, version: string, paused: boolean, sessions: SessionView[],
 *   tab: {tabId: number, title: string, session?: string} | null,
 * }} View what the popup shows
 * @typedef {{type: "pause", paused: boolean} | {type: "hand", tabId: number, session: string} | {type: "release", tabId: number}} Wish
 */

export class Control {
  #parts;
  /** @type {Set<chrome.runtime.Port>} */
  #popups = new Set();

  /**
   * @param {{
   *   agents: import("./agents.js").Agents,
   *   sessions: import("./sessions.js").Sessions,
   *   port: import("./port.js").HostPort,
   *   paused: import("./stored.js").Stored<boolean>,
   *   events: import("./events.js").Events,
   *   dialogs: import("./dialogs.js").Dialogs,
   *   debugging: import("./debugger.js").Debugging,
   * }} parts
   */
  constructor(parts) {
    this.#parts = parts;
  }

  /**
   * Takes a connection of our own popup; every other is cut.
   * @param {chrome.runtime.Port} popup
   * @param {Promise<unknown>} ready
   */
  connect(popup, ready) {
    if (!isPopup(popup.sender)) return popup.disconnect();
    popup.onDisconnect.addListener(() => void this.#popups.delete(popup));
    popup.onMessage.addListener((/** @type {Wish} */ wish) => void ready.then(() => this.#grant(wish)).catch(console.error));
    void ready.then(() => {
      this.#popups.add(popup);
      this.changed();
    });
  }

  /** Shows the present state in the popup, when it is open, and on the toolbar. */
  changed() {
    void chrome.action.setBadgeText({ text: this.#parts.paused.value ? "II" : "" });
    if (this.#popups.size) void this.#show().catch(console.error);
  }

  /** @param {Wish} wish */
  async #grant(wish) {
    if (wish.type === "pause") await this.#pause(wish.paused);
    if (wish.type === "hand") await this.#move(wish.tabId, () => this.#parts.sessions.add(wish.session, wish.tabId));
    if (wish.type === "release") await this.#move(wish.tabId, () => this.#parts.sessions.release(wish.tabId));
    this.changed();
  }

  /** A tab that is in no group changes hands without an event of Chrome's. @param {number} tabId @param {() => Promise<void>} move */
  async #move(tabId, move) {
    const { sessions, events } = this.#parts;
    const before = sessions.ofTab(tabId);
    await move();
    if (before !== undefined && before !== sessions.ofTab(tabId)) await events.left(tabId, before);
  }

  /** @param {boolean} paused */
  async #pause(paused) {
    const { paused: stored, agents, events } = this.#parts;
    stored.value = paused === true;
    if (stored.value) agents.end(() => true, pause());
    await stored.save();
    if (stored.value) await this.#letGo();
    for (const session of new Set(agents.all().map((agent) => agent.session))) {
      if (session !== null) events.emit(session, "session.paused", { paused: stored.value });
    }
  }

  /** A dialog would be answered with "no" by detaching, so a tab that shows one is left as it is. */
  async #letGo() {
    const { debugging, dialogs } = this.#parts;
    await Promise.all(debugging.tabs().filter((tabId) => !dialogs.get(tabId)).map((tabId) => debugging.detach(tabId)));
  }

  async #show() {
    const view = await this.#view();
    for (const popup of this.#popups) popup.postMessage(view);
  }

  /** @returns {Promise<View>} */
  async #view() {
    const { agents, sessions, port, paused } = this.#parts;
    const [tab] = await chrome.tabs.query({ active: true, lastFocusedWindow: true });
    const named = sessions.names().map((name) => ({ name, agents: agents.of(name).map(({ client }) => ({ client })) }));
    return {
      connection: port.connection,
      version: chrome.runtime.getManifest().version,
      paused: paused.value,
      sessions: named,
      tab: tab?.id === undefined ? null : { tabId: tab.id, title: tab.title ?? "", session: sessions.ofTab(tab.id) },
    };
  }
}

/** @param {chrome.runtime.MessageSender | undefined} sender */
function isPopup(sender) {
  return sender?.id === chrome.runtime.id && sender?.url === chrome.runtime.getURL("popup/popup.html");
}
