/** Runs what is given under one key strictly one after the other; other keys do not wait. */
export class Serial {
  /** @type {Map<string | number, Promise<unknown>>} */
  #last = new Map();

  /**
   * @template T
   * @param {string | number} key
   * @param {() => Promise<T>} work
   * @returns {Promise<T>}
   */
  run(key, work) {
    const before = this.#last.get(key) ?? Promise.resolve();
    const result = before.then(work, work);
    const settled = result.catch(() => undefined).finally(() => {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    });
    this.#last.set(key, settled);
    return result;
  }
}
