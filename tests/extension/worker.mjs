/** The worker's parts put together as in main.js, on a browser in memory, with an agent that keeps what it is told. */

import { Agents } from "../../extension/background/agents.js";
import { Control } from "../../extension/background/control.js";
import { Debugging } from "../../extension/background/debugger.js";
import { Dialogs } from "../../extension/background/dialogs.js";
import { Dispatch } from "../../extension/background/dispatch.js";
import { Downloads } from "../../extension/background/downloads.js";
import { Events } from "../../extension/background/events.js";
import { methods } from "../../extension/background/methods.js";
import { opening } from "../../extension/background/opening.js";
import { Reader } from "../../extension/background/reader.js";
import { Sessions } from "../../extension/background/sessions.js";
import { Stored } from "../../extension/background/stored.js";
import { Tabs } from "../../extension/background/tabs.js";
import { FakeChrome, quiet } from "./fake_chrome.mjs";

export class Worker {
  #id = 0;
  /** Messages to agents, in order: [agent, message]. */
  sent = [];

  static async start(chrome = new FakeChrome()) {
    globalThis.chrome = chrome;
    const worker = new Worker(chrome);
    await Promise.all(Object.values(worker.parts).map((part) => part.load?.()));
    return worker;
  }

  constructor(chrome) {
    this.chrome = chrome;
    const paused = new Stored(() => chrome.storage.local, "paused", false);
    const agents = new Agents();
    const sessions = new Sessions();
    const dialogs = new Dialogs();
    const debugging = new Debugging();
    const reader = new Reader();
    const downloads = new Downloads();
    const tabs = new Tabs(sessions, dialogs, debugging);
    const send = (agent, message) => this.sent.push([agent, structuredClone(message)]);
    const parts = { agents, sessions, dialogs, debugging, reader, downloads, tabs, paused, send };
    this.parts = parts;
    this.events = new Events(parts);
    this.control = new Control({ ...parts, port: { connection: { status: "connected" } }, events: this.events });
    const openSession = opening(agents, sessions, () => paused.value, () => this.control.changed());
    this.dispatch = new Dispatch({ ...parts, methods: methods({ ...parts, openSession }), paused: () => paused.value });
    chrome.tabs.onUpdated.addListener((id, change, tab) => this.events.updated(id, change, tab));
    chrome.tabs.onRemoved.addListener((id) => this.events.removed(id));
    chrome.debugger.onEvent.addListener((...event) => this.events.debuggerEvent(...event));
    chrome.debugger.onDetach.addListener((...event) => this.events.debuggerDetached(...event));
  }

  /** Opens an agent with a session and returns the session's name. */
  async agent(id, name = "s", exclusive = true) {
    this.parts.agents.open(id);
    return (await this.call(id, "session.open", { name, exclusive, client: "test" })).result.name;
  }

  /** A tab in the agent's session. */
  async tab(agent, url = "http://example.test/") {
    return (await this.call(agent, "tabs.create", { url })).result.tabId;
  }

  /** Sends a request without waiting; returns its id. */
  start(agent, method, params = {}, more = {}) {
    this.#id += 1;
    this.dispatch.receive(agent, { type: "request", id: this.#id, method, params, deadline_ms: 1000, ...more });
    return this.#id;
  }

  /** Everything an agent was answered to a request. */
  answers(agent, id) {
    return this.sent.filter(([to, message]) => to === agent && message.type === "response" && message.id === id).map(([, message]) => message);
  }

  /** The one answer to a request that needs no timer. */
  async call(agent, method, params = {}) {
    const id = this.start(agent, method, params);
    await quiet();
    return this.answers(agent, id)[0];
  }

  send(agent, tabId, method, params = {}) {
    return this.call(agent, "debugger.send", { tabId, method, params });
  }

  /** Names of the events an agent was told. */
  told(agent, name) {
    return this.sent.filter(([to, message]) => to === agent && message.type === "event" && message.name === name).map(([, { params }]) => params);
  }
}
