/** The page functions: packaged files in the order they are injected (page/files.json), and the names that an agent may call. */

export const PAGE_FILES = [
  "page/dom.js",
  "page/tree.js",
  "page/refs.js",
  "page/visibility.js",
  "page/role.js",
  "page/label.js",
  "page/generated.js",
  "page/embedded.js",
  "page/name.js",
  "page/content.js",
  "page/frames.js",
  "page/state.js",
  "page/hint.js",
  "page/kind.js",
  "page/outline.js",
  "page/hit.js",
  "page/focus.js",
  "page/widgets.js",
  "page/fields.js",
  "page/settle.js",
  "page/text.js",
];

export const PAGE_FUNCTIONS = new Set([
  ...["describe", "locate", "framePoint", "hitTest", "focus", "activeElement", "setValue", "text", "settle", "draw"],
  "scrollPosition",
]);
