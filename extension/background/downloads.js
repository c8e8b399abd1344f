/**
 * The downloads that a session's tabs have started. Chrome's downloads name no tab, so a download is known by the address
 * that the tab's own Page.downloadWillBegin told.
 */

import { BridgeError } from "./errors.js";
import { Stored } from "./stored.js";

/** @typedef {{tabId: number, session: string}} Owner */

/** Both tellings of one download come within moments; an older one belongs to another. */
const MATCH_MS = 10_000;

export class Downloads {
  /** @type {Stored<Record<number, Owner>>} */
  #owners = new Stored(() => chrome.storage.session, "downloads", {});
  /** @type {{url: string, owner: Owner, time: number}[]} */
  #begun = [];
  /** @type {{id: number, urls: string[], time: number}[]} */
  #created = [];

  load() {
    return this.#owners.load();
  }

  /** A tab of a session begins a download; returns its id when Chrome has made it already. @param {string} url @param {Owner} owner */
  begun(url, owner) {
    this.#forgetOld();
    const index = this.#created.findIndex(({ urls }) => urls.includes(url));
    if (index < 0) return void this.#begun.push({ url, owner, time: Date.now() });
    const [{ id }] = this.#created.splice(index, 1);
    this.#own(id, owner);
    return id;
  }

  /** Chrome has made a download; returns whose it is, where that is known. @param {chrome.downloads.DownloadItem} item */
  created({ id, url, finalUrl }) {
    this.#forgetOld();
    const index = this.#begun.findIndex((begun) => begun.url === url || begun.url === finalUrl);
    if (index < 0) return void this.#created.push({ id, urls: [url, finalUrl], time: Date.now() });
    const [{ owner }] = this.#begun.splice(index, 1);
    this.#own(id, owner);
    return owner;
  }

  /** @param {number} id @returns {Owner | undefined} */
  ownerOf(id) {
    return this.#owners.value[id];
  }

  /**
   * @param {string} session
   * @param {unknown[]} ids
   */
  async list(session, ids) {
    const foreign = ids.filter((id) => !Number.isInteger(id) || this.ownerOf(/** @type {number} */ (id))?.session !== session);
    if (foreign.length) throw new BridgeError("invalid_argument", "No download of this session has that id.", { ids: foreign });
    const found = await Promise.all(ids.map((id) => chrome.downloads.search({ id: /** @type {number} */ (id) })));
    return { downloads: found.flat().map(described) };
  }

  /** @param {number} id @param {Owner} owner */
  #own(id, owner) {
    this.#owners.value[id] = owner;
    void this.#owners.save();
  }

  #forgetOld() {
    const oldest = Date.now() - MATCH_MS;
    this.#begun = this.#begun.filter(({ time }) => time > oldest);
    this.#created = this.#created.filter(({ time }) => time > oldest);
  }
}

/** @param {chrome.downloads.DownloadItem} item */
function described({ id, filename, state, bytesReceived, totalBytes, finalUrl, url }) {
  return { id, filename, state, bytes: bytesReceived, total: totalBytes, url: finalUrl || url };
}
