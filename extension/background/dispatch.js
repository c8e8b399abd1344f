/**
 * The gate: every request of every agent passes here, and here alone it is decided whether it may run. In this order: is
 * everything paused, is there such a method, are the parameters its own, is the tab inside the session's fence, is the
 * command on the allow-list, may the page be touched, does a dialog block it. Pause and fence are lifted only in the popup.
 */

import { checkTouchable } from "./addresses.js";
import { allowed } from "./commands.js";
import { aborted, BridgeError, tabClosed, toWire } from "./errors.js";

/**
 * @typedef {import("./agents.js").Agent} Agent
 * @typedef {import("./agents.js").Pending} Pending
 * @typedef {import("./methods.js").Method} Method
 * @typedef {{id: number, method: string, params: any, deadline_ms: number}} Request
 */

const DEFAULT_DEADLINE_MS = 30_000;
const LONGEST_DEADLINE_MS = 600_000;

/** @type {Record<string, (value: any) => boolean>} */
const TYPES = {
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  integer: Number.isInteger,
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  array: Array.isArray,
  "[integer]": (value) => Array.isArray(value) && value.every(Number.isInteger),
  "[{method, params}]": (value) => Array.isArray(value) && value.length > 0 && value.every(TYPES.object),
};

export class Dispatch {
  #methods;
  #agents;
  #sessions;
  #dialogs;
  #debugging;
  #paused;
  #send;

  /**
   * @param {{
   *   methods: Record<string, Method>,
   *   agents: import("./agents.js").Agents,
   *   sessions: import("./sessions.js").Sessions,
   *   dialogs: import("./dialogs.js").Dialogs,
   *   debugging: import("./debugger.js").Debugging,
   *   paused: () => boolean,
   *   send: (agent: number, message: object) => void,
   * }} parts
   */
  constructor({ methods, agents, sessions, dialogs, debugging, paused, send }) {
    this.#methods = methods;
    this.#agents = agents;
    this.#sessions = sessions;
    this.#dialogs = dialogs;
    this.#debugging = debugging;
    this.#paused = paused;
    this.#send = send;
  }

  /** Takes a message of an agent. @param {number} agentId @param {any} message */
  receive(agentId, message) {
    const agent = this.#agents.get(agentId);
    if (!agent) return console.warn("A message of an agent that is not open:", agentId);
    if (message?.type === "request") return void this.#answer(agent, message);
    if (message?.type !== "cancel") return console.warn("A message of unknown type:", message?.type);
    agent.pending.get(message.id)?.abort.abort(new BridgeError("cancelled", "The call was cancelled; what was asked may have happened."));
  }

  /** Every request is answered exactly once. @param {Agent} agent @param {Request} request */
  async #answer(agent, request) {
    const { id } = request;
    try {
      const result = await this.#raced(agent, request);
      this.#send(agent.id, { type: "response", id, result });
    } catch (error) {
      this.#send(agent.id, { type: "response", id, error: toWire(error) });
    }
  }

  /**
   * The request, or whatever ends it before: its deadline, its cancel, a dialog, the end of its tab, the pause.
   * @param {Agent} agent
   * @param {Request} request
   */
  async #raced(agent, { id, method, params, deadline_ms = DEFAULT_DEADLINE_MS }) {
    if (!Number.isInteger(id) || agent.pending.has(id)) {
      throw new BridgeError("invalid_argument", "The request's id is not a new integer.", { id });
    }
    const abort = new AbortController();
    /** @type {Pending} */
    const pending = { id, method, behindDialog: false, abort };
    agent.pending.set(id, pending);
    const timer = setTimeout(() => abort.abort(late(method)), Math.min(deadline_ms, LONGEST_DEADLINE_MS));
    try {
      return await Promise.race([aborted(abort.signal), this.#run(agent, pending, params ?? {})]);
    } finally {
      clearTimeout(timer);
      agent.pending.delete(id);
    }
  }

  /** @param {Agent} agent @param {Pending} pending @param {any} params */
  async #run(agent, pending, params) {
    const method = this.#permitted(agent, pending.method);
    checkParams(pending.method, method, params);
    const session = agent.session ?? "";
    const { signal } = pending.abort;
    const fenced = method.fence === "tab" ? await this.#permittedTab(session, method, pending, params) : undefined;
    const tab = /** @type {chrome.tabs.Tab} */ (fenced);
    signal.throwIfAborted();
    try {
      return await method.run({ agent, session, params, tab, signal });
    } catch (error) {
      throw tab ? await closedOr(params.tabId, error) : error;
    }
  }

  /** @param {Agent} agent @param {string} name */
  #permitted(agent, name) {
    if (!Object.hasOwn(this.#methods, name)) {
      throw new BridgeError("unknown_method", `The extension knows no method ${name}.`, { allowed: Object.keys(this.#methods) });
    }
    const method = this.#methods[name];
    if (method.fence === "none") return method;
    if (this.#paused()) throw pause();
    if (agent.session === null) throw new BridgeError("session_not_open", `${name} was called before session.open.`);
    return method;
  }

  /** @param {string} session @param {Method} method @param {Pending} pending @param {any} params */
  async #permittedTab(session, method, pending, params) {
    const commands = commandsOf(pending.method, params);
    const leaves = commands.length > 0 && commands.every(({ navigates }) => navigates);
    const tab = await this.#sessions.fenced(session, params.tabId);
    if (method.touches && !leaves) {
      checkTouchable(tab.url);
      this.#debugging.checkAlive(params.tabId);
    }
    pending.tabId = params.tabId;
    pending.behindDialog = method.behindDialog === true || params.method === "Page.handleJavaScriptDialog";
    if (!pending.behindDialog) this.#dialogs.check(params.tabId);
    return tab;
  }
}

export function pause() {
  return new BridgeError("paused", "The user has paused all agents. Only the user can resume, in Freehold's popup: ask for it.");
}

/** @param {string} name @param {any} params @returns {import("./commands.js").Command[]} */
function commandsOf(name, params) {
  if (name === "debugger.send") return [allowed(params.method, params.params)];
  if (name !== "debugger.batch") return [];
  return params.commands.map((/** @type {any} */ { method, params: own }) => allowed(method, own));
}

/**
 * A tab that is being closed first loses its frames and its debugger, and Chrome reports only that.
 * @param {number} tabId
 * @param {unknown} error
 */
async function closedOr(tabId, error) {
  const stands = await chrome.tabs.get(tabId).then(Boolean, () => false);
  return stands ? error : tabClosed(tabId);
}

/** @param {string} name @param {Method} method @param {any} params */
function checkParams(name, method, params) {
  const given = TYPES.object(params) ? Object.keys(params) : [];
  const unknown = given.filter((key) => !Object.hasOwn(method.params, key));
  const wrong = Object.entries(method.params).filter(([key, type]) => {
    const optional = type.endsWith("?");
    return !(optional && params[key] == null) && !TYPES[type.replace("?", "")](params[key]);
  });
  if (!TYPES.object(params) || unknown.length || wrong.length) {
    const data = { unknown, wrong: Object.fromEntries(wrong), valid: method.params };
    throw new BridgeError("invalid_argument", `The parameters of ${name} do not fit.`, data);
  }
}

/** @param {string} method */
function late(method) {
  const message = `${method} did not finish in time; what was asked may have happened. Look at the page before trying again.`;
  return new BridgeError("timeout", message);
}
