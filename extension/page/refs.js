// Numbers of elements: never reused, kept as long as the document lives. The worker hands the numbers out.
(() => {
  const page = globalThis.freeholdPage;
  const { dom } = page;

  // Kept when the files are injected again: a ref must outlive the worker and an update of these files.
  /** @type {RefState} */
  const state = (page.refState ??= { byNumber: new Map(), byElement: new WeakMap(), pending: [], highest: 0 });

  /** The element's number, 0 when it has none. @param {Element} element @returns {number} */
  function number(element) {
    return state.byElement.get(element) ?? 0;
  }

  /** @param {number} ref @returns {Resolved} */
  function resolve(ref) {
    const weak = state.byNumber.get(ref);
    if (!weak) return { status: "unknown" };
    const element = weak.deref();
    const here = element && dom.isConnected(element) && dom.ownerDocument(element) === document;
    return here ? { status: "ok", element } : { status: "removed" };
  }

  /** Forgets what an earlier snapshot asked for and was never given. */
  function begin() {
    state.pending = [];
  }

  /** The element's number, or a negative one that `commit` replaces. @param {Element} element @returns {number} */
  function take(element) {
    const known = state.byElement.get(element);
    if (known) return known;
    state.pending.push(new WeakRef(element));
    return -state.pending.length;
  }

  /**
   * Gives the elements of the last snapshot their numbers: the one sent as -k gets `base + k - 1`.
   * @param {number} base the first number; above every number of the tab so far
   * @param {number} [count] how many the caller reserved; another number than the snapshot's `fresh` assigns nothing
   * @returns {{status: "ok" | "stale"}}
   */
  function commit(base, count = state.pending.length) {
    if (count !== state.pending.length || !(base > state.highest)) return { status: "stale" };
    state.pending.forEach((weak, index) => {
      const element = weak.deref();
      if (element) state.byElement.set(element, base + index);
      state.byNumber.set(base + index, weak);
    });
    state.highest = Math.max(state.highest, base + count - 1);
    state.pending = [];
    return { status: "ok" };
  }

  page.refs = { number, resolve, begin, take, fresh: () => state.pending.length, highest: () => state.highest };
  page.commit = commit;
})();
