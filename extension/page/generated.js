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

  /** @param {Element} element @param {"::before" | "::after"} which */
  function generated(element, which) {
    const style = getComputedStyle(element, which);
    const { content } = style;
    if (content === "none" || content === "normal" || content === "") return "";
    if (style.display === "none" || style.visibility !== "visible") return "";
    const text = parse(content, element);
    if (ICONS.test(text)) return "";
    return style.display === "inline" ? text : ` ${text} `;
  }

  page.generated = generated;
})();
