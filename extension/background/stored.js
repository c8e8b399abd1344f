/**
 * One value kept in a storage area of Chrome, so that it outlives the worker: read once, changed in memory, written through.
 * @template T
 */
export class Stored {
  #area;
  #key;
  /** @type {Promise<void> | undefined} */
  #loading;

  /**
   * @param {() => chrome.storage.StorageArea} area asked for late, so that a module can be imported before `chrome` stands
   * @param {string} key
   * @param {T} initial
   */
  constructor(area, key, initial) {
    this.#area = area;
    this.#key = key;
    /** @type {T} */
    this.value = initial;
  }

  /** Reads the value on the first call; later calls return the same promise. */
  load() {
    this.#loading ??= this.#read();
    return this.#loading;
  }

  async #read() {
    const found = await this.#area().get(this.#key);
    if (this.#key in found) this.value = /** @type {T} */ (found[this.#key]);
  }

  /** Resolves when the present value is safe from the end of the worker. */
  async save() {
    await this.#area().set({ [this.#key]: this.value });
  }
}
