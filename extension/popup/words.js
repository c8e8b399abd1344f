/** The popup's words for each state; without a document, so that tests can read them. */

/**
 * @typedef {import("../background/control.js").View} View
 * @typedef {import("../background/control.js").Wish} Wish
 * @typedef {import("../background/port.js").Connection} Connection
 */

/** @type {Record<Connection["status"], string>} */
const STATUS = { connecting: "Connecting…", connected: "Connected", refused: "Refused", disconnected: "Not connected" };

/** @param {Connection} connection */
export function connectionText({ status }) {
  return STATUS[status];
}

/** Says what is wrong and what to do about it, or nothing. @param {View} view */
export function noteText({ connection, version }) {
  const { status, host, error } = connection;
  if (status === "refused") return error?.message ?? "The native host refused this extension. Run freehold doctor.";
  if (status === "disconnected") {
    return `No native host answers. Run "freehold setup", then "freehold doctor".${error ? ` (${error.message})` : ""}`;
  }
  if (status === "connected" && host && host.version !== version) {
    return `The host is version ${host.version}, this extension ${version}. Reload the extension on the extensions page.`;
  }
  return "";
}

/** @param {View["sessions"][number]} session */
export function sessionText({ agents }) {
  return agents.length ? agents.map(({ client }) => client || "agent").join(", ") : "no agent connected";
}

/**
 * What the user can do with the current tab; sessions with a live agent come first.
 * @param {View} view
 * @returns {{label: string, wish: Wish, plain?: boolean}[]}
 */
export function tabActions({ tab, sessions }) {
  if (!tab) return [];
  const { tabId, session } = tab;
  if (session !== undefined) return [{ label: `Take back from ${session}`, wish: { type: "release", tabId }, plain: true }];
  const live = sessions.filter(({ agents }) => agents.length);
  const rest = sessions.filter(({ agents }) => !agents.length);
  return [...live, ...rest].map(({ name, agents }) => ({
    label: `Hand to ${name}`,
    wish: { type: "hand", tabId, session: name },
    plain: !agents.length,
  }));
}
