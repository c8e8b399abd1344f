/**
 * Puts messages together again that the host had to cut: Chrome ends a port on a message of more than 1,048,576 bytes
 * towards the extension.
 */

/** @typedef {{type: "chunk", chunk: number | string, index: number, count: number, data: string}} Chunk */

/** A message that would need more than this is not ours: agents' requests are small, files travel as paths. */
const MOST_CHUNKS = 256;

export class Chunks {
  /** @type {Map<number | string, {count: number, parts: Uint8Array[]}>} */
  #open = new Map();

  /**
   * Takes one chunk; returns the whole message with the last one, before that undefined.
   * @param {Chunk} chunk
   * @returns {any}
   * @throws {Error} when the chunks of a message do not follow each other; the port cannot be trusted after that
   */
  take({ chunk, index, count, data }) {
    const started = this.#open.get(chunk) ?? { count, parts: [] };
    if (count !== started.count || index !== started.parts.length || index >= count || count > MOST_CHUNKS) {
      throw new Error(`chunk ${index} of ${count} does not follow ${started.parts.length} of ${started.count}`);
    }
    started.parts.push(Uint8Array.from(atob(data), (char) => char.charCodeAt(0)));
    this.#open.set(chunk, started);
    if (started.parts.length < count) return undefined;
    this.#open.delete(chunk);
    return JSON.parse(joined(started.parts));
  }
}

/**
 * A cut may fall inside a character, so the stream decoder keeps what is unfinished.
 * @param {Uint8Array[]} parts
 */
function joined(parts) {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  return parts.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode();
}
