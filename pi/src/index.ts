/** Freehold in Pi. All that is decided is decided in Python; here it is registered and relayed. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { PACKAGE } from "./python.ts";
import { Session } from "./session.ts";

const HERE = "io.freehold.pi.here";

function register(pi: ExtensionAPI): void {
  const { version, freehold } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
  const other = { here: false };
  pi.events.emit(HERE, other);
  const leave = pi.events.on(HERE, (asking) => void ((asking as typeof other).here = true));
  // Pi parses the command line before any session starts, so flags stand in package.json. A second copy of the package
  // registers none: flags of one name end Pi.
  const flags = other.here ? [] : Object.entries<string>(freehold.flags);
  for (const [name, description] of flags) pi.registerFlag(name, { description, type: "string" });
  const session = new Session(pi, version);
  pi.on("session_start", (event, ctx) => session.begin(event.reason, ctx));
  pi.on("before_agent_start", (event, ctx) => session.prompt(event, ctx));
  pi.on("context", (event) => session.context(event.messages));
  pi.on("agent_settled", () => session.settled());
  pi.on("session_shutdown", (event, ctx) => {
    leave();
    return session.end(event, ctx);
  });
}

export default function (pi: ExtensionAPI): void {
  try {
    register(pi);
  } catch (error) {
    // What a factory throws ends Pi (1.6.0, in -p and rpc), and Freehold is not worth that.
    console.error(`freehold: the package could not be loaded: ${error}`);
  }
}
