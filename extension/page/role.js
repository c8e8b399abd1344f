// Roles by WAI-ARIA 1.2 and HTML-AAM 1.0. "" means no role of interest (HTML-AAM: generic).
(() => {
  const page = globalThis.freeholdPage;
  const { dom } = page;

  /** @param {string} words */
  const set = (words) => new Set(words.split(" "));

  const ARIA_ROLES = set(
    "alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox complementary contentinfo " +
      "definition deletion dialog directory document emphasis feed figure form generic grid gridcell group heading img image insertion link list " +
      "listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option " +
      "paragraph presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider " +
      "spinbutton status strong subscript suggestion superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree " +
      "treegrid treeitem graphics-document graphics-object graphics-symbol",
  );
  const SYNONYMS = new Map([["image", "img"], ["presentation", "none"], ["directory", "list"]]);

  // WAI-ARIA 1.2, 6.5 "Global States and Properties": any of them on an element undoes role=none (7.4, conflict resolution).
  const GLOBAL_STATES = [
    "aria-atomic", "aria-busy", "aria-controls", "aria-current", "aria-describedby", "aria-description", "aria-details", "aria-dropeffect",
    "aria-flowto", "aria-grabbed", "aria-keyshortcuts", "aria-label", "aria-labelledby", "aria-live", "aria-owns", "aria-relevant",
    "aria-roledescription",
  ];

  /** @type {Record<string, string>} */
  const PLAIN = {
    article: "article", blockquote: "blockquote", button: "button", caption: "caption", code: "code", datalist: "listbox", dd: "definition",
    del: "deletion", details: "group", dfn: "term", dialog: "dialog", dt: "term", em: "emphasis", fieldset: "group", figure: "figure",
    form: "form", frame: "iframe", h1: "heading", h2: "heading", h3: "heading", h4: "heading", h5: "heading", h6: "heading", hgroup: "group",
    hr: "separator", html: "document", iframe: "iframe", ins: "insertion", main: "main", math: "math", menu: "list", meter: "meter",
    nav: "navigation", ol: "list", optgroup: "group", output: "status", p: "paragraph", progress: "progressbar", s: "deletion",
    search: "search", strong: "strong", sub: "subscript", sup: "superscript", table: "table", tbody: "rowgroup", textarea: "textbox",
    tfoot: "rowgroup", thead: "rowgroup", time: "time", ul: "list", audio: "audio", video: "video", canvas: "canvas", address: "group",
    mark: "mark", fencedframe: "iframe",
  };

  /** @type {Record<string, string>} */
  const INPUTS = {
    button: "button", checkbox: "checkbox", color: "textbox", file: "button", hidden: "", image: "button", number: "spinbutton", radio: "radio",
    range: "slider", reset: "button", submit: "button",
  };

  /** @type {Record<string, (element: Element) => string>} */
  const CONDITIONAL = {
    a: (element) => (dom.has(element, "href") ? "link" : ""),
    area: (element) => (dom.has(element, "href") ? "link" : ""),
    aside: (element) => (inSection(element) && !named(element) ? "" : "complementary"),
    footer: (element) => (inSection(element) ? "" : "contentinfo"),
    header: (element) => (inSection(element) ? "" : "banner"),
    img: imageRole,
    input: inputRole,
    li: (element) => (within(element, "ul,ol,menu", "list") ? "listitem" : ""),
    object: (element) => (/** @type {HTMLObjectElement} */ (element).contentWindow ? "iframe" : ""),
    embed: () => "",
    option: () => "option",
    section: (element) => (named(element) ? "region" : ""),
    select: (element) => (listLike(/** @type {HTMLSelectElement} */ (element)) ? "listbox" : "combobox"),
    summary: (element) => (isSummary(element) ? "button" : ""),
    td: (element) => cellRole(element),
    th: (element) => headerRole(element),
    tr: (element) => (tableOf(element) === null ? "" : "row"),
  };

  /** @param {Element} element */
  function inSection(element) {
    const parent = dom.parentNode(element);
    return parent instanceof Element && dom.closest(parent, SECTIONING) !== null;
  }
  const SECTIONING =
    "article,aside,main,nav,section,[role=article],[role=complementary],[role=main],[role=navigation],[role=region],[role=feed]";

  /** @param {Element} element */
  function named(element) {
    return Boolean(dom.attribute(element, "aria-label")?.trim() || dom.has(element, "aria-labelledby") || dom.attribute(element, "title")?.trim());
  }

  // HTML-AAM: alt="" means presentation, unless the author named it otherwise.
  /** @param {Element} element */
  function imageRole(element) {
    return dom.attribute(element, "alt") === "" && !named(element) ? "none" : "img";
  }

  /** @param {Element} element */
  function inputRole(element) {
    const type = /** @type {HTMLInputElement} */ (element).type;
    if (type in INPUTS) return type === "checkbox" && dom.has(element, "switch") ? "switch" : INPUTS[type];
    if (dom.has(element, "list") && /** @type {HTMLInputElement} */ (element).list) return "combobox";
    return type === "search" ? "searchbox" : "textbox";
  }

  /** @param {HTMLSelectElement} select */
  function listLike(select) {
    return select.multiple || select.size > 1;
  }

  /** @param {Element} element */
  function isSummary(element) {
    const parent = dom.parentNode(element);
    if (!(parent instanceof HTMLDetailsElement)) return false;
    return dom.all(parent, ":scope > summary")[0] === element;
  }

  // The nearest table decides what its rows and cells are; null where it is presentational, "" where there is none.
  /** @param {Element} element @returns {string | null} */
  function tableOf(element) {
    const table = dom.closest(element, "table");
    if (!table) return "table";
    const stated = explicit(table);
    return stated === "none" ? null : stated || "table";
  }

  /** @param {Element} element */
  function cellRole(element) {
    const table = tableOf(element);
    if (table === null) return "";
    return table === "grid" || table === "treegrid" ? "gridcell" : "cell";
  }

  /** @param {Element} element */
  function headerRole(element) {
    if (tableOf(element) === null) return "";
    const scope = dom.attribute(element, "scope")?.toLowerCase();
    if (scope === "row" || scope === "rowgroup") return "rowheader";
    if (scope === "col" || scope === "colgroup") return "columnheader";
    const row = dom.closest(element, "tr");
    if (row && dom.closest(row, "thead")) return "columnheader";
    return row && dom.all(row, ":scope > td").length ? "rowheader" : "columnheader";
  }

  /** @param {Element} element @param {string} selector @param {string} role */
  function within(element, selector, role) {
    const parent = dom.parentNode(element);
    if (!(parent instanceof Element)) return parent instanceof ShadowRoot;
    const stated = dom.attribute(parent, "role");
    return stated ? stated.trim() === role : dom.matches(parent, `${selector},slot`);
  }

  /** The first valid token of the role attribute; "" without one. @param {Element} element */
  function explicit(element) {
    const stated = dom.attribute(element, "role");
    if (!stated) return "";
    for (const token of stated.trim().toLowerCase().split(/\s+/)) {
      if (!ARIA_ROLES.has(token)) continue;
      const role = SYNONYMS.get(token) ?? token;
      if (role === "none" && resists(element)) return "";
      // WAI-ARIA: region and form without a name are no landmarks.
      if ((role === "region" || role === "form") && !named(element)) continue;
      return role;
    }
    return "";
  }

  /** Whether role=none does not hold. @param {Element} element */
  function resists(element) {
    return GLOBAL_STATES.some((name) => dom.has(element, name)) || focusable(element);
  }

  /** @param {Element} element */
  function focusable(element) {
    if (dom.has(element, "tabindex") && !Number.isNaN(Number.parseInt(dom.attribute(element, "tabindex") ?? "", 10))) return true;
    return dom.matches(element, "a[href],area[href],button:enabled,input:enabled:not([type=hidden]),select:enabled,textarea:enabled,iframe,summary") || editingHost(element);
  }

  /** @param {Element} element */
  function editingHost(element) {
    const value = dom.attribute(element, "contenteditable");
    return value !== null && value.toLowerCase() !== "false";
  }

  /** @param {Element} element @param {string} name */
  function native(element, name) {
    if (element instanceof HTMLElement || name === "math") {
      if (Object.hasOwn(CONDITIONAL, name)) return CONDITIONAL[name](element);
      if (Object.hasOwn(PLAIN, name)) return PLAIN[name];
      return "";
    }
    if (element instanceof SVGElement) return svgRole(element, name);
    return "";
  }

  /** @param {Element} element @param {string} name */
  function svgRole(element, name) {
    if (name === "a") return dom.has(element, "href") || dom.has(element, "xlink:href") ? "link" : "";
    if (name === "image") return "img";
    // SVG-AAM: only a drawing with a name is exposed.
    return name === "svg" && (named(element) || dom.all(element, ":scope > title").length) ? "img" : "";
  }

  /** @param {Element} element @returns {string} */
  function role(element) {
    const stated = explicit(element);
    if (stated) return stated;
    const name = dom.localName(element);
    const own = native(element, name);
    return own || (editingHost(element) && element instanceof HTMLElement ? "textbox" : "");
  }

  page.role = { role, explicit, focusable, editingHost, set };
})();
