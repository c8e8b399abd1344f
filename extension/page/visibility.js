// What is hidden from everybody: by style, by aria-hidden, by inert, by a modal dialog.
(() => {
  const page = globalThis.freeholdPage;
  const { dom, tree } = page;

  /** Whether the element's own attributes or style take its whole subtree away. @param {Element} element @param {CSSStyleDeclaration} style */
  function prunes(element, style) {
    return style.display === "none" || barred(element);
  }

  /** @param {Element} element */
  function barred(element) {
    return dom.attribute(element, "aria-hidden") === "true" || dom.has(element, "inert");
  }

  /** Whether the element is hidden, by itself or from above. @param {Element} element */
  function hidden(element) {
    const style = getComputedStyle(element);
    if (style.visibility !== "visible" || style.display === "none") return true;
    for (let above = /** @type {Element | null} */ (element); above; above = tree.parent(above)) {
      if (barred(above) || closedAbove(above)) return true;
      if (above !== element && skipsContent(above)) return true;
    }
    return false;
  }

  /** @param {Element} element */
  function skipsContent(element) {
    const style = getComputedStyle(element);
    return style.display === "none" || style.contentVisibility === "hidden";
  }

  /** @param {Element} element */
  function closedAbove(element) {
    const above = tree.parent(element);
    return above instanceof HTMLDetailsElement && !above.open && !tree.children(above).includes(element);
  }

  // The top layer has no order a script can read; the last modal dialog in the tree is on top unless pages open them backwards.
  /** The dialog that makes everything else inert. @returns {Element | null} */
  function modal() {
    return dom.all(document, "dialog:modal").at(-1) ?? null;
  }

  page.visibility = { prunes, hidden, modal };
})();
