/** Cuts a stream of bytes into JSON messages, one a line. Split on LF only: U+2028 may stand inside a JSON string. */

const LF = 0x0a;

/** Calls `take` with each message; a line that is no JSON object is nobody's. */
export class Lines {
  #parts: Buffer[] = [];
  readonly #take: (message: Record<string, any>) => void;

  constructor(take: (message: Record<string, any>) => void) {
    this.#take = take;
  }

  feed(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, from)) {
      this.#parts.push(chunk.subarray(from, end));
      // Joined before it is decoded: a character may stand in two chunks.
      const line = Buffer.concat(this.#parts).toString("utf8");
      this.#parts = [];
      from = end + 1;
      this.#read(line);
    }
    if (from < chunk.length) this.#parts.push(chunk.subarray(from));
  }

  #read(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return;
    }
    if (typeof message === "object" && message !== null && !Array.isArray(message)) this.#take(message);
  }
}

/** One message as a line. `JSON.stringify` escapes halves of surrogate pairs, so that every string survives. */
export const line = (message: Record<string, unknown>): string => `${JSON.stringify(message)}\n`;
