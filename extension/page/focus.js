// Focus, what has it, and where the page is scrolled to.
(() => {
  const page = globalThis.freeholdPage;
  const { dom, tree, refs, hit } = page;

  const TYPELESS = page.role.set("button checkbox color file hidden image radio range reset submit");

  /** Whether typed text goes into the element. @param {Element} element */
  function editable(element) {
    if (element instanceof HTMLInputElement) return !TYPELESS.has(element.type) && !element.readOnly && !element.disabled;
    if (element instanceof HTMLTextAreaElement) return !element.readOnly && !element.disabled;
    return element instanceof HTMLElement && dom.isContentEditable(element);
  }

  /** @param {Element} element */
  function details(element) {
    const type = element instanceof HTMLInputElement ? element.type : null;
    return { ...hit.brief(element), editable: editable(element), tag: dom.localName(element), type };
  }

  /** @param {number} ref */
  function describe(ref) {
    const found = refs.resolve(ref);
    return found.status === "ok" ? { status: "ok", ...details(found.element) } : { status: found.status };
  }

  /** @param {number} ref */
  function focus(ref) {
    const found = refs.resolve(ref);
    if (found.status !== "ok") return { status: found.status };
    if (found.element instanceof HTMLElement || found.element instanceof SVGElement) dom.focus(found.element);
    return { status: "ok", ...details(found.element), focused: tree.focused() === found.element };
  }

  function activeElement() {
    const element = tree.focused();
    if (!element) return null;
    const frame = page.frames.indexOf(element);
    return frame === undefined ? details(element) : { ...details(element), frame };
  }

  /** @param {Element | null} from @returns {Element | null} */
  function scroller(from) {
    for (let above = from; above; above = tree.parent(above)) {
      const style = getComputedStyle(above);
      const scrolls = /auto|scroll/.test(style.overflowX + style.overflowY);
      const over = dom.scrollHeight(above) > dom.clientHeight(above) || dom.scrollWidth(above) > dom.clientWidth(above);
      if (scrolls && over && above !== dom.body() && above !== dom.documentElement()) return above;
    }
    return dom.scrollingElement();
  }

  /** @param {number | null} [ref] */
  function scrollPosition(ref = null) {
    const found = ref === null ? null : refs.resolve(ref);
    if (found && found.status !== "ok") return { status: found.status };
    const element = scroller(found?.status === "ok" ? found.element : null);
    if (!element) return { status: "ok", scrollX: 0, scrollY: 0, maxX: 0, maxY: 0 };
    return {
      status: "ok", scrollX: dom.scrollLeft(element), scrollY: dom.scrollTop(element),
      maxX: Math.max(0, dom.scrollWidth(element) - dom.clientWidth(element)),
      maxY: Math.max(0, dom.scrollHeight(element) - dom.clientHeight(element)),
    };
  }

  page.editable = editable;
  Object.assign(page, { describe, focus, activeElement, scrollPosition });
})();
