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
    if (!state.byNumber.has(ref)) return { status: "unknown" };
    const element = state.byNumber.get(ref)?.deref();
    const here = element && dom.isConnected(element) && dom.ownerDocument(element) === document;
    return here ? { status: "ok", element } : { status: "removed" };
  }

  // A page that lives for days would fill memory with references to elements long gone.
  function tidy() {
    if (state.byNumber.size < tidyAt) return;
    for (const [ref, weak] of state.byNumber) if (weak && !weak.deref()) state.byNumber.set(ref, null);
    tidyAt = state.byNumber.size * 2;
  }
  let tidyAt = 10000;

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
    tidy();
    return { status: "ok" };
  }

  page.refs = { number, resolve, begin, take, fresh: () => state.pending.length, highest: () => state.highest };
  page.commit = commit;
})();
