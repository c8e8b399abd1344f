// A sub-agent in Pi's own process, as packages make them: every extension again, and no word when it ends.
import { DefaultResourceLoader, SessionManager, createAgentSession, getAgentDir } from "@earendil-works/pi-coding-agent";

export default function (pi) {
  pi.registerTool({
    name: "delegate",
    label: "delegate",
    description: "Runs a prompt in a sub-agent",
    parameters: { type: "object", properties: { prompt: { type: "string" } }, required: ["prompt"] },
    execute: async (_id, { prompt }, _signal, _update, ctx) => {
      const resourceLoader = new DefaultResourceLoader({ cwd: ctx.cwd, agentDir: getAgentDir(), additionalExtensionPaths: [process.env.FREEHOLD_TEST_PACKAGE] });
      await resourceLoader.reload();
      const { session } = await createAgentSession({ cwd: ctx.cwd, agentDir: getAgentDir(), model: ctx.model, sessionManager: SessionManager.inMemory(), resourceLoader });
      await session.bindExtensions({});
      await session.prompt(prompt);
      return { content: [{ type: "text", text: session.getLastAssistantText() ?? "" }], details: undefined };
    },
  });
}
