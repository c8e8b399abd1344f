// A tool that takes until it is aborted, and then says what it has found so far.
export default function (pi) {
  pi.registerTool({
    name: "wait",
    label: "wait",
    description: "Waits until it is aborted",
    parameters: { type: "object", properties: {} },
    execute: (_id, _params, signal) =>
      new Promise((resolve) => {
        const found = { content: [{ type: "text", text: "found so far" }], details: undefined };
        signal?.addEventListener("abort", () => resolve(found), { once: true });
      }),
  });
}
