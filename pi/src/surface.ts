/** What the worker wants of the user: a notice, a line of status, a yes or no. */

import type { ExtensionContext } from "@earendil-works/pi-coding-agent";

type Message = Record<string, any>;

/** Shows `text`; where Pi has no one to show it to, it goes to standard error. */
export function notify(ctx: ExtensionContext | undefined, text: string, level: "info" | "warning" | "error" = "info"): void {
  if (ctx?.hasUI) ctx.ui.notify(text, level);
  else console.error(`freehold: ${text}`);
}

/** Does what `asked.kind` says; resolves with the answer, where there is one. */
export async function show(ctx: ExtensionContext | undefined, asked: Message): Promise<unknown> {
  if (asked.kind === "notify") notify(ctx, asked.text, asked.level);
  else if (asked.kind === "status") ctx?.ui.setStatus("freehold", asked.text || undefined);
  else if (asked.kind === "confirm") return (await ctx?.ui.confirm(asked.title, asked.text, { timeout: asked.seconds * 1_000 })) ?? false;
  return undefined;
}
