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

  // Asking every element for the style of its pseudo-elements doubles the time of a snapshot, so the style sheets are asked first.
  /** @type {Map<Node, boolean> | null} */
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

  /** Whether a style sheet of the tree may generate content. @param {Node} root */
  function possible(root) {
    const told = known?.get(root);
    if (told !== undefined) return told;
    const answer = root instanceof Document || root instanceof ShadowRoot ? anyRule(root) : true;
    known?.set(root, answer);
    return answer;
  }

  /** @param {Document | ShadowRoot} root */
  function anyRule(root) {
    const queue = [...Array.from(root.styleSheets, rulesOf), ...Array.from(root.adoptedStyleSheets, rulesOf)];
    let seen = 0;
    for (let rules = queue.pop(); rules !== undefined; rules = queue.pop()) {
      if (rules === null) return true;
      for (const rule of rules) {
        seen += 1;
        if (seen > RULES_LIMIT || mentions(rule)) return true;
        if ("cssRules" in rule) queue.push(/** @type {CSSGroupingRule} */ (rule).cssRules);
        if (rule instanceof CSSImportRule && rule.styleSheet) queue.push(rulesOf(rule.styleSheet));
      }
    }
    return false;
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

  /** @param {CSSRule} rule */
  function mentions(rule) {
    return rule instanceof CSSStyleRule && /:(?:before|after)/.test(rule.selectorText);
  }

  /** @param {Element} element */
  function mayGenerate(element) {
    return known === null || reaching || dom.localName(element) === "q" || possible(dom.root(element));
  }

  // :host, ::slotted and ::part reach out of a shadow tree, so one tree with such rules makes every element suspect.
  let reaching = false;

  /** Tells of a shadow root on the way. @param {ShadowRoot} shadow */
  function met(shadow) {
    if (known && !reaching) reaching = possible(shadow);
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
