// The flat tree: what is rendered, with shadow roots in place of their hosts' children and slots filled.
(() => {
  const page = globalThis.freeholdPage;
  const { dom } = page;

  // The only HTML elements besides custom ones that attachShadow accepts (DOM, "valid shadow host name").
  const HOSTS = new Set(
    "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span".split(" "),
  );
  /** @type {((element: HTMLElement) => ShadowRoot | null) | undefined} */
  const openOrClosed = /** @type {any} */ (globalThis).chrome?.dom?.openOrClosedShadowRoot;

  /** @param {Element} element @returns {ShadowRoot | null} */
  function shadowOf(element) {
    if (!(element instanceof HTMLElement)) return null;
    const name = dom.localName(element);
    if (!HOSTS.has(name) && !name.includes("-")) return null;
    const shadow = dom.shadowRoot(element) ?? openOrClosed?.(element) ?? null;
    if (shadow) page.shadowMet(shadow);
    return shadow;
  }

  /** @param {Node} node @returns {Node[]} */
  function list(node) {
    const nodes = [];
    for (let child = dom.firstChild(node); child; child = dom.nextSibling(child)) nodes.push(child);
    return nodes;
  }

  /** Children in the flat tree, without aria-owns. @param {Node} node @returns {Node[]} */
  function children(node) {
    if (!(node instanceof Element)) return list(node);
    if (node instanceof HTMLSlotElement && dom.root(node) instanceof ShadowRoot) {
      const assigned = node.assignedNodes();
      return assigned.length ? assigned : list(node);
    }
    if (node instanceof HTMLDetailsElement && !node.open) return summaryOf(node);
    const shadow = shadowOf(node);
    return list(shadow ?? node);
  }

  /** A closed details shows its first summary only. @param {HTMLDetailsElement} details @returns {Node[]} */
  function summaryOf(details) {
    return list(details)
      .filter((child) => child instanceof HTMLElement && dom.localName(child) === "summary")
      .slice(0, 1);
  }

  /** Parent in the flat tree; null at the document. @param {Node} node @returns {Element | null} */
  function parent(node) {
    const above = dom.parentNode(node);
    if (above instanceof ShadowRoot) return above.host;
    if (!(above instanceof Element)) return null;
    const shadow = shadowOf(above);
    return shadow ? (slotOf(node, shadow) ?? above) : above;
  }

  // `assignedSlot` is null for closed roots by design, so the slot is looked for there.
  /** @param {Node} node @param {ShadowRoot} shadow @returns {Element | null} */
  function slotOf(node, shadow) {
    const open = node instanceof Element ? dom.assignedSlot(node) : null;
    if (open) return open;
    return dom.all(shadow, "slot").find((slot) => /** @type {HTMLSlotElement} */ (slot).assignedNodes().includes(node)) ?? null;
  }

  /** Whether `outer` is `inner` or above it in the flat tree. @param {Element} outer @param {Node} inner */
  function contains(outer, inner) {
    if (dom.contains(outer, inner)) return true;
    for (let node = /** @type {Node | null} */ (inner); node; node = parent(node)) if (node === outer) return true;
    return false;
  }

  /** Every tree of the document: itself and all shadow roots in it. @returns {(Document | ShadowRoot)[]} */
  function roots() {
    /** @type {(Document | ShadowRoot)[]} */
    const found = [document];
    for (let index = 0; index < found.length; index += 1) {
      for (const element of dom.all(found[index], "*")) {
        const shadow = shadowOf(element);
        if (shadow) found.push(shadow);
      }
    }
    return found;
  }

  /** The focused element, inside shadow roots too; null when nothing has focus. @returns {Element | null} */
  function focused() {
    let active = dom.activeElement(document);
    while (active) {
      const shadow = shadowOf(active);
      const inner = shadow && dom.activeElement(shadow);
      if (!inner) break;
      active = inner;
    }
    return active === dom.body() || active === dom.documentElement() ? null : active;
  }

  /** What aria-owns names, in its order. @param {Element} owner @returns {Element[]} */
  function owned(owner) {
    const ids = dom.attribute(owner, "aria-owns")?.trim();
    if (!ids) return [];
    const root = /** @type {Document | ShadowRoot} */ (dom.root(owner));
    return ids.split(/\s+/).flatMap((id) => dom.byId(root, id) ?? []);
  }

  page.tree = { owned, children, parent, contains, shadowOf, roots, focused };
})();
