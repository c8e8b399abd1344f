// Child frames by their place in window.frames: WindowProxy identity holds across origins and isolated worlds.
(() => {
  const page = globalThis.freeholdPage;
  const { dom, tree } = page;

  const CONTAINERS = "iframe,frame,object,embed,fencedframe";

  /** @param {Element} element @returns {Window | null} */
  function windowOf(element) {
    return /** @type {Partial<HTMLIFrameElement>} */ (element).contentWindow ?? null;
  }

  /** The frame's place among this window's children. @param {Element} element @returns {number | undefined} */
  function indexOf(element) {
    const child = windowOf(element);
    if (!child) return undefined;
    for (let index = 0; index < window.length; index += 1) if (window[index] === child) return index;
    return undefined;
  }

  /** This frame's own place in its parent; null for the top. */
  function ownIndex() {
    if (window.parent === window) return null;
    const { parent } = window;
    for (let index = 0; index < parent.length; index += 1) if (parent[index] === window) return index;
    return null;
  }

  /** The element that shows child frame `index`. @param {number} index @returns {Element | null} */
  function elementOf(index) {
    const child = window[index];
    if (!child) return null;
    for (const root of tree.roots()) {
      const found = dom.all(root, CONTAINERS).find((element) => windowOf(element) === child);
      if (found) return found;
    }
    return null;
  }

  /** Where the frame's viewport begins in this one, and how much it is scaled. @param {Element} element */
  function origin(element) {
    const rect = dom.rect(element);
    const style = getComputedStyle(element);
    const width = dom.offsetWidth(element);
    const height = dom.offsetHeight(element);
    const scaleX = width ? rect.width / width : 1;
    const scaleY = height ? rect.height / height : 1;
    const left = dom.clientLeft(element) + Number.parseFloat(style.paddingLeft);
    const top = dom.clientTop(element) + Number.parseFloat(style.paddingTop);
    return { x: rect.left + left * scaleX, y: rect.top + top * scaleY, scaleX, scaleY };
  }

  page.frames = { indexOf, ownIndex, elementOf, origin };
})();
