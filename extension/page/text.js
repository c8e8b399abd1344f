// The text a person reads: the main content where the page marks one, else the body without its furniture.
(() => {
  const page = globalThis.freeholdPage;
  const { dom, tree } = page;

  const SILENT = page.role.set(
    "script style template noscript head meta link title source track datalist iframe frame object embed audio video canvas select option svg button input textarea",
  );
  const FURNITURE = page.role.set("navigation banner contentinfo complementary search menu menubar toolbar tablist dialog alertdialog");
  // Below this share of the page's words, a marked main part is not where its text is.
  const ENOUGH = 0.25;

  /** @param {Element} root @param {boolean} plain whether to leave out navigation, headers and the like */
  function read(root, plain) {
    const out = new Lines();
    /** @type {{nodes: Node[], index: number, element: Element | null, block: boolean, pre: boolean, visible: boolean}[]} */
    const stack = [{ nodes: [root], index: 0, element: null, block: true, pre: false, visible: true }];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      if (top.index >= top.nodes.length) {
        stack.pop();
        if (top.element) out.leave(dom.localName(top.element), top.block);
        continue;
      }
      const node = top.nodes[top.index++];
      if (!(node instanceof Element)) {
        if (top.visible && dom.nodeType(node) === Node.TEXT_NODE) out.add(dom.nodeValue(node) ?? "", top.pre);
        continue;
      }
      const name = dom.localName(node);
      if (name === "br") out.add("\n", true);
      if (SILENT.has(name) || name === "br") continue;
      const style = getComputedStyle(node);
      if (page.visibility.prunes(node, style) || page.visibility.barred(node)) continue;
      if (plain && node !== root && FURNITURE.has(page.role.role(node))) continue;
      const block = style.display !== "inline" && style.display !== "contents" && !style.display.startsWith("inline-");
      if (block) out.enter(name);
      const pre = style.whiteSpaceCollapse === "preserve";
      const nodes = style.contentVisibility === "hidden" ? [] : tree.children(node);
      stack.push({ nodes, index: 0, element: node, block, pre, visible: style.visibility === "visible" });
    }
    return out.text();
  }

  const SPACED = page.role.set("p h1 h2 h3 h4 h5 h6 ul ol dl table pre blockquote figure article section hr");

  /** Collects runs of text as rendering lays them out: lines for blocks, an empty line around paragraphs, tabs between cells. */
  class Lines {
    constructor() {
      /** @type {string[]} */
      this.parts = [];
      this.breaks = 0;
      this.space = false;
      this.tab = false;
    }

    /** @param {string} name */
    enter(name) {
      this.breaks = Math.max(this.breaks, SPACED.has(name) ? 2 : name === "td" || name === "th" ? 0 : 1);
    }

    /** @param {string} name @param {boolean} block */
    leave(name, block) {
      if (name === "td" || name === "th") this.tab = true;
      else if (block) this.enter(name);
    }

    /** @param {string} raw @param {boolean} pre */
    add(raw, pre) {
      const text = pre ? raw : raw.replace(/[ \t\n\r\f]+/g, " ");
      if (!pre && text.trimStart() === "" && !/[^ ]/.test(text)) {
        this.space ||= text !== "";
        return;
      }
      this.parts.push(this.gap(text.startsWith(" ") && !pre), pre ? text : text.replace(/^ | $/g, ""));
      this.space = !pre && text.endsWith(" ");
    }

    /** @param {boolean} spaced */
    gap(spaced) {
      const { breaks, tab } = this;
      this.breaks = 0;
      this.tab = false;
      if (!this.parts.length) return "";
      if (breaks) return "\n".repeat(breaks);
      if (tab) return "\t";
      return this.space || spaced ? " " : "";
    }

    text() {
      return this.parts.join("").replace(/[ \t]+\n/g, "\n").replace(/\n{3,}/g, "\n\n").trim();
    }
  }

  // A page of comments or of teasers has many articles: only one that outweighs all others together is what the page is about.
  /** The element that holds the page's main content; null where none is marked. @returns {Element | null} */
  function main() {
    const marked = dom.all(document, "main,[role=main]").find((element) => !page.visibility.hidden(element));
    if (marked) return marked;
    const articles = dom.all(document, "article,[role=article]").filter((element) => !page.visibility.hidden(element));
    const outer = articles.filter((element) => !inArticle(element));
    const sizes = outer.map((element) => (dom.textContent(element) ?? "").length);
    const largest = Math.max(0, ...sizes);
    const total = sizes.reduce((sum, size) => sum + size, 0);
    return largest * 2 > total ? outer[sizes.indexOf(largest)] : null;
  }

  /** @param {Element} element */
  function inArticle(element) {
    const parent = dom.parentNode(element);
    return parent instanceof Element && dom.closest(parent, "article,[role=article]") !== null;
  }

  function text() {
    const root = dom.body() ?? dom.documentElement();
    const marked = main();
    const whole = root ? read(root, true) : "";
    const part = marked ? read(marked, true) : "";
    const chosen = part.length >= whole.length * ENOUGH ? part : whole;
    return { status: "ok", text: chosen || (root ? read(root, false) : ""), title: dom.title() ?? "", url: location.href };
  }

  page.text = text;
})();
