/**
 * The service worker. Listeners stand before anything is awaited: Chrome wakes a worker for an event and drops the event if
 * nobody listens at the end of the first turn.
 */

import { Agents } from "./agents.js";
import { Control } from "./control.js";
import { Debugging } from "./debugger.js";
import { Dialogs } from "./dialogs.js";
import { Dispatch } from "./dispatch.js";
import { Downloads } from "./downloads.js";
import { BridgeError } from "./errors.js";
import { Events } from "./events.js";
import { Idle } from "./idle.js";
import { methods } from "./methods.js";
import { opening } from "./opening.js";
import { HostPort } from "./port.js";
import { browserName, PRODUCT, PROTOCOL } from "./protocol.js";
import { Reader } from "./reader.js";
import { Sessions } from "./sessions.js";
import { Stored } from "./stored.js";
import { Tabs } from "./tabs.js";

const paused = new Stored(() => chrome.storage.local, "paused", false);
const instance = new Stored(() => chrome.storage.local, "instance", "");

const agents = new Agents();
const sessions = new Sessions();
const dialogs = new Dialogs();
const debugging = new Debugging();
const reader = new Reader();
const downloads = new Downloads();
const tabs = new Tabs(sessions, dialogs, debugging);
const port = new HostPort({ hello, opened, closed, message: (agent, message) => dispatch.receive(agent, message), changed });
const send = port.send.bind(port);
const isPaused = () => paused.value;
const events = new Events({ agents, sessions, dialogs, debugging, reader, downloads, tabs, send });
const idle = new Idle(agents, sessions, dialogs, debugging);
const control = new Control({ agents, sessions, port, paused, events, dialogs, debugging });
const openSession = opening(agents, sessions, isPaused, () => control.changed());
const dispatch = new Dispatch({
  methods: methods({ openSession, tabs, dialogs, debugging, reader, downloads }),
  ...{ agents, sessions, dialogs, debugging, paused: isPaused, send },
});

const ready = start();

async function start() {
  await Promise.all([sessions, dialogs, reader, downloads, tabs, paused, instance].map((part) => part.load()));
  if (!instance.value) {
    instance.value = crypto.randomUUID();
    await instance.save();
  }
  port.connect();
}

/** Runs in the order of the events, but never before what is stored has been read. @param {() => unknown} work */
function later(work) {
  ready.then(work).catch((error) => console.error(error));
}

function hello() {
  const { version, version_name: build } = chrome.runtime.getManifest();
  const browser = browserName();
  return { type: "hello", product: PRODUCT, role: "extension", protocol: PROTOCOL, version, build, browser, instance: instance.value };
}

/** @param {number} agent */
function opened(agent) {
  agents.open(agent);
  control.changed();
}

/** @param {number} agent */
function closed(agent) {
  agents.close(agent, gone());
  control.changed();
}

function changed() {
  // The agents of a host end with it.
  if (port.connection.status !== "connected") agents.closeAll(gone());
  control.changed();
}

function gone() {
  return new BridgeError("connection_lost", "The agent or its host has gone.");
}

chrome.tabs.onCreated.addListener((tab) => later(() => sessions.see(tab)));
chrome.tabs.onUpdated.addListener((tabId, change, tab) => later(() => events.updated(tabId, change, tab)));
chrome.tabs.onRemoved.addListener((tabId) => later(() => events.removed(tabId)));
chrome.webNavigation.onCreatedNavigationTarget.addListener((details) => later(() => events.opened(details)));
chrome.debugger.onEvent.addListener((source, method, params) => later(() => events.debuggerEvent(source, method, params)));
chrome.debugger.onDetach.addListener((source, reason) => later(() => events.debuggerDetached(source, reason)));
chrome.downloads.onCreated.addListener((item) => later(() => events.downloadCreated(item)));
chrome.downloads.onChanged.addListener((delta) => later(() => events.downloadDelta(delta)));
chrome.runtime.onConnect.addListener((popup) => control.connect(popup, ready));
chrome.runtime.onInstalled.addListener(() => later(() => port.connect()));
chrome.runtime.onStartup.addListener(() => later(() => port.connect()));

// The last resort: timers end with the worker, an alarm starts it again. Chrome holds only packed extensions to 30 s at least.
void chrome.alarms.create("awake", { periodInMinutes: 0.05 });
chrome.alarms.onAlarm.addListener(() =>
  later(() => {
    port.connect();
    return idle.tick();
  }),
);
