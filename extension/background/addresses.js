/** Which addresses an agent may open, and on which it may act. */

import { BridgeError } from "./errors.js";

const OPENED = new Set(["http:", "https:"]);
/** blob:, data: and chrome-error: are where pages themselves lead; nothing beyond the web can be reached from them. */
const TOUCHED = new Set(["http:", "https:", "about:", "blob:", "data:", "chrome-error:"]);

/**
 * Returns the address as Chrome will read it. Only http, https and about:blank may be opened.
 * @param {unknown} address
 * @returns {string}
 */
export function openable(address) {
  const url = parsed(address);
  if (!url) {
    const message = "The address is not valid. Give a complete http or https address.";
    throw new BridgeError("invalid_argument", message, { url: address });
  }
  if (OPENED.has(url.protocol) || url.href === "about:blank") return url.href;
  const message = `Addresses of the scheme ${url.protocol} may not be opened. Use http, https or about:blank.`;
  throw new BridgeError("address_not_allowed", message, { url: url.href });
}

/**
 * Refuses a tab whose present page belongs to the browser, an extension or the disk.
 * @param {string | undefined} address empty while a new tab has not committed its first page
 */
export function checkTouchable(address) {
  if (!address || TOUCHED.has(parsed(address)?.protocol ?? "")) return;
  throw new BridgeError(
    "address_not_allowed",
    "The tab shows a page that agents may not read or touch. Use navigate to open an http or https address in it.",
    { url: address },
  );
}

/** @param {unknown} address */
function parsed(address) {
  return typeof address === "string" && URL.canParse(address) ? new URL(address) : undefined;
}
