// Which labels belong to which control. `control.labels` walks its whole tree on every call, which takes a minute on a
// page of 10,000 controls, so every label is asked for its control once instead.
(() => {
  const page = globalThis.freeholdPage;
  const { dom } = page;

  /** @type {Map<Node, Map<Element, Element[]>> | null} */
  let index = null;

  /** Runs `work` with one index of the labels; the tree must not change meanwhile. @template T @param {() => T} work @returns {T} */
  function indexed(work) {
    if (index) return work();
    index = new Map();
    try {
      return work();
    } finally {
      index = null;
    }
  }

  /** @param {Node} root */
  function collect(root) {
    /** @type {Map<Element, Element[]>} */
    const found = new Map();
    for (const label of dom.all(/** @type {Document} */ (root), "label")) {
      const control = controlOf(label);
      if (!control) continue;
      const others = found.get(control);
      if (others) others.push(label);
      else found.set(control, [label]);
    }
    return found;
  }

  /** @param {Element} label @returns {Element | null} */
  function controlOf(label) {
    return label instanceof HTMLLabelElement ? label.control : null;
  }

  /** The labels of a control, in tree order. @param {Element} control @returns {Element[]} */
  function labels(control) {
    const root = dom.root(control);
    let known = index?.get(root);
    if (!known) {
      known = collect(root);
      index?.set(root, known);
    }
    return known.get(control) ?? [];
  }

  page.label = { indexed, labels, control: controlOf };
})();
