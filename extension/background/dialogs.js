/**
 * The dialog that blocks each tab. It is stored, because a later process (or worker) can learn of it in no other way: the
 * page answers nothing until the dialog is handled.
 */

import { BridgeError } from "./errors.js";
import { Stored } from "./stored.js";

/** @typedef {{tabId: number, type: string, message: string, default_prompt: string, url: string}} Dialog */

export class Dialogs {
  /** @type {Stored<Record<number, Dialog>>} */
  #stored = new Stored(() => chrome.storage.session, "dialogs", {});

  load() {
    return this.#stored.load();
  }

  /** @param {number} tabId @returns {Dialog | undefined} */
  get(tabId) {
    return this.#stored.value[tabId];
  }

  /** Notes what Page.javascriptDialogOpening says. @param {number} tabId @param {any} params @returns {Dialog} */
  opened(tabId, { type, message, defaultPrompt, url }) {
    const dialog = { tabId, type, message, default_prompt: defaultPrompt ?? "", url };
    this.#stored.value[tabId] = dialog;
    void this.#stored.save();
    return dialog;
  }

  /** Returns whether there was one. @param {number} tabId */
  closed(tabId) {
    const was = tabId in this.#stored.value;
    delete this.#stored.value[tabId];
    if (was) void this.#stored.save();
    return was;
  }

  /** @param {number} tabId @throws {BridgeError} dialog_open */
  check(tabId) {
    const dialog = this.get(tabId);
    if (dialog) throw dialogOpen(dialog);
  }
}

/** @param {Dialog} dialog */
export function dialogOpen(dialog) {
  const message = `A dialog (${dialog.type}) blocks the page until it is answered. Answer it with handle_dialog.`;
  return new BridgeError("dialog_open", message, { ...dialog });
}
