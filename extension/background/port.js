/** The native messaging port to the host: greets it, watches that it lives, and makes it anew when it does not. */

import { Chunks } from "./chunks.js";
import { HOST_NAME, PRODUCT, PROTOCOL } from "./protocol.js";

const PING_MS = 3_000;
/** Pings without any answer before the port is given up: 9 s. Counted, not timed, so that a suspended machine loses nothing. */
const MOST_UNANSWERED = 3;
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 15_000;
const UPDATE = 'Run "freehold setup" and reload the extension.';

/**
 * @typedef {{status: "connecting" | "connected" | "refused" | "disconnected",
 *   host?: {version: string, pid?: number}, error?: {code: string, message: string}}} Connection
 * @typedef {{
 *   hello: () => object,
 *   opened: (agent: number) => void,
 *   closed: (agent: number) => void,
 *   message: (agent: number, message: any) => void,
 *   changed: () => void,
 * }} Listener `changed`: the connection as a whole came, went or was refused
 */

export class HostPort {
  /** @type {chrome.runtime.Port | undefined} */
  #port;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #retry;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #pings;
  #unanswered = 0;
  #retryMs = FIRST_RETRY_MS;
  #chunks = new Chunks();
  #listener;

  /** @param {Listener} listener */
  constructor(listener) {
    this.#listener = listener;
    /** @type {Connection} */
    this.connection = { status: "disconnected" };
  }

  /** Connects unless there is a port already; safe to call at any time. */
  connect() {
    if (this.#port) return;
    clearTimeout(this.#retry);
    const port = chrome.runtime.connectNative(HOST_NAME);
    this.#port = port;
    this.#unanswered = 0;
    this.#chunks = new Chunks();
    port.onMessage.addListener((/** @type {any} */ message) => this.#receive(port, message));
    port.onDisconnect.addListener(() => this.#lost(port, chrome.runtime.lastError?.message));
    if (this.connection.status !== "refused") this.#become({ status: "connecting", error: this.connection.error });
    port.postMessage(this.#listener.hello());
    this.#pings = setInterval(() => this.#ping(port), PING_MS);
  }

  /**
   * Sends a message to an agent; one to an agent of a lost host goes nowhere, as it does when the agent itself has gone.
   * @param {number} agent
   * @param {object} message
   * @throws {Error} when the message is larger than Chrome takes (64 MiB)
   */
  send(agent, message) {
    if (this.connection.status === "connected") this.#port?.postMessage({ type: "message", agent, message });
  }

  /** @param {chrome.runtime.Port} port @param {any} message */
  #receive(port, message) {
    if (port !== this.#port) return;
    // Every message is a sign of life: a pong may have to wait behind a large one.
    this.#unanswered = 0;
    if (message.type === "chunk") return this.#chunk(port, message);
    if (message.type === "hello") return this.#greeted(port, message);
    if (message.type === "refused") return this.#refused(message.error);
    if (this.connection.status !== "connected") return;
    if (message.type === "agent_opened") this.#listener.opened(message.agent);
    if (message.type === "agent_closed") this.#listener.closed(message.agent);
    if (message.type === "message") this.#listener.message(message.agent, message.message);
  }

  /** @param {chrome.runtime.Port} port @param {any} chunk */
  #chunk(port, chunk) {
    let whole;
    try {
      whole = this.#chunks.take(chunk);
    } catch (error) {
      return this.#drop(port, `The host sent a message that could not be put together: ${error}`);
    }
    if (whole) this.#receive(port, whole);
  }

  /** @param {chrome.runtime.Port} port @param {any} hello */
  #greeted(port, { product, protocol, version, pid }) {
    if (product === PRODUCT && protocol === PROTOCOL) {
      this.#retryMs = FIRST_RETRY_MS;
      return this.#become({ status: "connected", host: { version, pid } });
    }
    const code = product === PRODUCT ? "protocol_mismatch" : "product_mismatch";
    const who = `${String(product)} (protocol ${String(protocol)}, version ${String(version)})`;
    this.#retryMs = LAST_RETRY_MS;
    this.#become({
      status: "refused",
      error: { code, message: `The native host that answered is ${who}; this extension needs ${PRODUCT}, protocol ${PROTOCOL}. ${UPDATE}` },
    });
    this.#drop(port, undefined);
  }

  /** The port stays open: the host needs it to tell agents why they are refused. @param {{code: string, message: string}} error */
  #refused(error) {
    clearInterval(this.#pings);
    this.#become({ status: "refused", error });
  }

  /** @param {chrome.runtime.Port} port */
  #ping(port) {
    if (this.#unanswered >= MOST_UNANSWERED) return this.#drop(port, "The host has stopped answering.");
    this.#unanswered += 1;
    port.postMessage({ type: "ping" });
  }

  /** Chrome tells only the other end of a disconnect() about it. @param {chrome.runtime.Port} port @param {string | undefined} why */
  #drop(port, why) {
    port.disconnect();
    this.#lost(port, why);
  }

  /** @param {chrome.runtime.Port} port @param {string | undefined} why */
  #lost(port, why) {
    if (port !== this.#port) return;
    this.#port = undefined;
    clearInterval(this.#pings);
    if (this.connection.status !== "refused" || why) {
      this.#become({ status: "disconnected", error: why ? { code: "connection_lost", message: why } : undefined });
    }
    this.#retry = setTimeout(() => this.connect(), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
  }

  /** @param {Connection} connection */
  #become(connection) {
    this.connection = connection;
    this.#listener.changed();
  }
}
