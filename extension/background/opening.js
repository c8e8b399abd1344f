/** `session.open`: under which name an agent works. */

import { BridgeError } from "./errors.js";
import { browserName } from "./protocol.js";

const LONGEST = 80;
/** The popup and the tab group show the name: nothing in it may break the line or turn it round. */
const MISLEADING = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/**
 * @param {import("./agents.js").Agents} agents
 * @param {import("./sessions.js").Sessions} sessions
 * @param {() => boolean} paused
 * @param {() => void} changed tells the popup, which until then knows an agent without a name
 */
export function opening(agents, sessions, paused, changed) {
  /**
   * @param {import("./agents.js").Agent} agent
   * @param {{name: string, exclusive: boolean, client: string}} params
   */
  return async (agent, { name, exclusive, client }) => {
    checkName(name);
    agent.session = exclusive ? free(agents, agent, name) : name;
    agent.client = client.slice(0, LONGEST);
    await sessions.open(agent.session);
    changed();
    return { name: agent.session, browser: browserName(), version: chrome.runtime.getManifest().version, paused: paused() };
  };
}

/**
 * The name itself, or with -2, -3 … while other agents hold it.
 * @param {import("./agents.js").Agents} agents
 * @param {import("./agents.js").Agent} self
 * @param {string} name
 */
function free(agents, self, name) {
  const taken = new Set(agents.all().filter((agent) => agent !== self).map((agent) => agent.session));
  let candidate = name;
  for (let number = 2; taken.has(candidate); number += 1) candidate = `${name}-${number}`;
  return candidate;
}

/** @param {string} name */
function checkName(name) {
  // "__proto__" would not become a key of its own.
  if (name.trim() && name.length <= LONGEST && !MISLEADING.test(name) && name !== "__proto__") return;
  const message = `A session's name has 1 to ${LONGEST} characters, none of them a control or bidirectional character.`;
  throw new BridgeError("invalid_argument", message, { name });
}
