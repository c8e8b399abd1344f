// Accessors taken from the prototypes: a page can shadow `form.childNodes` or `document.body` with an element of that
// name (HTMLFormElement and Document are [LegacyOverrideBuiltIns]), and that reaches isolated worlds.
(() => {
  // An element with id "freeholdPage" is a named property of the window too, but never an own one.
  if (!Object.hasOwn(globalThis, "freeholdPage")) {
    Object.defineProperty(globalThis, "freeholdPage", { value: {}, configurable: true });
  }
  const page = globalThis.freeholdPage;

  /**
   * @template T
   * @param {object} prototype
   * @param {string} name
   * @returns {(node: Node) => T}
   */
  function getter(prototype, name) {
    const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
    if (!get) return () => /** @type {T} */ (/** @type {unknown} */ (null));
    return (node) => get.call(node);
  }

  const element = Element.prototype;
  const node = Node.prototype;
  const html = HTMLElement.prototype;
  const { getAttribute, hasAttribute, getBoundingClientRect, getClientRects, matches, closest, querySelectorAll, checkVisibility, scrollIntoView } = element;
  const { contains, getRootNode } = node;
  const { focus, click } = html;
  const documentQueryAll = Document.prototype.querySelectorAll;
  const fragmentQueryAll = DocumentFragment.prototype.querySelectorAll;

  page.dom = {
    nodeType: getter(node, "nodeType"),
    parentNode: getter(node, "parentNode"),
    firstChild: getter(node, "firstChild"),
    nextSibling: getter(node, "nextSibling"),
    isConnected: getter(node, "isConnected"),
    ownerDocument: getter(node, "ownerDocument"),
    nodeValue: getter(node, "nodeValue"),
    textContent: getter(node, "textContent"),
    localName: getter(element, "localName"),
    namespaceURI: getter(element, "namespaceURI"),
    shadowRoot: getter(element, "shadowRoot"),
    assignedSlot: getter(element, "assignedSlot"),
    clientLeft: getter(element, "clientLeft"),
    clientTop: getter(element, "clientTop"),
    scrollTop: getter(element, "scrollTop"),
    scrollLeft: getter(element, "scrollLeft"),
    scrollWidth: getter(element, "scrollWidth"),
    scrollHeight: getter(element, "scrollHeight"),
    clientWidth: getter(element, "clientWidth"),
    clientHeight: getter(element, "clientHeight"),
    labelledByElements: getter(element, "ariaLabelledByElements"),
    describedByElements: getter(element, "ariaDescribedByElements"),
    offsetWidth: getter(html, "offsetWidth"),
    offsetHeight: getter(html, "offsetHeight"),
    isContentEditable: getter(html, "isContentEditable"),
    tabIndex: getter(html, "tabIndex"),
    body: () => bodyOf(document),
    documentElement: () => rootOf(document),
    title: () => titleOf(document),
    scrollingElement: () => scrollerOf(document) ?? rootOf(document),
    command: (name, value) => execCommand.call(document, name, false, value),
    // "instant" also where the page asks for smooth scrolling: a point that was told must hold when it is used.
    show: (target) => scrollIntoView.call(target, { block: "center", inline: "center", behavior: "instant" }),
    activeElement: (root) => (root instanceof ShadowRoot ? activeInShadow(root) : activeInDocument(root)),
    attribute: (target, name) => getAttribute.call(target, name),
    has: (target, name) => hasAttribute.call(target, name),
    rect: (target) => getBoundingClientRect.call(target),
    rects: (target) => getClientRects.call(target),
    matches: (target, selector) => matches.call(target, selector),
    closest: (target, selector) => closest.call(target, selector),
    checkVisibility: (target, options) => checkVisibility.call(target, options),
    contains: (outer, inner) => contains.call(outer, inner),
    root: (target) => getRootNode.call(target),
    focus: (target) => /** @type {Function} */ (target instanceof HTMLElement ? focus : svgFocus).call(target, { preventScroll: true }),
    click: (target) => click.call(target),
    all(root, selector) {
      if (root instanceof Document) return Array.from(documentQueryAll.call(root, selector));
      if (root instanceof DocumentFragment) return Array.from(fragmentQueryAll.call(root, selector));
      return Array.from(querySelectorAll.call(root, selector));
    },
    byId: (root, id) => (root instanceof Document ? documentById : fragmentById).call(root, id),
    fromPoint: (root, x, y) => (root instanceof ShadowRoot ? shadowFromPoint : documentFromPoint).call(root, x, y),
  };

  const { execCommand } = Document.prototype;
  /** @type {(node: Node) => Element | null} */
  const scrollerOf = getter(Document.prototype, "scrollingElement");
  const svgFocus = SVGElement.prototype.focus;
  const documentById = Document.prototype.getElementById;
  const fragmentById = DocumentFragment.prototype.getElementById;
  const documentFromPoint = Document.prototype.elementFromPoint;
  const shadowFromPoint = ShadowRoot.prototype.elementFromPoint;
  /** @type {(node: Node) => Element | null} */
  const activeInShadow = getter(ShadowRoot.prototype, "activeElement");
  /** @type {(node: Node) => Element | null} */
  const activeInDocument = getter(Document.prototype, "activeElement");
  /** @type {(node: Node) => HTMLElement | null} */
  const bodyOf = getter(Document.prototype, "body");
  /** @type {(node: Node) => Element | null} */
  const rootOf = getter(Document.prototype, "documentElement");
  /** @type {(node: Node) => string} */
  const titleOf = getter(Document.prototype, "title");
})();
