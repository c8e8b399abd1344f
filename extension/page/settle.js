// Waits until the document is quiet. Timers, not animation frames: those do not fire in hidden tabs.
(() => {
  const page = globalThis.freeholdPage;
  const { dom, tree } = page;

  const WATCHED = { childList: true, subtree: true, characterData: true, attributes: true };
  // An element restyled this often without anything else happening is animated, and may never stop.
  const ANIMATED = 3;

  function scripted() {
    return tree.roots().some((root) => dom.all(root, "script").length);
  }

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
   * Calls `then` once the document is parsed and its frames and pictures are there, or `patience` after it is parsed.
   * @param {number} patience
   * @param {() => void} then
   * @returns {() => void} stops waiting
   */
  function whenLoaded(patience, then) {
    const waiting = new AbortController();
    let timer = 0;
    function look() {
      if (document.readyState === "complete") then();
      else if (document.readyState === "interactive") timer ||= setTimeout(then, patience);
    }
    document.addEventListener("readystatechange", look, { signal: waiting.signal });
    look();
    return () => {
      waiting.abort();
      clearTimeout(timer);
    };
  }

  /**
   * `fresh`: the document has just come, so that without a script nothing can change it once it has loaded.
   * @param {{quiet_ms?: number, load_ms?: number, limit_ms?: number, fresh?: boolean}} [options]
   * @returns {Promise<object>} address, title and focus as the document has them now
   */
  function settle({ quiet_ms: quiet = 100, load_ms: patience = 1500, limit_ms: limit = 2000, fresh = false } = {}) {
    return new Promise((resolve) => {
      const restyled = new WeakMap();
      let changes = 0;
      let loaded = false;
      let waiting = 0;
      const observer = new MutationObserver((records) => {
        const count = meaningful(records, restyled);
        changes += count;
        if (count && loaded) restart();
      });
      function restart() {
        loaded = true;
        clearTimeout(waiting);
        if (fresh && document.readyState === "complete" && !scripted()) end(true);
        else waiting = setTimeout(end, quiet, true);
      }
      /** @param {boolean} isQuiet */
      function end(isQuiet) {
        clearTimeout(waiting);
        clearTimeout(limiting);
        stop();
        observer.disconnect();
        resolve({ status: "ok", changes, quiet: isQuiet, url: document.URL, title: document.title, focus: page.activeElement() });
      }
      const limiting = setTimeout(end, limit, false);
      for (const root of tree.roots()) observer.observe(root, WATCHED);
      let stop = () => {};
      stop = whenLoaded(patience, restart);
    });
  }

  /**
   * Animation frames come only where something is drawn: on screen, or for a screencast.
   * @param {{limit_ms?: number}} [options]
   * @returns {Promise<{status: "ok", drawn: boolean}>}
   */
  function draw({ limit_ms: limit = 1000 } = {}) {
    return new Promise((resolve) => {
      /** @param {boolean} drawn */
      function end(drawn) {
        clearTimeout(limiting);
        resolve({ status: "ok", drawn });
      }
      const limiting = setTimeout(end, limit, false);
      // When the second one comes, what the first one drew has been handed to the browser.
      requestAnimationFrame(() => requestAnimationFrame(() => end(true)));
    });
  }

  Object.assign(page, { settle, draw });
})();
