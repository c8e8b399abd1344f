// What is hidden from everybody: by style, by aria-hidden, by inert, by a modal dialog.
(() => {
  const page = globalThis.freeholdPage;
  const { dom, tree } = page;

  /** Whether the element's own attributes or style take its whole subtree away. @param {Element} element @param {CSSStyleDeclaration} style */
  function prunes(element, style) {
    return style.display === "none" || dom.has(element, "inert");
  }

  /** Whether the author hides the element and all in it from assistive technology. @param {Element} element */
  function barred(element) {
    return dom.attribute(element, "aria-hidden") === "true";
  }

  /** Whether the element is hidden, by itself or from above. @param {Element} element @returns {boolean} */
  function hidden(element) {
    if (!unseen(element)) return barredAbove(element);
    // checkVisibility asks for a box, and display:contents has none.
    const parent = getComputedStyle(element).display === "contents" ? tree.parent(element) : null;
    return parent === null || hidden(parent);
  }

  /** @param {Element} element */
  function unseen(element) {
    return !dom.checkVisibility(element, { visibilityProperty: true });
  }

  /** Whether the author hides the element and all in it from assistive technology. @param {Element} element */
  function barredAbove(element) {
    for (let inner = /** @type {Element | null} */ (element); inner; ) {
      if (dom.closest(inner, "[aria-hidden=true],[inert]")) return true;
      const root = dom.root(inner);
      inner = root instanceof ShadowRoot ? root.host : null;
    }
    return false;
  }

  // The top layer has no order a script can read; the last modal dialog in the tree is on top unless pages open them backwards.
  /** The dialog that makes everything else inert. @returns {Element | null} */
  function modal() {
    return dom.all(document, "dialog:modal").at(-1) ?? null;
  }

  page.visibility = { prunes, barred, hidden, modal };
})();
