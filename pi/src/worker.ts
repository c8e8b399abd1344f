/** One worker process: lines out and in, requests by number, and an end that never keeps Pi waiting for long. */

import { type ChildProcess, spawn } from "node:child_process";
import { Lines, line } from "./lines.ts";

type Message = Record<string, any>;
const KILL_AFTER_MS = 2_000;

interface Call {
  settle: (answer: Message | undefined) => void;
  progress?: (partial: Message) => void;
}

/** What is asked for: `progress` gets what comes before the answer, `signal` cancels, `seconds` is the deadline. */
export interface Wish {
  signal?: AbortSignal;
  progress?: (partial: Message) => void;
  seconds?: number;
  sent?: (id: number) => void;
}

export class Worker {
  /** Why it ended, once it has. */
  ended: string | undefined;
  readonly #child: ChildProcess;
  readonly #calls = new Map<number, Call>();
  readonly #gone: Promise<void>;
  #last = 0;
  #said = "";

  constructor(command: string[], cwd: string, take: (message: Message) => void) {
    const [program = "", ...words] = command;
    this.#child = spawn(program, words, { cwd, stdio: ["pipe", "pipe", "pipe"] });
    const { stdin, stdout, stderr } = this.#child;
    const lines = new Lines((message) => this.#take(message, take));
    stdout?.on("data", (chunk: Buffer) => lines.feed(chunk));
    stderr?.on("data", (chunk: Buffer) => this.#note(chunk.toString("utf8")));
    stdin?.on("error", () => undefined); // EPIPE of a worker that has ended; "close" tells it
    this.#gone = new Promise((resolve) => {
      this.#child.once("error", (error) => resolve(this.#end(error.message)));
      this.#child.once("close", (code, signal) => resolve(this.#end(`${signal ?? `exit code ${code}`} ${this.#lastWords()}`.trim())));
    });
    this.#hold();
  }

  /** Asks and resolves with the result; with undefined after a cancel, the deadline or the worker's end. */
  request(method: string, params: Message, { signal, progress, seconds, sent }: Wish = {}): Promise<Message | undefined> {
    const id = ++this.#last;
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      const cancel = () => {
        this.tell("cancel", { id });
        settle(undefined);
      };
      const settle = (answer: Message | undefined) => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", cancel);
        this.#calls.delete(id);
        this.#hold();
        resolve(answer);
      };
      if (this.ended !== undefined || signal?.aborted) return resolve(undefined);
      this.#calls.set(id, { settle, progress });
      this.#hold();
      signal?.addEventListener("abort", cancel, { once: true });
      if (seconds !== undefined) timer = setTimeout(cancel, seconds * 1_000);
      sent?.(id);
      this.#send({ type: "tool_request", id, method, params });
    });
  }

  /** Says something that has no answer. */
  tell(method: string, params: Message): void {
    this.#send({ type: "tool_request", method, params });
  }

  /** Ends the worker: its input ends, and two seconds later it is killed. */
  async close(): Promise<void> {
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), KILL_AFTER_MS);
    await this.#gone;
    clearTimeout(timer);
  }

  #send(message: Message): void {
    if (this.ended === undefined && this.#child.stdin?.writable) this.#child.stdin.write(line(message));
  }

  #take(message: Message, others: (message: Message) => void): void {
    const call = this.#calls.get(message.id);
    if (message.type === "tool_result") call?.settle(message.result ?? {});
    else if (message.type === "tool_progress") call?.progress?.(message.result ?? {});
    else others(message);
  }

  #end(why: string): void {
    if (this.ended !== undefined) return;
    this.ended = why;
    for (const call of [...this.#calls.values()]) call.settle(undefined);
  }

  #note(text: string): void {
    this.#said = (this.#said + text).slice(-2_000);
  }

  #lastWords(): string {
    return this.#said.trim().split("\n").at(-1) ?? "";
  }

  /** Pi may end while the worker runs, but not while it waits for an answer of it. */
  #hold(): void {
    const waited = this.#calls.size > 0 ? "ref" : "unref";
    for (const handle of [this.#child, this.#child.stdin, this.#child.stdout, this.#child.stderr]) (handle as any)?.[waited]?.();
  }
}
