/** The agents that are connected at this moment. They live and die with the port, so nothing of them is stored. */

/**
 * @typedef {{id: number, method: string, tabId?: number, behindDialog: boolean, abort: AbortController}} Pending
 *   a request not yet answered; `behindDialog`: it works while a dialog blocks its tab
 * @typedef {{id: number, client: string, session: string | null, pending: Map<number, Pending>}} Agent
 */

export class Agents {
  /** @type {Map<number, Agent>} */
  #live = new Map();

  /** @param {number} id */
  open(id) {
    this.#live.set(id, { id, client: "", session: null, pending: new Map() });
  }

  /** @param {number} id @param {unknown} reason */
  close(id, reason) {
    const agent = this.#live.get(id);
    this.#live.delete(id);
    for (const pending of agent?.pending.values() ?? []) pending.abort.abort(reason);
  }

  /** @param {unknown} reason */
  closeAll(reason) {
    for (const id of [...this.#live.keys()]) this.close(id, reason);
  }

  /** @param {number} id */
  get(id) {
    return this.#live.get(id);
  }

  all() {
    return [...this.#live.values()];
  }

  /** @param {string} session */
  of(session) {
    return this.all().filter((agent) => agent.session === session);
  }

  /**
   * Ends the requests that `which` picks, with an error.
   * @param {(pending: Pending) => boolean} which
   * @param {unknown} reason
   */
  end(which, reason) {
    for (const agent of this.all()) {
      for (const pending of agent.pending.values()) if (which(pending)) pending.abort.abort(reason);
    }
  }
}
