/** What both ends of the bridge must agree on; see protocol/PROTOCOL.md. */

export const PRODUCT = "freehold";
export const PROTOCOL = 1;
export const HOST_NAME = "io.freehold.host";

/** Names of `navigator.userAgentData.brands`, the most telling first; every one of these browsers also calls itself Chromium. */
const BRANDS = ["Brave", "Microsoft Edge", "Vivaldi", "Opera", "Google Chrome", "Chromium"];

/** A name for people, such as `Chromium 156`. */
export function browserName() {
  /** @type {{brand: string, version: string}[]} */
  const brands = /** @type {any} */ (navigator).userAgentData?.brands ?? [];
  const known = BRANDS.map((name) => brands.find(({ brand }) => brand === name)).find(Boolean);
  return known ? `${known.brand} ${known.version}` : "Chromium";
}
