/** Shows what the worker knows and sends what the user wishes; it decides nothing. */

import { connectionText, noteText, sessionText, tabActions } from "./words.js";

/**
 * @typedef {import("../background/control.js").View} View
 * @typedef {import("../background/control.js").Wish} Wish
 */

const worker = chrome.runtime.connect({ name: "popup" });
worker.onMessage.addListener(show);

/** @type {View | undefined} */
let shown;

element("pause").addEventListener("click", () => send({ type: "pause", paused: !shown?.paused }));

/** @param {Wish} wish */
function send(wish) {
  worker.postMessage(wish);
}

/** @param {View} view */
function show(view) {
  shown = view;
  const status = element("status");
  status.dataset.state = view.connection.status;
  status.textContent = connectionText(view.connection);
  showNote(noteText(view));
  showPause(view.paused);
  showTab(view);
  showSessions(view);
  element("versions").textContent = versions(view);
}

/** @param {string} text */
function showNote(text) {
  const note = element("note");
  note.hidden = !text;
  note.textContent = text;
}

/** @param {boolean} paused */
function showPause(paused) {
  element("pause").setAttribute("aria-checked", String(paused));
  element("pause-text").textContent = paused ? "Paused: no agent can read or touch anything." : "Agents may work in their own tab groups.";
}

/** @param {View} view */
function showTab(view) {
  element("tab").textContent = view.tab?.title ?? "No tab";
  const buttons = tabActions(view).map(({ label, wish, plain }) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = plain ? "plain" : "";
    button.textContent = label;
    button.addEventListener("click", () => send(wish));
    return button;
  });
  replaceKeepingFocus(element("tab-actions"), buttons);
}

/** A list drawn anew must not take the keyboard's place away. @param {HTMLElement} parent @param {HTMLElement[]} children */
function replaceKeepingFocus(parent, children) {
  const had = parent.contains(document.activeElement);
  parent.replaceChildren(...children);
  if (had) children[0]?.focus();
}

/** @param {View} view */
function showSessions({ sessions }) {
  element("nobody").hidden = sessions.length > 0;
  element("sessions").replaceChildren(
    ...sessions.map((session) => {
      const item = document.createElement("li");
      const name = document.createElement("span");
      const agents = document.createElement("small");
      name.textContent = name.title = session.name;
      agents.textContent = sessionText(session);
      item.append(name, agents);
      return item;
    }),
  );
}

/** @param {View} view */
function versions({ version, connection }) {
  return `Extension ${version}${connection.host ? ` · host ${connection.host.version}` : ""}`;
}

/** @param {string} id @returns {HTMLElement} */
function element(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}
