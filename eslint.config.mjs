import js from "@eslint/js";

const sizes = {
  "max-lines": ["error", { max: 300 }],
  "max-lines-per-function": ["error", { max: 60 }],
};

const strictness = {
  ...sizes,
  eqeqeq: ["error", "always", { null: "ignore" }],
  "no-eval": "error",
  "no-implied-eval": "error",
  "no-new-func": "error",
  "no-var": "error",
  "prefer-const": "error",
  "no-empty": ["error", { allowEmptyCatch: false }],
  // tsc knows which names exist; this rule would need a list of the browser's globals.
  "no-undef": "off",
};

export default [
  { ignores: ["node_modules/", ".venv/", "dist/", "pi/"] },
  js.configs.recommended,
  { files: ["extension/background/**/*.js", "extension/popup/**/*.js"], languageOptions: { sourceType: "module" }, rules: { ...strictness, "max-len": ["error", { code: 140 }] } },
  {
    // Injected one by one by chrome.scripting: classic scripts that share one namespace, and nothing of background/.
    files: ["extension/page/**/*.js"],
    languageOptions: { sourceType: "script" },
    rules: {
      ...strictness,
      "no-restricted-syntax": ["error", { selector: "ImportExpression", message: "page/ imports nothing: its files are injected in order." }],
    },
  },
  {
    files: ["extension/background/**/*.js"],
    rules: { "no-restricted-imports": ["error", { patterns: [{ group: ["**/popup/**", "**/page/**"], message: "background/ stands alone." }] }] },
  },
  {
    // The tour's own site: what a page of the web may do.
    files: ["src/freehold/surfaces/cli/tour/site/*.js"],
    languageOptions: { sourceType: "script" },
    rules: strictness,
  },
  { files: ["tests/extension/**/*.mjs"], languageOptions: { sourceType: "module" }, rules: { ...sizes, "no-undef": "off" } },
];
