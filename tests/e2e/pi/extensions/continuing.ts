// Another extension that has the agent go on once, where it would have settled, after a prompt that says "twice".
export default function (pi) {
  let left = 0;
  pi.on("before_agent_start", (event) => void (left = String(event.prompt).includes("twice") ? 1 : 0));
  pi.on("agent_before_settle", () => {
    if (left-- <= 0) return undefined;
    return { continue: true, entries: [{ type: "custom_message", customType: "nudge", content: "Look again.", display: true }] };
  });
}
