/** What happens in the browser: noted where it is kept, told to the agents of the tab's session, and to the requests that wait on it. */

import { dialogOpen } from "./dialogs.js";
import { crash } from "./debugger.js";
import { tabClosed } from "./errors.js";
import { outside } from "./sessions.js";

/** The DevTools events that agents wait for; all others stay here. */
export const FORWARDED = new Set([
  ...["Page.frameStartedNavigating", "Page.frameStartedLoading", "Page.frameRequestedNavigation", "Page.frameNavigated"],
  ...["Page.navigatedWithinDocument", "Page.frameStoppedLoading", "Page.domContentEventFired", "Page.loadEventFired"],
  ...["Page.frameDetached", "Page.fileChooserOpened", "Page.screencastFrame", "Inspector.targetCrashed", "Input.dragIntercepted"],
  "Page.windowOpen",
]);

export class Events {
  #parts;

  /**
   * @param {{
   *   agents: import("./agents.js").Agents,
   *   sessions: import("./sessions.js").Sessions,
   *   dialogs: import("./dialogs.js").Dialogs,
   *   debugging: import("./debugger.js").Debugging,
   *   reader: import("./reader.js").Reader,
   *   downloads: import("./downloads.js").Downloads,
   *   tabs: import("./tabs.js").Tabs,
   *   send: (agent: number, message: object) => void,
   * }} parts
   */
  constructor(parts) {
    this.#parts = parts;
  }

  /** Tells the agents of a session. @param {string | undefined} session @param {string} name @param {object} params */
  emit(session, name, params) {
    if (session === undefined) return;
    for (const agent of this.#parts.agents.of(session)) this.#parts.send(agent.id, { type: "event", name, params });
  }

  /** @param {number} tabId @param {string} name @param {object} params */
  #emitOf(tabId, name, params) {
    this.emit(this.#parts.sessions.ofTab(tabId), name, params);
  }

  /** @param {chrome.debugger.Debuggee} source @param {string} method @param {any} params */
  debuggerEvent({ tabId }, method, params) {
    if (tabId === undefined) return;
    if (method === "Page.javascriptDialogOpening") return this.#dialogOpened(tabId, params);
    if (method === "Page.javascriptDialogClosed") return this.#dialogClosed(tabId, params.result);
    if (method === "Page.downloadWillBegin") return this.#downloadBegun(tabId, params);
    if (method === "Inspector.targetCrashed") this.#crashed(tabId);
    if (method === "Inspector.targetReloadedAfterCrash") this.#parts.debugging.revived(tabId);
    if (method === "Page.screencastFrame" && !this.#parts.debugging.casting.has(tabId)) return;
    if (FORWARDED.has(method)) this.#emitOf(tabId, "debugger.event", { tabId, method, params });
  }

  /** @param {chrome.debugger.Debuggee} source @param {string} reason */
  debuggerDetached({ tabId }, reason) {
    if (tabId === undefined) return;
    this.#parts.debugging.forget(tabId);
    // Chrome answers an open dialog with "no" when the debugger that was told of it goes.
    if (this.#parts.dialogs.get(tabId)) this.#dialogClosed(tabId, false);
    this.#emitOf(tabId, "debugger.detached", { tabId, reason });
  }

  /**
   * A page of a session opened a tab: it is the session's too.
   * @param {{sourceTabId: number, tabId: number}} details
   */
  async opened({ sourceTabId, tabId }) {
    const { sessions, debugging, tabs } = this.#parts;
    const session = sessions.ofTab(sourceTabId);
    if (session === undefined) return;
    // First of all and not waited for: a dialog that opens before the debugger stands stays unknown, and blocks the attaching.
    debugging.attach(tabId).catch((error) => console.info("Tab", tabId, "cannot be attached yet:", error));
    await Promise.all([sessions.add(session, tabId), tabs.openedBy(tabId, sourceTabId)]);
    this.emit(session, "tab.created", tabs.describe(await chrome.tabs.get(tabId)));
  }

  /** @param {number} tabId @param {{url?: string, title?: string, status?: string}} change @param {chrome.tabs.Tab} tab */
  updated(tabId, { url, title, status }, tab) {
    const { sessions } = this.#parts;
    const before = sessions.ofTab(tabId);
    sessions.see(tab);
    if (before !== undefined && before !== sessions.ofTab(tabId)) void this.left(tabId, before);
    if (url === undefined && title === undefined && status === undefined) return;
    this.#emitOf(tabId, "tab.updated", { tabId, url, title, status });
  }

  /** @param {number} tabId */
  removed(tabId) {
    const { agents, sessions, dialogs, debugging, reader } = this.#parts;
    agents.end((pending) => pending.tabId === tabId && pending.method !== "tabs.close", tabClosed(tabId));
    this.#emitOf(tabId, "tab.removed", { tabId });
    dialogs.closed(tabId);
    debugging.forget(tabId);
    sessions.forget(tabId);
    void reader.forget(tabId);
  }

  /** A tab left its session: the user took it out or handed it on, or it is being closed. @param {number} tabId @param {string} session */
  async left(tabId, session) {
    this.emit(session, "tab.removed", { tabId });
    const stays = await chrome.tabs.get(tabId).then(Boolean, () => false);
    if (!stays) return;
    this.#parts.agents.end((pending) => pending.tabId === tabId && pending.method !== "tabs.close", outside(tabId));
    await this.#letGo(tabId);
  }

  /**
   * With the last session that had a tab goes the debugger, with Chrome's bar and all that it feigns in the page. An open
   * dialog would be answered with "no" by that, so it comes first; so does the end of a tab that an agent is closing.
   * @param {number} tabId
   */
  async #letGo(tabId) {
    const { sessions, dialogs, debugging } = this.#parts;
    if (sessions.ofTab(tabId) !== undefined || dialogs.get(tabId) || this.#isClosing(tabId)) return;
    await debugging.detach(tabId);
  }

  /** @param {number} tabId */
  #isClosing(tabId) {
    const closes = (/** @type {import("./agents.js").Pending} */ pending) => pending.tabId === tabId && pending.method === "tabs.close";
    return this.#parts.agents.all().some((agent) => [...agent.pending.values()].some(closes));
  }

  /** @param {chrome.downloads.DownloadItem} item */
  downloadCreated(item) {
    const owner = this.#parts.downloads.created(item);
    if (owner) void this.#downloadChanged(item.id);
  }

  /** @param {{id: number, state?: unknown, filename?: unknown}} delta */
  downloadDelta({ id, state, filename }) {
    if (state || filename) void this.#downloadChanged(id);
  }

  /** @param {number} tabId @param {any} params */
  #dialogOpened(tabId, params) {
    const { agents, dialogs, debugging, sessions } = this.#parts;
    const dialog = dialogs.opened(tabId, params);
    if (this.#isClosing(tabId)) {
      // Whoever closes the tab has decided already.
      return void debugging.command(tabId, "Page.handleJavaScriptDialog", { accept: true }).catch(console.info);
    }
    agents.end((pending) => pending.tabId === tabId && !pending.behindDialog, dialogOpen(dialog));
    this.emit(sessions.ofTab(tabId), "dialog.opened", dialog);
  }

  /** @param {number} tabId @param {boolean} accepted */
  #dialogClosed(tabId, accepted) {
    this.#parts.dialogs.closed(tabId);
    this.#emitOf(tabId, "dialog.closed", { tabId, accepted });
    // Not where the debugger has gone already, and took the dialog with it.
    if (this.#parts.debugging.isAttached(tabId)) void this.#letGo(tabId);
  }

  /** @param {number} tabId */
  #crashed(tabId) {
    this.#parts.debugging.crashed(tabId);
    this.#parts.agents.end((pending) => pending.tabId === tabId && !pending.behindDialog, crash(tabId));
  }

  /** @param {number} tabId @param {{url: string}} params */
  #downloadBegun(tabId, { url }) {
    const session = this.#parts.sessions.ofTab(tabId);
    if (session === undefined) return;
    const id = this.#parts.downloads.begun(url, { tabId, session });
    if (id !== undefined) void this.#downloadChanged(id);
  }

  /** @param {number} id */
  async #downloadChanged(id) {
    const owner = this.#parts.downloads.ownerOf(id);
    const [item] = owner ? await chrome.downloads.search({ id }) : [];
    if (!owner || !item) return;
    const { filename, state, finalUrl, url } = item;
    this.emit(owner.session, "download.changed", { id, tabId: owner.tabId, filename, state, url: finalUrl || url });
  }
}
