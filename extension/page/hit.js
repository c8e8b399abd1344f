// Where an element can be hit, and what is in the way.
(() => {
  const page = globalThis.freeholdPage;
  const { dom, tree, refs, kind } = page;

  /** What an agent is told of an element. @param {Element} element @returns {Described} */
  function brief(element) {
    const role = page.role.role(element) || "generic";
    return { role, name: page.name.compute(element).name, ref: refs.number(element) };
  }

  /** The element at a point of the viewport, through shadow roots. @param {number} x @param {number} y @returns {Element | null} */
  function at(x, y) {
    let found = dom.fromPoint(document, x, y);
    while (found) {
      const shadow = tree.shadowOf(found);
      const inner = shadow && dom.fromPoint(shadow, x, y);
      // Over a host's own box a shadow root answers with the host or with nothing of its own.
      if (!inner || inner === found || dom.root(inner) !== shadow) break;
      found = inner;
    }
    return found;
  }

  /** Whether a click on `hit` acts on `target`. @param {Element} target @param {Element} hit */
  function reaches(target, hit) {
    if (tree.contains(target, hit)) return true;
    for (let above = /** @type {Element | null} */ (hit); above; above = tree.parent(above)) {
      if (page.label.control(above) === target) return true;
      if (above instanceof HTMLSelectElement && target instanceof HTMLOptionElement) return dom.contains(above, target);
    }
    return target instanceof HTMLAreaElement && hit instanceof HTMLImageElement && hit.useMap === `#${mapName(target)}`;
  }

  /** @param {Element} area */
  function mapName(area) {
    const map = dom.closest(area, "map");
    return map ? dom.attribute(map, "name") : null;
  }

  /** What covers, named by the nearest element above it that means something. @param {Element} hit @param {Element} target @returns {Described} */
  function cover(hit, target) {
    for (let above = /** @type {Element | null} */ (hit); above && !tree.contains(above, target); above = tree.parent(above)) {
      const role = page.role.role(above);
      if (refs.number(above) || kind.shown(role, page.name.author(above, role).name)) return brief(above);
    }
    return brief(hit);
  }

  /** @param {DOMRect} rect @returns {Box | null} */
  function clip(rect) {
    const left = Math.max(rect.left, 0);
    const top = Math.max(rect.top, 0);
    const right = Math.min(rect.right, window.innerWidth);
    const bottom = Math.min(rect.bottom, window.innerHeight);
    return right - left > 0 && bottom - top > 0 ? { left, top, right, bottom } : null;
  }

  // An inline link over two lines has two boxes, and the middle of their union may belong to neither.
  /** @param {Element} element @returns {DOMRect[]} */
  function boxes(element) {
    const rects = Array.from(dom.rects(element)).filter((rect) => rect.width > 0 && rect.height > 0);
    if (rects.length) return rects;
    // display:contents has no box of its own.
    const range = new Range();
    range.selectNodeContents(element);
    return getComputedStyle(element).display === "contents" ? Array.from(range.getClientRects()) : [];
  }

  /** @param {Box} box */
  function* points(box) {
    const width = box.right - box.left;
    const height = box.bottom - box.top;
    for (const [across, down] of PLACES) yield { x: box.left + width * across, y: box.top + height * down };
  }
  const PLACES = [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75], [0.1, 0.5], [0.9, 0.5], [0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9]];

  /** A point of the boxes at which the target is hit; null without one. @param {Element} target @param {Box[]} visible */
  function reachable(target, visible) {
    for (const box of visible) {
      for (const point of points(box)) {
        const hit = at(point.x, point.y);
        if (hit && reaches(target, hit)) return point;
      }
    }
    return null;
  }

  /** @param {Element} target */
  function seen(target) {
    if (getComputedStyle(target).visibility !== "visible") return [];
    return boxes(target).flatMap((rect) => clip(rect) ?? []);
  }

  // Styled checkboxes keep the real input clipped to nothing and paint its label.
  /** @param {Element} target */
  function stand(target) {
    return page.label.labels(target).flatMap(seen);
  }

  /** @param {Element} target */
  function probe(target) {
    const own = seen(target);
    const point = reachable(target, own);
    if (point) return { own, point };
    return { own, point: reachable(target, stand(target)) };
  }

  /** @param {Element} target @param {boolean} scroll */
  function find(target, scroll) {
    const found = probe(target);
    if (found.point || !scroll) return { ...found, scrolled: false };
    dom.show(target);
    const after = probe(target);
    if (after.point || after.own.length) return { ...after, scrolled: true };
    const [label] = page.label.labels(target);
    if (label) dom.show(label);
    return { ...probe(target), scrolled: true };
  }

  /** @param {number} ref @param {{scroll?: boolean}} [options] */
  function locate(ref, options = {}) {
    const resolved = refs.resolve(ref);
    if (resolved.status !== "ok") return { status: resolved.status };
    const { element } = resolved;
    const { own, point, scrolled } = find(element, options.scroll ?? true);
    const rect = dom.rect(element);
    const box = own[0] ?? { left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom };
    const centre = point ?? { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
    const hit = point ? null : at(centre.x, centre.y);
    return {
      status: "ok", index: page.frames.ownIndex(), ...brief(element), ...centre, width: rect.width, height: rect.height, visible: own.length > 0 || point !== null,
      scrolled, hit: point !== null, cover: hit && own.length ? cover(hit, element) : null,
    };
  }

  /** Where a point of a child frame stands in this viewport. @param {Element} element @param {number} x @param {number} y */
  function placed(element, x, y) {
    const origin = page.frames.origin(element);
    return { x: origin.x + x * origin.scaleX, y: origin.y + y * origin.scaleY };
  }

  /** @param {{x: number, y: number}} point */
  function inView({ x, y }) {
    return x >= 0 && y >= 0 && x < window.innerWidth && y < window.innerHeight;
  }

  // A frame may be taller than the viewport, so it is the point that has to come into view, not the frame.
  /** @param {Element} element @param {number} x @param {number} y */
  function bringIntoView(element, x, y) {
    const point = placed(element, x, y);
    if (inView(point)) return point;
    window.scrollBy({ left: point.x - window.innerWidth / 2, top: point.y - window.innerHeight / 2, behavior: "instant" });
    const scrolled = placed(element, x, y);
    if (inView(scrolled)) return scrolled;
    element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    return placed(element, x, y);
  }

  /** @param {number} index @param {number} x @param {number} y */
  function framePoint(index, x, y) {
    const element = page.frames.elementOf(index);
    if (!element) return { status: "unknown" };
    const point = bringIntoView(element, x, y);
    const hit = at(point.x, point.y);
    const reached = hit !== null && tree.contains(element, hit);
    const covered = hit && !reached ? cover(hit, element) : null;
    return { status: "ok", index: page.frames.ownIndex(), ...point, hit: reached, cover: covered };
  }

  /** @param {number} x @param {number} y */
  function hitTest(x, y) {
    const element = at(x, y);
    if (!element) return { status: "ok", role: "", name: "", ref: 0 };
    const frame = page.frames.indexOf(element);
    if (frame === undefined) return { status: "ok", ...brief(meaningful(element)) };
    const origin = page.frames.origin(element);
    return { status: "ok", ...brief(element), frame, x: (x - origin.x) / origin.scaleX, y: (y - origin.y) / origin.scaleY };
  }

  /** The element itself or the nearest above that has a ref. @param {Element} element */
  function meaningful(element) {
    for (let above = /** @type {Element | null} */ (element); above; above = tree.parent(above)) if (refs.number(above)) return above;
    return element;
  }

  page.hit = { at, brief };
  Object.assign(page, { locate, framePoint, hitTest });
})();
