// Step 2F of accname 1.2, name from content, without recursion: pages nest thousands of levels deep.
(() => {
  const page = globalThis.freeholdPage;
  const { dom, tree, visibility } = page;

  const SILENT = page.role.set("script style template noscript head meta link title source track datalist");

  /** @param {Element} element @returns {Node[]} */
  function childrenOf(element) {
    const nodes = tree.children(element);
    return dom.has(element, "aria-owns") ? [...nodes, ...tree.owned(element)] : nodes;
  }

  /** @param {Element} element @param {boolean} separate @param {boolean} visible @param {number} start */
  function frame(element, separate, visible, start) {
    return { element, separate, visible, start, nodes: childrenOf(element), index: 0 };
  }

  /** The text of an element's content. @param {Element} root @param {NameWalk} walk @returns {string} */
  function content(root, walk) {
    const nestedGroups = page.role.role(root) === "treeitem";
    let text = page.generated(root, "::before");
    const stack = [frame(root, false, walk.hidden || getComputedStyle(root).visibility === "visible", text.length)];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      if (top.index >= top.nodes.length) {
        stack.pop();
        text += close(top, text, stack.length === 0);
        continue;
      }
      const node = top.nodes[top.index++];
      if (!(node instanceof Element)) {
        if (top.visible && dom.nodeType(node) === Node.TEXT_NODE) text += dom.nodeValue(node);
        continue;
      }
      if (nestedGroups && dom.attribute(node, "role") === "group") continue;
      const entered = enter(node, walk, text.length);
      if (typeof entered === "string") text += entered;
      else {
        text += entered.separate ? ` ${entered.before}` : entered.before;
        stack.push(entered.frame);
      }
    }
    return text;
  }

  /** @param {Element} element @param {NameWalk} walk @param {number} length */
  function enter(element, walk, length) {
    const name = dom.localName(element);
    if (name === "br") return " ";
    if (SILENT.has(name)) return "";
    const style = getComputedStyle(element);
    if (!walk.hidden && (visibility.prunes(element, style) || visibility.barred(element))) return "";
    const visible = walk.hidden || style.visibility === "visible";
    // Inline boxes join without a space, all others stand apart (accname issue 205, as browsers do it).
    const separate = style.display !== "inline" && style.display !== "contents";
    const text = visible ? page.name.nested(element, walk) : null;
    if (text !== null) return separate ? ` ${text} ` : text;
    const before = visible ? page.generated(element, "::before") : "";
    return { before, separate, frame: frame(element, separate, visible, length) };
  }

  /** @param {{element: Element, separate: boolean, visible: boolean, start: number}} closed @param {string} text @param {boolean} isRoot */
  function close(closed, text, isRoot) {
    let tail = closed.visible ? page.generated(closed.element, "::after") : "";
    if (!isRoot && closed.visible && dom.has(closed.element, "title") && !silenced(closed.element) && !(text.slice(closed.start) + tail).trim()) {
      tail += ` ${dom.attribute(closed.element, "title")} `;
    }
    return closed.separate ? `${tail} ` : tail;
  }

  /** @param {Element} element */
  function silenced(element) {
    return page.role.explicit(element) === "none";
  }

  page.nameContent = { content };
})();
