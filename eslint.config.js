import js from "@eslint/js";

/** No file of `folder` may import from `others`: what runs inside pages knows nothing of what may talk to Chrome. */
function apart(folder, others) {
  const patterns = others.map((other) => ({ group: [`**/${other}/*`], message: `${folder}/ never imports ${other}/.` }));
  return { files: [`extension/${folder}/**/*.js`], rules: { "no-restricted-imports": ["error", { patterns }] } };
}

export default [
  { ignores: [".venv/", "docs/"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  js.configs.recommended,
  {
    rules: {
      // tsc knows every global, and whether a promise is awaited.
      "no-undef": "off",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", caughtErrors: "all" }],
      "array-callback-return": "error",
      "consistent-return": "off",
      curly: ["error", "multi-line"],
      eqeqeq: "error",
      "max-depth": ["error", 4],
      "max-lines-per-function": ["error", { max: 60 }],
      "no-constructor-return": "error",
      "no-else-return": "error",
      "no-eval": "error",
      "no-implicit-coercion": ["error", { boolean: false }],
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-param-reassign": "off",
      "no-promise-executor-return": "off",
      "no-self-compare": "error",
      "no-shadow": "error",
      "no-template-curly-in-string": "error",
      "no-unmodified-loop-condition": "error",
      "no-unreachable-loop": "error",
      "no-useless-assignment": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "require-await": "error",
    },
  },
  // What a page or a protocol says may well hold control characters.
  { rules: { "no-control-regex": "off" } },
  apart("page", ["background", "popup"]),
  apart("background", ["page", "popup"]),
];
