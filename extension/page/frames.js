// Child frames by their place in window.frames: WindowProxy identity holds across origins and isolated worlds.
(() => {
  const page = globalThis.freeholdPage;
  const { dom, tree } = page;

  const CONTAINERS = "iframe,frame,object,embed,fencedframe";

  /** @param {Element} element @returns {Window | null} */
  function windowOf(element) {
    return /** @type {Partial<HTMLIFrameElement>} */ (element).contentWindow ?? null;
  }

  // HTML counts only frames of the document's own tree in window.length: those in shadow trees are numbered -1, -2, … in
  // tree order instead. They know themselves only that they are none of their parent's.
  /** @returns {Element[]} */
  function shadowed() {
    const shadows = tree.roots().slice(1);
    return shadows.flatMap((root) => dom.all(root, CONTAINERS)).filter((element) => windowOf(element));
  }

  /** The frame's place among this window's children; undefined where there is no frame. @param {Element} element @returns {number | undefined} */
  function indexOf(element) {
    const child = windowOf(element);
    if (!child) return undefined;
    for (let index = 0; index < window.length; index += 1) if (window[index] === child) return index;
    const hidden = shadowed().indexOf(element);
    return hidden < 0 ? undefined : -1 - hidden;
  }

  /** This frame's own place in its parent; null for the top, -1 for one in a shadow tree. */
  function ownIndex() {
    if (window.parent === window) return null;
    const { parent } = window;
    for (let index = 0; index < parent.length; index += 1) if (parent[index] === window) return index;
    return -1;
  }

  /** The element that shows child frame `index`. @param {number} index @returns {Element | null} */
  function elementOf(index) {
    if (index < 0) return shadowed()[-1 - index] ?? null;
    const child = window[index];
    return (child && dom.all(document, CONTAINERS).find((element) => windowOf(element) === child)) ?? null;
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
