/** Session entries in plain JSON: who said what, in words. */

import type { ExtensionContext } from "@earendil-works/pi-coding-agent";

type Message = Record<string, any>;

const words = (content: unknown): string => {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.flatMap((part) => (part?.type === "text" ? [part.text] : [])).join("\n");
};

const plain = (entry: Message): Message => {
  const said: Message = entry.message ?? entry;
  const calls = Array.isArray(said.content) ? said.content.filter((part: Message) => part?.type === "toolCall") : [];
  return {
    id: entry.id,
    parentId: entry.parentId,
    type: entry.type,
    timestamp: entry.timestamp,
    role: said.role ?? "",
    text: words(said.content ?? said.summary),
    tool: said.toolName ?? "",
    tool_calls: calls.map((call: Message) => ({ id: call.id, name: call.name, arguments: call.arguments })),
    tool_call_id: said.toolCallId ?? "",
    is_error: said.isError === true,
    stop_reason: said.stopReason ?? "",
    customType: said.customType ?? "",
  };
};

/** Gives each entry of the session's branch once, from where it stood when the session was met. */
export class Entries {
  #last: string | null = null;

  meet(ctx: ExtensionContext): void {
    this.#last = ctx.sessionManager.getLeafId();
  }

  fresh(ctx: ExtensionContext): Message[] {
    const branch = ctx.sessionManager.getBranch();
    const known = branch.findIndex((entry) => entry.id === this.#last);
    this.#last = ctx.sessionManager.getLeafId();
    return branch.slice(known + 1).map(plain);
  }
}
