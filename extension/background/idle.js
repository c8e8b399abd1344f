/** Detaches the debugger, and with it Chrome's bar over the page, from sessions that no agent has used for a while. */

const IDLE_MS = 60_000;
const RESTED = Infinity;

export class Idle {
  #agents;
  #sessions;
  #dialogs;
  #debugging;
  /** Since when each session is without agents. @type {Map<string, number>} */
  #since = new Map();

  /**
   * @param {import("./agents.js").Agents} agents
   * @param {import("./sessions.js").Sessions} sessions
   * @param {import("./dialogs.js").Dialogs} dialogs
   * @param {import("./debugger.js").Debugging} debugging
   */
  constructor(agents, sessions, dialogs, debugging) {
    this.#agents = agents;
    this.#sessions = sessions;
    this.#dialogs = dialogs;
    this.#debugging = debugging;
  }

  /** Called every now and then. @param {number} [now] */
  async tick(now = Date.now()) {
    for (const name of this.#sessions.names()) {
      if (this.#agents.of(name).length) this.#since.delete(name);
      else if (!this.#since.has(name)) this.#since.set(name, now);
      else if (now - (this.#since.get(name) ?? now) >= IDLE_MS) await this.#rest(name);
    }
  }

  /** @param {string} name */
  async #rest(name) {
    const ids = (await this.#sessions.tabs(name)).flatMap(({ id }) => id ?? []);
    // A dialog would be answered with "no" by detaching; the next process of the session must still find it.
    const free = ids.filter((id) => !this.#dialogs.get(id));
    for (const id of free) await this.#debugging.detach(id);
    if (free.length === ids.length) this.#since.set(name, RESTED);
  }
}
