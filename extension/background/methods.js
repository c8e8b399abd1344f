/** Every method of protocol/methods.json: what it may be given, which fence holds it, and who does it. */

import { named } from "./errors.js";

/**
 * @typedef {{agent: import("./agents.js").Agent, session: string, params: any, tab: chrome.tabs.Tab, signal: AbortSignal}} Call
 *   `tab` only where the fence is "tab"
 * @typedef {{
 *   fence: "none" | "session" | "tab",
 *   params: Record<string, string>,
 *   touches?: boolean,
 *   behindDialog?: boolean,
 *   run: (call: Call) => Promise<any>,
 * }} Method `touches`: it reads or acts on the page itself, so the page's address matters; `behindDialog`: a dialog does not stop it
 * @typedef {{
 *   openSession: (agent: import("./agents.js").Agent, params: any) => Promise<any>,
 *   tabs: import("./tabs.js").Tabs,
 *   dialogs: import("./dialogs.js").Dialogs,
 *   debugging: import("./debugger.js").Debugging,
 *   reader: import("./reader.js").Reader,
 *   downloads: import("./downloads.js").Downloads,
 * }} Parts
 */

/**
 * @param {Parts} parts
 * @returns {Record<string, Method>}
 */
export function methods(parts) {
  return { ...ofSession(parts), ...ofTab(parts), ...ofPage(parts) };
}

/** @param {Parts} parts @returns {Record<string, Method>} */
function ofSession({ openSession, tabs, downloads }) {
  return {
    "session.open": {
      fence: "none",
      params: { name: "string", exclusive: "boolean", client: "string" },
      run: ({ agent, params }) => openSession(agent, params),
    },
    "tabs.list": { fence: "session", params: {}, run: ({ session }) => tabs.list(session) },
    "tabs.create": {
      fence: "session",
      params: { url: "string?" },
      run: ({ session, params, signal }) => tabs.create(session, params.url ?? undefined, signal),
    },
    "downloads.list": {
      fence: "session",
      params: { ids: "[integer]" },
      run: ({ session, params }) => downloads.list(session, params.ids),
    },
  };
}

/** @param {Parts} parts @returns {Record<string, Method>} */
function ofTab({ tabs, dialogs, debugging }) {
  return {
    "tabs.get": { fence: "tab", params: { tabId: "integer" }, behindDialog: true, run: async ({ tab }) => tabs.describe(tab) },
    "tabs.close": { fence: "tab", params: { tabId: "integer" }, behindDialog: true, run: ({ params }) => tabs.close(params.tabId) },
    "debugger.send": {
      fence: "tab",
      params: { tabId: "integer", method: "string", params: "object" },
      touches: true,
      run: async ({ params, signal }) => {
        try {
          return await debugging.send(params.tabId, params, signal);
        } catch (error) {
          // Whether a dialog is open Chrome knows better than what is stored of it.
          if (named(error).code === "no_dialog") dialogs.closed(params.tabId);
          throw error;
        }
      },
    },
    "debugger.batch": {
      fence: "tab",
      params: { tabId: "integer", commands: "[{method, params}]" },
      touches: true,
      run: async ({ params, signal }) => ({ results: await debugging.batch(params.tabId, params.commands, signal) }),
    },
  };
}

/** @param {Parts} parts @returns {Record<string, Method>} */
function ofPage({ tabs, debugging, reader }) {
  return {
    "page.read": {
      fence: "tab",
      params: { tabId: "integer", ref: "integer?" },
      touches: true,
      run: watched(debugging, ({ params }) => reader.read(params.tabId, params.ref ?? undefined)),
    },
    "page.call": {
      fence: "tab",
      params: { tabId: "integer", frameId: "integer?", function: "string", args: "array" },
      touches: true,
      run: watched(debugging, async ({ params }) => {
        const answer = await reader.call(params.tabId, params.frameId ?? undefined, params.function, params.args);
        // Most callers would ask for it next, and that is a way of its own.
        return { ...answer, tab: tabs.describe(await chrome.tabs.get(params.tabId)) };
      }),
    },
  };
}

/**
 * Only an attached debugger tells of the dialog that would let a reading wait for ever.
 * @param {import("./debugger.js").Debugging} debugging
 * @param {Method["run"]} run
 * @returns {Method["run"]}
 */
function watched(debugging, run) {
  return async (call) => {
    await debugging.attach(call.params.tabId);
    call.signal.throwIfAborted();
    return run(call);
  };
}
