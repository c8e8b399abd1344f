// Waits until the document is quiet. Timers, not animation frames: those do not fire in hidden tabs.
(() => {
  const page = globalThis.freeholdPage;
  const { tree } = page;

  const WATCHED = { childList: true, subtree: true, characterData: true, attributes: true };
  // An element restyled this often without anything else happening is animated, and may never stop.
  const ANIMATED = 3;

  /** @param {MutationRecord[]} records @param {WeakMap<Node, number>} restyled */
  function meaningful(records, restyled) {
    return records.filter((record) => {
      if (record.type !== "attributes" || record.attributeName !== "style") return true;
      const times = (restyled.get(record.target) ?? 0) + 1;
      restyled.set(record.target, times);
      return times <= ANIMATED;
    }).length;
  }

  /**
   * @param {{quiet_ms?: number, limit_ms?: number}} [options]
   * @returns {Promise<{status: "ok", changes: number, quiet: boolean}>}
   */
  function settle({ quiet_ms: quiet = 100, limit_ms: limit = 2000 } = {}) {
    return new Promise((resolve) => {
      const restyled = new WeakMap();
      let changes = 0;
      const observer = new MutationObserver((records) => {
        const count = meaningful(records, restyled);
        if (!count) return;
        changes += count;
        restart();
      });
      // A document that is still being parsed is not quiet, however slowly its server sends.
      function restart() {
        clearTimeout(waiting);
        if (document.readyState !== "loading") waiting = setTimeout(end, quiet, true);
      }
      /** @param {boolean} isQuiet */
      function end(isQuiet) {
        clearTimeout(waiting);
        clearTimeout(limiting);
        document.removeEventListener("DOMContentLoaded", restart);
        observer.disconnect();
        resolve({ status: "ok", changes, quiet: isQuiet });
      }
      let waiting = 0;
      const limiting = setTimeout(end, limit, false);
      document.addEventListener("DOMContentLoaded", restart);
      restart();
      for (const root of tree.roots()) observer.observe(root, WATCHED);
    });
  }

  page.settle = settle;
})();
