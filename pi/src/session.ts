/** One session of Pi and its worker: registers what the worker declares, and relays what happens and what is asked. */

import { type ExtensionAPI, type ExtensionContext, VERSION, getAgentDir } from "@earendil-works/pi-coding-agent";
import { Entries } from "./entries.ts";
import { added, complete } from "./models.ts";
import { findWorker, howToInstall } from "./python.ts";
import { notify, show } from "./surface.ts";
import { type Wish, Worker } from "./worker.ts";

type Message = Record<string, any>;

const START_SECONDS = 10;
// What sessions of one process know of each other; survives /reload, which evaluates this file anew.
type Shared = { owner?: object; declared?: Message; sections?: Record<string, string>; told?: boolean };
const shared: Shared = ((globalThis as any)[Symbol.for("io.freehold.pi")] ??= {});
const TWICE = "Freehold's package is loaded twice; the second one does nothing.";
const HAPPENED = "What was asked may have happened: look first, then call again.";
const failure = (text: string) => ({ content: [{ type: "text" as const, text }], details: undefined, isError: true });

export class Session {
  readonly #pi: ExtensionAPI;
  readonly #version: string;
  readonly #entries = new Entries();
  readonly #asked = new Map<string, AbortController>();
  readonly #costs = new Map<number, Message>();
  #ctx: ExtensionContext | undefined;
  #worker: Worker | undefined;
  #starting: Promise<Worker | undefined> | undefined;
  #ready: Promise<void> = Promise.resolve();
  #reason = "";
  #registered = false;
  #lost = 0;
  #sections: Record<string, string> = {};
  #recalled = { text: "", timestamp: 0 };

  constructor(pi: ExtensionAPI, version: string) {
    this.#pi = pi;
    this.#version = version;
  }

  /** A session inside another's process, such as a sub-agent's. */
  get #nested(): boolean {
    return shared.owner !== undefined && shared.owner !== this;
  }

  async begin(reason: string, ctx: ExtensionContext): Promise<void> {
    if (this.#pi.getCommands().some((command) => command.name === "freehold")) return notify(ctx, TWICE, "warning");
    this.#ctx = ctx;
    this.#reason = reason;
    this.#entries.meet(ctx);
    shared.owner ??= this;
    // Sub-agents often end without a word: they get a process only when they call for one.
    if (this.#nested && shared.declared) {
      this.#sections = shared.sections ?? {};
      return this.#register(shared.declared);
    }
    await this.#alive();
  }

  /** Before a prompt: what stands in the system prompt, the same bytes until the worker says otherwise. */
  async prompt(event: Message, ctx: ExtensionContext): Promise<void> {
    this.#ctx = ctx;
    await this.#ready;
    Object.assign(event.systemPromptOptions.sections, this.#sections);
  }

  /** Before a request to the model: what was recalled for this prompt, after the user's words, for this request only. */
  context(messages: Message[]): { messages: any[] } | undefined {
    const { text, timestamp } = this.#recalled;
    if (!text) return undefined;
    const last = messages.findLastIndex((message) => message.role === "user" && (!timestamp || message.timestamp === timestamp));
    if (last < 0) return undefined;
    this.#recalled.timestamp = messages[last]?.timestamp;
    const recalled = { role: "user", content: [{ type: "text", text }], timestamp: messages[last]?.timestamp };
    return { messages: messages.toSpliced(last + 1, 0, recalled) };
  }

  async end(event: Message, ctx: ExtensionContext): Promise<void> {
    this.#ctx = ctx;
    await this.#starting;
    if (this.#worker?.ended === undefined) {
      const seconds = (shared.declared?.drain_seconds ?? 0) + 1;
      await this.#worker?.request("shutdown", { reason: event.reason, session: this.#identity(ctx) }, { seconds });
      await this.#worker?.close();
    }
    this.#worker = this.#ctx = undefined;
    if (shared.owner === this) shared.owner = undefined;
  }

  #identity(ctx: ExtensionContext): Message {
    const manager = ctx.sessionManager;
    return { id: manager.getSessionId(), file: manager.getSessionFile() ?? null, name: manager.getSessionName() ?? null };
  }

  /** The live worker, started where there is none; undefined where Python's side is missing or ended twice in a row. */
  #alive(): Promise<Worker | undefined> {
    if (this.#worker && this.#worker.ended === undefined) return Promise.resolve(this.#worker);
    if (this.#worker) this.#lost += 1; // it ended by itself
    this.#worker = undefined;
    this.#starting ??= this.#start().finally(() => (this.#starting = undefined));
    return this.#starting;
  }

  async #start(): Promise<Worker | undefined> {
    const ctx = this.#ctx;
    if (!ctx || this.#lost > 1) return undefined;
    const command = findWorker(getAgentDir());
    if (!command) return this.#missing("Freehold's Python side is not installed");
    const worker = new Worker(command, ctx.cwd, (message) => void this.#serve(message, worker));
    const answer = worker.request("start", this.#about(ctx), { seconds: START_SECONDS });
    // Asked in the same breath; a worker after the first changes nothing that a model has seen.
    const sections = this.#registered || this.#nested ? undefined : worker.request("sections", {}, { seconds: START_SECONDS });
    const declared = await answer;
    if (!declared) {
      await worker.close();
      return this.#missing(`Freehold's Python side did not start (${worker.ended}): ${command.join(" ")}`);
    }
    this.#worker = worker;
    this.#reason = "restart";
    this.#register(declared);
    if (sections) this.#ready = sections.then((told) => void (shared.sections = this.#sections = told?.sections ?? {}));
    return worker;
  }

  #about(ctx: ExtensionContext): Message {
    const flag = (name: string) => this.#pi.getFlag(`freehold-${name}`) ?? "";
    const flags = { browser: flag("browser"), session: flag("session") };
    const host = { version: this.#version, pi: VERSION, agent_folder: getAgentDir(), cwd: ctx.cwd, mode: ctx.mode };
    const session = { reason: this.#reason, nested: this.#nested, session: this.#identity(ctx), model: ctx.model !== undefined };
    return { ...host, ...session, flags };
  }

  #missing(what: string): undefined {
    this.#lost += 1;
    const cure = `Pi goes on without it. To install it, run:\n  ${howToInstall(getAgentDir())}\nthen /reload`;
    if (!shared.told) notify(this.#ctx, `${what}. ${cure}`, "warning");
    shared.told = true;
  }

  #register(declared: Message): void {
    if (this.#registered) return;
    this.#registered = true;
    if (!this.#nested) shared.declared = declared;
    const taken = new Set(this.#pi.getAllTools().map((tool) => tool.name));
    const skipped: string[] = declared.tools.filter((tool: Message) => taken.has(tool.name)).map((tool: Message) => tool.name);
    const findable = taken.has(declared.discovery);
    const free = declared.tools.filter((tool: Message) => !taken.has(tool.name));
    for (const tool of free) this.#tool(findable ? tool : { ...tool, exposure: "direct" });
    // Pi registers its search for deferred tools inactive, and without it nothing finds them.
    if (findable) this.#pi.setActiveTools([...new Set([...this.#pi.getActiveTools(), declared.discovery])]);
    for (const command of declared.commands) this.#command(command);
    if (!this.#nested) for (const event of declared.events) this.#relay(event);
    if (skipped.length > 0) notify(this.#ctx, `Another extension has the tools ${skipped.join(", ")}; Freehold's are left out.`, "warning");
  }

  #tool({ name, tool, ...shown }: Message): void {
    this.#pi.registerTool({
      name,
      ...shown,
      execute: (toolCallId: string, params: Message, signal?: AbortSignal, onUpdate?: (partial: any) => void, ctx?: ExtensionContext) => {
        this.#ctx = ctx ?? this.#ctx;
        const call = { name: tool, arguments: params, tool_call_id: toolCallId, relay_inference: this.#ctx?.model !== undefined };
        return this.#call(call, { signal, progress: onUpdate });
      },
    } as any);
  }

  async #call(params: Message, wish: Wish): Promise<any> {
    const worker = await this.#alive();
    if (!worker) return failure("[pi_failed] Freehold's worker is not running. Ask the user to run /reload, else freehold doctor.");
    let id = 0;
    const answer = await worker.request("tool.call", params, { ...wish, sent: (sent) => (id = sent) });
    const usage = this.#costs.get(id);
    this.#costs.delete(id);
    if (answer) {
      this.#lost = 0;
      return { ...answer, ...(usage ? { usage } : {}) };
    }
    if (worker.ended === undefined) return failure(`[cancelled] The call was cancelled. ${HAPPENED}`);
    await this.#alive();
    return failure(`[connection_lost] Freehold's worker ended during the call (${worker.ended}). ${HAPPENED}`);
  }

  #command({ name, description, completions }: Message): void {
    this.#pi.registerCommand(name, {
      description,
      getArgumentCompletions: (typed) => {
        const words = completions.filter((word: string) => word !== typed && word.startsWith(typed));
        return words.map((value: string) => ({ value, label: value }));
      },
      handler: async (words, ctx) => {
        this.#ctx = ctx;
        const answer = await (await this.#alive())?.request("command.run", { name, arguments: words });
        if (answer) notify(ctx, answer.text, answer.level);
        else notify(ctx, "Freehold's worker has ended. Try again, then /reload, then: freehold doctor", "error");
      },
    });
  }

  /** Tells the worker of an event: the fields it asked for, and what is new in the session. */
  #relay({ name, fields, entries, seconds }: Message): void {
    (this.#pi.on as any)(name, async (event: Message, ctx: ExtensionContext) => {
      this.#ctx = ctx;
      if (name === "session_tree") this.#entries.meet(ctx);
      const state = { session: this.#identity(ctx), signal_aborted: ctx.signal?.aborted ?? false, pending: ctx.hasPendingMessages() };
      const chosen = Object.fromEntries(fields.map((field: string) => [field, event[field] ?? null]));
      const params = { name, payload: { ...chosen, ...state, ...(entries ? { entries: this.#entries.fresh(ctx) } : {}) } };
      const worker = await this.#alive();
      if (!seconds) return worker?.tell("event", params);
      const answer = await worker?.request("event", params, { seconds });
      if (answer?.sections) this.#sections = answer.sections;
      if (name === "before_agent_start") this.#recalled = { text: answer?.context ?? "", timestamp: 0 };
    });
  }

  /** Does what the worker asks of Pi. */
  async #serve(message: Message, worker: Worker): Promise<void> {
    const id = message.request_id;
    try {
      if (message.type === "ui_request") {
        const result = await show(this.#ctx, message);
        if (id !== undefined) worker.tell("ui_response", { request_id: id, result });
      } else if (message.type === "inference_request" && message.cancel) this.#asked.get(id)?.abort();
      else if (message.type === "inference_request") {
        worker.tell("inference_response", { request_id: id, result: await this.#infer(message) });
      }
    } catch (error) {
      // A context may have gone stale meanwhile; an answer is owed all the same.
      const result = { stop_reason: "error", error: String(error) };
      if (message.type === "inference_request") worker.tell("inference_response", { request_id: id, result });
    }
  }

  async #infer(asked: Message): Promise<Message> {
    const abort = new AbortController();
    this.#asked.set(asked.request_id, abort);
    try {
      if (!this.#ctx) return { missing: "a session" };
      const answer = await complete(this.#ctx, asked, abort.signal);
      const cost = asked.call === undefined ? undefined : added(this.#costs.get(asked.call), answer.usage);
      if (cost) this.#costs.set(asked.call, cost);
      return answer;
    } finally {
      this.#asked.delete(asked.request_id);
    }
  }

  /** After a run: the process of a session inside another's would otherwise stay, for its end is often not told. */
  async settled(): Promise<void> {
    if (!this.#nested) return;
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.close();
  }
}
