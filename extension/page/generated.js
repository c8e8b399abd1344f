// Text that CSS puts before and after an element's content (accname 1.2, 2F.ii).
(() => {
  const page = globalThis.freeholdPage;
  const { dom } = page;

  const TOKEN = /"((?:[^"\\]|\\.)*)"|attr\(\s*([\w-]+)[^)]*\)|(open-quote)|(close-quote)|url\((?:"(?:[^"\\]|\\.)*"|[^)]*)\)|([\w-]+)\([^)]*\)|(\/)/g;
  // Icon fonts draw private-use characters: they have no meaning outside their font.
  const ICONS = /^[\s\uE000-\uF8FF\u{F0000}-\u{10FFFD}]*$/u;

  /** @param {string} text */
  function unescape(text) {
    return text.replace(/\\(?:([0-9a-fA-F]{1,6})\s?|(.))/g, (_, hex, char) => (hex ? String.fromCodePoint(Number.parseInt(hex, 16)) : char));
  }

  // CSS Generated Content 3: what follows "/" is the alternative text and stands for all before it.
  /** @param {string} content @param {Element} element */
  function parse(content, element) {
    let text = "";
    for (const match of content.matchAll(TOKEN)) {
      if (match[1] !== undefined) text += unescape(match[1]);
      else if (match[2]) text += dom.attribute(element, match[2]) ?? "";
      else if (match[3]) text += "\u201c";
      else if (match[4]) text += "\u201d";
      else if (match[6]) text = "";
    }
    return text;
  }

  // Asking every element for the style of its pseudo-elements doubles the time of a snapshot, so the style sheets are asked
  // first which elements may have such text at all. `null` for a tree: any may.
  /** @type {Map<Node, Set<Element> | null> | null} */
  let known = null;
  const RULES_LIMIT = 20000;

  /** Runs `work` with the style sheets looked through once. @template T @param {() => T} work @returns {T} */
  function remembered(work) {
    if (known) return work();
    known = new Map();
    reaching = false;
    try {
      return work();
    } finally {
      known = null;
      reaching = false;
    }
  }

  /** The elements of a tree that a style sheet may give text to; null where it cannot be told. @param {Node} root */
  function candidates(root) {
    const told = known?.get(root);
    if (told !== undefined) return told;
    const found = root instanceof Document || root instanceof ShadowRoot ? selected(root) : null;
    known?.set(root, found);
    return found;
  }

  /** @param {Document | ShadowRoot} root @returns {Set<Element> | null} */
  function selected(root) {
    const selectors = selectorsOf(root);
    // What these mean depends on where the rule stands. A host and what is slotted are outside the tree that is asked.
    if (selectors === null || selectors.some((selector) => RELATIVE.test(selector))) return null;
    try {
      return new Set(selectors.length ? dom.all(root, selectors.join(",")) : []);
    } catch {
      // A selector that only a style sheet may hold.
      return null;
    }
  }
  const RELATIVE = /&|:scope|:host|::slotted|::part/;

  /** The selectors of the rules that generate text, without their pseudo-element. @param {Document | ShadowRoot} root */
  function selectorsOf(root) {
    const queue = [...Array.from(root.styleSheets, rulesOf), ...Array.from(root.adoptedStyleSheets, rulesOf)];
    const found = [];
    let seen = 0;
    for (let rules = queue.pop(); rules !== undefined; rules = queue.pop()) {
      if (rules === null) return null;
      for (const rule of rules) {
        seen += 1;
        if (seen > RULES_LIMIT) return null;
        if (rule instanceof CSSStyleRule && tells(rule)) found.push(...origins(rule.selectorText));
        if ("cssRules" in rule) queue.push(/** @type {CSSGroupingRule} */ (rule).cssRules);
        if (rule instanceof CSSImportRule && rule.styleSheet) queue.push(rulesOf(rule.styleSheet));
      }
    }
    return found;
  }

  // A sheet of another origin does not show its rules: null.
  /** @param {CSSStyleSheet} sheet */
  function rulesOf(sheet) {
    try {
      return sheet.cssRules;
    } catch {
      return null;
    }
  }

  /** Whether a rule's content may be text that is read; icons and empty boxes are most of them. @param {CSSStyleRule} rule */
  function tells({ selectorText, style }) {
    const { content } = style;
    if (content === "" || content === "none" || content === "normal") return false;
    return PSEUDO.test(selectorText) && !(QUOTED.test(content) && ICONS.test(unescape(content.slice(1, -1))));
  }
  const PSEUDO = /::?(?:before|after)/;
  const QUOTED = /^"(?:[^"\\]|\\.)*"$/;

  /** @param {string} selectorText */
  function origins(selectorText) {
    return parts(selectorText)
      .filter((part) => PSEUDO.test(part))
      .map((part) => part.replace(/::?(?:before|after)/g, "").replace(/(^|[\s>+~])$/, "$1*"));
  }

  /** A selector list's parts. @param {string} text @returns {string[]} */
  function parts(text) {
    const found = [""];
    let depth = 0;
    for (const piece of text.split(/([(),[\]"])/)) {
      if (piece === "(" || piece === "[") depth += 1;
      if (piece === ")" || piece === "]") depth -= 1;
      if (piece === "," && depth === 0) found.push("");
      else found[found.length - 1] += piece;
    }
    return found;
  }

  /** @param {Element} element */
  function mayGenerate(element) {
    if (known === null || reaching || dom.localName(element) === "q") return true;
    const found = candidates(dom.root(element));
    return found === null || found.has(element);
  }

  // :host, ::slotted and ::part reach out of a shadow tree, so one tree with such rules makes every element suspect.
  let reaching = false;

  /** Tells of a shadow root on the way. @param {ShadowRoot} shadow */
  function met(shadow) {
    if (known && !reaching) reaching = candidates(shadow) === null;
  }

  /** @param {Element} element @param {"::before" | "::after"} which */
  function generated(element, which) {
    if (!mayGenerate(element)) return "";
    const style = getComputedStyle(element, which);
    const { content } = style;
    if (content === "none" || content === "normal" || content === "") return "";
    if (style.display === "none" || style.visibility !== "visible") return "";
    const text = parse(content, element);
    if (ICONS.test(text)) return "";
    return style.display === "inline" ? text : ` ${text} `;
  }

  page.generated = generated;
  page.generatedOnce = remembered;
  page.shadowMet = met;
})();
