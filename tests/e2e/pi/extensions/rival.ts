// Another extension that has a tool of our name.
export default function (pi) {
  pi.registerTool({
    name: "freehold_find",
    label: "find",
    description: "The rival's",
    parameters: { type: "object", properties: {} },
    execute: async () => ({ content: [{ type: "text", text: "found by the rival" }], details: undefined }),
  });
}
