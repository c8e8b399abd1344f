/** A browser in memory: as much of `chrome` as the worker uses, with the rules of Chrome that the worker's own rest on. */

class Event {
  listeners = new Set();
  addListener(listener) {
    this.listeners.add(listener);
  }
  removeListener(listener) {
    this.listeners.delete(listener);
  }
  emit(...args) {
    for (const listener of [...this.listeners]) listener(...args);
  }
}

class Area {
  constructor(content = {}) {
    this.content = content;
  }
  async get(key) {
    return structuredClone(key in this.content ? { [key]: this.content[key] } : {});
  }
  async set(values) {
    Object.assign(this.content, structuredClone(values));
  }
}

/** One end of a native messaging port or of a popup's connection. */
export class FakePort {
  onMessage = new Event();
  onDisconnect = new Event();
  sent = [];
  open = true;
  constructor(sender) {
    this.sender = sender;
  }
  postMessage(message) {
    if (!this.open) throw new Error("Attempting to use a disconnected port object");
    this.sent.push(message);
  }
  disconnect() {
    this.open = false;
  }
}

export class FakeChrome {
  #nextId = 100;
  tabsById = new Map();
  groups = new Map();
  ports = [];
  commands = [];
  attached = new Set();
  scripts = async () => [];
  frames = [{ frameId: 0, parentFrameId: -1, documentId: "top" }];
  /** What a DevTools command answers; a test puts its own in. */
  answer = async () => ({});

  constructor(stored = {}) {
    const chrome = this;
    this.storage = { session: new Area(stored.session), local: new Area(stored.local) };
    this.runtime = {
      id: "own",
      lastError: undefined,
      onConnect: new Event(),
      onInstalled: new Event(),
      onStartup: new Event(),
      getManifest: () => ({ version: "0.1.0" }),
      getURL: (path) => `chrome-extension://own/${path}`,
      connectNative: () => this.#connect(),
    };
    this.action = { setBadgeText: async () => {} };
    this.alarms = { create: async () => {}, onAlarm: new Event() };
    this.window = { id: 1, incognito: false, state: "normal" };
    this.windows = {
      getAll: async () => [this.window],
      get: async () => this.window,
      update: async (id, { state }) => Object.assign(this.window, { state }),
    };
    this.tabs = {
      onCreated: new Event(),
      onUpdated: new Event(),
      onRemoved: new Event(),
      get: async (id) => {
        await Promise.resolve();
        return structuredClone(this.#tab(id));
      },
      query: async ({ active = false }) => structuredClone([...this.tabsById.values()].filter((tab) => tab.active || !active)),
      create: async (properties) => structuredClone(this.addTab(properties)),
      update: async (id, { url, active }) => (active ? this.bringToFront(id) : this.moveTo(id, url)),
      remove: async (id) => this.removeTab(id),
      group: async ({ tabIds, groupId, createProperties }) => this.#group(tabIds[0], groupId, createProperties),
      ungroup: async (id) => this.setGroup(id, -1),
    };
    this.tabGroups = {
      get: async (id) => this.groups.get(id) ?? Promise.reject(new Error(`No group with id: ${id}.`)),
      update: async (id, properties) => Object.assign(this.groups.get(id), properties),
    };
    this.debugger = {
      onEvent: new Event(),
      onDetach: new Event(),
      attach: async ({ tabId }) => {
        if (this.attached.has(tabId)) throw new Error(`Another debugger is already attached to the tab with id: ${tabId}.`);
        this.attached.add(tabId);
      },
      detach: async ({ tabId }) => {
        if (!this.attached.delete(tabId)) throw new Error(`Debugger is not attached to the tab with id: ${tabId}.`);
      },
      sendCommand: async ({ tabId }, method, params) => {
        if (!this.attached.has(tabId)) throw new Error(`Debugger is not attached to the tab with id: ${tabId}.`);
        this.commands.push({ tabId, method, params });
        return this.answer(method, params);
      },
    };
    this.scripting = { executeScript: (injection) => chrome.scripts(injection) };
    this.webNavigation = { onCommitted: new Event(), onCreatedNavigationTarget: new Event(), getAllFrames: async () => this.frames };
    this.downloads = { onCreated: new Event(), onChanged: new Event(), search: async ({ id }) => [{ id, filename: "/f", state: "complete" }] };
  }

  addTab({ url = "http://example.test/", windowId = 1, active = false, type = "normal" } = {}) {
    const tab = { id: this.#nextId++, url, windowId, active, title: "", status: "complete", groupId: -1, type };
    this.tabsById.set(tab.id, tab);
    this.tabs.onCreated.emit(structuredClone(tab));
    return tab;
  }

  moveTo(id, url) {
    this.#tab(id).url = url;
    this.tabs.onUpdated.emit(id, { url }, structuredClone(this.#tab(id)));
  }

  bringToFront(id) {
    for (const tab of this.tabsById.values()) tab.active = tab.id === id;
  }

  /** As when the user drags a tab in or out of a group. */
  setGroup(id, groupId) {
    this.#tab(id).groupId = groupId;
    this.tabs.onUpdated.emit(id, { groupId }, structuredClone(this.#tab(id)));
  }

  removeTab(id) {
    this.setGroup(id, -1);
    this.tabsById.delete(id);
    this.tabs.onRemoved.emit(id, {});
  }

  /** The methods of the commands sent, without those that make a tab ready. */
  sentCommands() {
    return this.commands.map(({ method }) => method).filter((name) => !READY.has(name));
  }

  #tab(id) {
    const tab = this.tabsById.get(id);
    if (!tab) throw new Error(`No tab with id: ${id}.`);
    return tab;
  }

  #group(id, groupId, created) {
    if (this.#tab(id).type === "popup") throw new Error("Tabs can only be moved to and from normal windows.");
    const group = groupId ?? this.#nextId++;
    if (created) this.groups.set(group, { id: group, windowId: created.windowId });
    this.setGroup(id, group);
    return group;
  }

  #connect() {
    const port = new FakePort();
    this.ports.push(port);
    return port;
  }
}

const READY = new Set(["Page.enable", "Inspector.enable", "Emulation.setFocusEmulationEnabled", "Page.setWebLifecycleState"]);

/** Lets everything go on that waits for no timer: an immediate comes after all promises. */
export function quiet() {
  return new Promise((resolve) => setImmediate(resolve));
}
