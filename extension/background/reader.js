/** `page.read` and `page.call`: what the page's own frames tell, with refs that are never given out twice. */

import { BridgeError, named } from "./errors.js";
import { callFrames, framesOf, isSilent } from "./frames.js";
import { PAGE_FUNCTIONS } from "./page_files.js";
import { Serial } from "./serial.js";
import { IN_SHADOW, placeShadowed } from "./shadow_frames.js";
import { Stored } from "./stored.js";

/**
 * @typedef {import("./frames.js").Answer} Answer
 * @typedef {{frameId: number, documentId: string, parentFrameId: number}} Frame
 */

/** A page that is being left gives way to one that can be read; one that leads on for ever does not. */
const READINGS = 3;

export class Reader {
  /** The next ref of each tab. @type {Stored<Record<number, number>>} */
  #next = new Stored(() => chrome.storage.session, "refs", {});
  /** The places of frames in shadow trees, by tab and document. @type {Map<number, Map<string, number>>} */
  #places = new Map();
  #serial = new Serial();

  load() {
    return this.#next.load();
  }

  /** @param {number} tabId */
  async forget(tabId) {
    this.#places.delete(tabId);
    delete this.#next.value[tabId];
    await this.#next.save();
  }

  /**
   * @param {number} tabId
   * @param {number} [ref] only this element's subtree, and the frames below its frame
   */
  read(tabId, ref) {
    // Two readings at a time would both be given the same numbers.
    return this.#serial.run(tabId, () => again(READINGS, () => this.#readOnce(tabId, ref)));
  }

  /** @param {number} tabId @param {number} [ref] */
  async #readOnce(tabId, ref) {
    const frames = await framesOf(tabId);
    const answers = await this.#snapshots(tabId, ref, frames);
    const numbered = await this.#number(tabId, answers, frames);
    if (!numbered.includes(answers[0])) throw new BridgeError("page_navigated", "The page was left while it was read. Read it again.");
    const told = ordered(frames, numbered);
    this.#places.set(tabId, new Map([...(this.#places.get(tabId) ?? []), ...placeShadowed(told)]));
    const silent = frames.filter(({ documentId }) => isSilent(documentId)).length;
    return { frames: told.map(outline), next_ref: this.#nextOf(tabId), silent };
  }

  /**
   * @param {number} tabId
   * @param {number | undefined} frameId
   * @param {string} name
   * @param {unknown[]} args
   */
  async call(tabId, frameId, name, args) {
    if (!PAGE_FUNCTIONS.has(name)) {
      throw new BridgeError("invalid_argument", `There is no page function ${name}.`, { allowed: [...PAGE_FUNCTIONS] });
    }
    const target = frameId === undefined ? { tabId, allFrames: true } : { tabId, frameIds: [frameId] };
    const before = await framesOf(tabId);
    const answers = await callFrames(target, name, args, before);
    const isKnown = answers.every(({ documentId }) => before.some((frame) => frame.documentId === documentId));
    const known = ordered(isKnown ? before : await framesOf(tabId), answers);
    for (const [{ documentId }, { value }] of known) {
      if (value?.index === IN_SHADOW) value.index = await this.#placeOf(tabId, documentId);
    }
    const frames = known.map(([frame, { value }]) => ({ ...identity(frame), result: value }));
    return { frames, next_ref: this.#nextOf(tabId) };
  }

  /**
   * Where a frame stands that does not know it itself; a reading of the whole tab tells.
   * @param {number} tabId
   * @param {string} documentId
   */
  async #placeOf(tabId, documentId) {
    if (!this.#places.get(tabId)?.has(documentId)) await this.read(tabId);
    return this.#places.get(tabId)?.get(documentId) ?? IN_SHADOW;
  }

  /** @param {number} tabId */
  #nextOf(tabId) {
    return this.#next.value[tabId] ?? 1;
  }

  /**
   * Returns what the frames tell, the one that all others are below first.
   * @param {number} tabId
   * @param {number | undefined} ref
   * @param {Frame[]} frames
   */
  async #snapshots(tabId, ref, frames) {
    if (ref === undefined) return byFrame(await callFrames({ tabId, allFrames: true }, "snapshot", [{}], frames));
    // After a loss of the store only the frames know which numbers have been given out.
    if (!(tabId in this.#next.value)) this.#raise(tabId, await callFrames({ tabId, allFrames: true }, "snapshot", [{}], frames));
    const answers = await callFrames({ tabId, allFrames: true }, "snapshot", [{ ref }], frames);
    const owner = answers.find(({ value }) => value.nodes);
    if (!owner) throw this.#absent(tabId, ref, answers);
    const below = descendants(frames, owner.frameId);
    if (!below.length) return [owner];
    return [owner, ...(await callFrames({ tabId, frameIds: below }, "snapshot", [{}], frames))];
  }

  /** Says which of the three has happened to a ref. @param {number} tabId @param {number} ref @param {Answer[]} answers */
  #absent(tabId, ref, answers) {
    if (answers.some(({ value }) => value.status === "removed")) {
      return new BridgeError("ref_removed", `The element of ref_${ref} is no longer in the page. Read the page again.`, { ref });
    }
    if (ref < this.#nextOf(tabId)) {
      return new BridgeError("ref_navigated", `The page that ref_${ref} belongs to has been left. Read the page again.`, { ref });
    }
    return new BridgeError("unknown_ref", `There is no ref_${ref} in this tab. Refs come from read_page and find.`, { ref });
  }

  /**
   * Gives numbers to the elements that have none, and answers the frames that took them.
   * @param {number} tabId
   * @param {Answer[]} answers
   * @param {Frame[]} frames
   */
  async #number(tabId, answers, frames) {
    const stored = this.#next.value[tabId];
    this.#raise(tabId, answers);
    const before = this.#nextOf(tabId);
    let next = before;
    const based = answers.map((answer) => {
      const base = next;
      next += answer.value.fresh;
      return { answer, base };
    });
    this.#next.value[tabId] = next;
    // Before any frame hears of them: a worker that ends here has wasted numbers, not given them out twice.
    if (next !== before || stored !== before) await this.#next.save();
    const taken = await Promise.all(based.map(({ answer, base }) => commit(tabId, answer, base, frames)));
    return taken.filter((answer) => answer !== undefined);
  }

  /** The next number is never one that a frame knows. @param {number} tabId @param {Answer[]} answers */
  #raise(tabId, answers) {
    const highest = Math.max(0, ...answers.map(({ value }) => value.highest ?? 0));
    this.#next.value[tabId] = Math.max(this.#nextOf(tabId), highest + 1);
  }
}

/**
 * A frame that was left in the meantime knows nothing of its numbers, so it is left out.
 * @param {number} tabId
 * @param {Answer} answer
 * @param {number} base
 * @param {Frame[]} frames
 */
async function commit(tabId, answer, base, frames) {
  if (answer.value.fresh > 0 && !(await taken(tabId, answer, base, frames))) return undefined;
  answer.value.base = base;
  return answer;
}

/**
 * Tells the document its numbers; false where it is gone.
 * @param {number} tabId
 * @param {Answer} answer
 * @param {number} base
 * @param {Frame[]} frames
 */
async function taken(tabId, { documentId, frameId, value }, base, frames) {
  try {
    const [committed] = await callFrames({ tabId, documentIds: [documentId] }, "commit", [base, value.fresh], frames);
    return committed?.value?.status !== "stale";
  } catch (error) {
    console.info("Frame", frameId, "of tab", tabId, "was left while it was read:", error);
    return false;
  }
}

/**
 * Reading changes nothing, so it is done anew when the page was left meanwhile.
 * @template T
 * @param {number} times
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function again(times, work) {
  try {
    return await work();
  } catch (error) {
    if (times <= 1 || named(error).code !== "page_navigated") throw error;
    return again(times - 1, work);
  }
}

/** The top frame has the id 0. @param {Answer[]} answers */
function byFrame(answers) {
  return answers.sort((one, other) => one.frameId - other.frameId);
}

/** @param {Frame[]} frames @param {number} root */
function descendants(frames, root) {
  const below = new Set([root]);
  // Parents stand before their children.
  for (const { frameId, parentFrameId } of frames) if (below.has(parentFrameId)) below.add(frameId);
  below.delete(root);
  return [...below];
}

/**
 * Pairs answers with what the browser knows of their frames, in the browser's order.
 * @param {Frame[]} frames
 * @param {Answer[]} answers
 * @returns {[Frame, Answer][]}
 */
function ordered(frames, answers) {
  const place = (/** @type {Answer} */ { documentId }) => frames.findIndex((frame) => frame.documentId === documentId);
  return answers
    .filter((answer) => place(answer) >= 0)
    .sort((one, other) => place(one) - place(other))
    .map((answer) => [frames[place(answer)], answer]);
}

/** @param {Frame} frame */
function identity({ frameId, parentFrameId, documentId }) {
  return { frameId, parentFrameId, documentId };
}

/** @param {[Frame, Answer]} pair */
function outline([frame, { value }]) {
  const { index, url, title, viewport, nodes, base } = value;
  return { ...identity(frame), index, url, title, viewport, nodes, base };
}
