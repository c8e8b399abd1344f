/**
 * The places of frames in shadow trees. They are not in their parent's window.frames, so such a frame can say of itself only
 * -1, while its parent numbers their iframes -1, -2, … in tree order. Only from outside can the two be brought together.
 */

/**
 * @typedef {import("./frames.js").Answer} Answer
 * @typedef {{frameId: number, documentId: string, parentFrameId: number}} Frame
 */

/** What a frame in a shadow tree says its place is. */
export const IN_SHADOW = -1;

/**
 * Puts the number that the parent's iframe node carries into each answer of `page.read`; returns the places by document.
 * @param {[Frame, Answer][]} answers
 * @returns {Map<string, number>}
 */
export function placeShadowed(answers) {
  /** @type {Map<string, number>} */
  const places = new Map();
  for (const [{ frameId }, { value }] of answers) {
    const children = answers.filter(([frame, answer]) => frame.parentFrameId === frameId && answer.value.index === IN_SHADOW);
    if (!children.length) continue;
    for (const [child, index] of pairs(children, iframes(JSON.parse(value.nodes)))) {
      child[1].value.index = index;
      places.set(child[0].documentId, index);
    }
  }
  return places;
}

/** The iframes of an outline that stand in shadow trees. @param {any[]} nodes */
function iframes(nodes) {
  return nodes.flatMap(([, , , , states]) => (states && states.frame < 0 ? [{ index: states.frame, url: states.url }] : []));
}

/**
 * Pairs frames with iframes of the same address first, and what is left in order: a frame that has moved on has another
 * address than its iframe.
 * @param {[Frame, Answer][]} children
 * @param {{index: number, url?: string}[]} free
 * @returns {[[Frame, Answer], number][]}
 */
function pairs(children, free) {
  const inOrder = children.toSorted(([one], [other]) => one.frameId - other.frameId);
  /** @type {Map<[Frame, Answer], number>} */
  const found = new Map();
  for (const child of inOrder) take(child, ({ url }) => url === child[1].value.url);
  for (const child of inOrder) if (!found.has(child)) take(child, () => true);
  return [...found];

  /** @param {[Frame, Answer]} child @param {(iframe: {url?: string}) => boolean} fits */
  function take(child, fits) {
    const place = free.findIndex(fits);
    if (place >= 0) found.set(child, free.splice(place, 1)[0].index);
  }
}
