/** The page functions: packaged files, in the order they are injected, and the names that an agent may call. */

export const PAGE_FILES = [
  "page/tree.js",
  "page/visibility.js",
  "page/role.js",
  "page/name.js",
  "page/state.js",
  "page/refs.js",
  "page/outline.js",
  "page/hit.js",
  "page/fields.js",
  "page/text.js",
  "page/settle.js",
];

export const PAGE_FUNCTIONS = new Set([
  ...["describe", "locate", "framePoint", "hitTest", "focus", "activeElement", "setValue", "text", "settle", "scrollPosition"],
]);
