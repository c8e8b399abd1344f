/** Runs the worker's requests to a model with what Pi has: the session's model or a named one, and the user's keys. */

import type { ExtensionContext } from "@earendil-works/pi-coding-agent";

type Message = Record<string, any>;
const NONE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
const NOTHING = { ...NONE, totalTokens: 0, cost: { ...NONE, total: 0 } };

/** Answers `asked` with `{text, tool_uses, model, stop_reason, error, usage}`, or `{missing}` where there is no such model. */
export async function complete(ctx: ExtensionContext, asked: Message, signal: AbortSignal): Promise<Message> {
  const [provider = "", ...rest] = String(asked.model).split("/");
  const model = asked.model ? ctx.modelRegistry.find(provider, rest.join("/")) : ctx.model;
  if (!model || !ctx.modelRegistry.hasConfiguredAuth(model)) return { missing: asked.model || "the session's model" };
  const own = { api: model.api, provider: model.provider, model: model.id, usage: NOTHING, stopReason: "toolUse" };
  const completed = (message: Message) => ({ ...(message.role === "assistant" ? own : {}), timestamp: Date.now(), ...message });
  const tools = asked.tools.length > 0 ? { tools: asked.tools } : {};
  const context = { systemPrompt: asked.system || undefined, messages: asked.messages.map(completed), ...tools };
  const answer = await ctx.modelRegistry.complete(model, context as any, { signal, maxTokens: asked.max_tokens } as any);
  const calls = answer.content.filter((part) => part.type === "toolCall");
  return {
    text: answer.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(""),
    tool_uses: calls.map((call) => ({ id: call.id, name: call.name, arguments: call.arguments })),
    model: `${answer.provider}/${answer.model}`,
    stop_reason: answer.stopReason,
    error: answer.errorMessage ?? "",
    usage: answer.usage,
  };
}

/** Adds what a request cost to what earlier ones of the same call did. */
export function added(one: Message | undefined, other: Message | undefined): Message | undefined {
  if (!one || !other) return one ?? other;
  const sum: Message = { ...one };
  for (const [name, value] of Object.entries(other)) {
    if (typeof value === "number") sum[name] = (sum[name] ?? 0) + value;
    else if (typeof value === "object" && value !== null) sum[name] = added(sum[name], value);
  }
  return sum;
}
