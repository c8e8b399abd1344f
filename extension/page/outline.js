// The accessibility outline of this frame: one walk over the flat tree, without recursion.
(() => {
  const page = globalThis.freeholdPage;
  const { dom, tree, refs, kind } = page;

  const SILENT = page.role.set("script style template noscript head meta link title source track datalist area");
  // A node of these roles with nothing but one text in it takes the text as its name.
  const FOLDED = page.role.set(
    "cell gridcell columnheader rowheader listitem term definition blockquote status alert deletion insertion tooltip note log timer generic option",
  );
  // Their content is shown by its own nodes, so it is not read a second time for a name.
  const NAMED_BY_PARTS = page.role.set("cell gridcell row");

  class Walk {
    constructor() {
      /** @type {OutlineNode[]} */
      this.nodes = [];
      this.text = "";
      this.textDepth = 0;
      this.focused = tree.focused();
      /** @type {Map<Element, AccessibleName>} */
      this.names = new Map();
      /** @type {Map<Element, Element>} */
      this.owned = ownership();
      /** @type {Element | null} */
      this.modal = null;
    }

    /** Ends the run of text that is being joined. */
    flush() {
      if (!this.text) return;
      const text = page.name.collapse(this.text);
      // A lone no-break space only holds a place open.
      if (/\S/.test(text)) this.nodes.push([this.textDepth, "text", text, 0, 0]);
      this.text = "";
    }

    /** @param {WalkFrame} frame @param {Node} node */
    readText(frame, node) {
      if (!frame.quiet && frame.visible) this.addText(frame, dom.nodeValue(node) ?? "");
    }

    /** @param {WalkFrame} frame @param {"::before" | "::after"} which */
    addPseudo(frame, which) {
      if (!frame.quiet && frame.visible) this.addText(frame, page.generated(frame.element, which));
    }

    /** @param {WalkFrame} frame @param {string} text */
    addText(frame, text) {
      if (!text) return;
      if (!this.text) this.textDepth = frame.depth;
      this.text += text;
    }

    /** @param {Element} root @param {WalkFrame} outer */
    run(root, outer) {
      const first = this.enter(root, outer);
      const stack = first ? [first] : [];
      for (let top = stack.at(-1); top; top = stack.at(-1)) {
        if (top.index >= top.children.length) {
          stack.pop();
          this.leave(top);
          continue;
        }
        const node = top.children[top.index++];
        if (node instanceof Element) {
          const inner = this.enter(node, top);
          if (inner) stack.push(inner);
        } else if (dom.nodeType(node) === Node.TEXT_NODE || dom.nodeType(node) === Node.CDATA_SECTION_NODE) {
          this.readText(top, node);
        }
      }
      this.flush();
    }

    /** @param {Element} element @param {WalkFrame} outer @returns {WalkFrame | null} */
    enter(element, outer) {
      const local = dom.localName(element);
      if (local === "br" && this.text) this.text += "\n";
      if (SILENT.has(local) || local === "br") return null;
      if (this.owned.size && this.owned.has(element) && this.owned.get(element) !== outer.element) return null;
      const style = getComputedStyle(element);
      if (page.visibility.prunes(element, style)) return null;
      const barred = outer.barred || page.visibility.barred(element);
      if (local === "dialog" && dom.matches(element, ":modal")) this.modal = element;
      const { display } = style;
      const block = display !== "inline" && display !== "contents" && !display.startsWith("inline-");
      if (block) this.flush();
      const pointer = style.cursor === "pointer";
      const visible = style.visibility === "visible";
      /** @type {WalkFrame} */
      const frame = { element, depth: outer.depth, block, pointer, visible, quiet: outer.quiet || barred, barred, node: -1, children: [], index: 0, opened: false };
      const role = page.role.role(element);
      if (visible && (!barred || kind.operable(element, role))) this.emit(frame, role, pointer && !outer.pointer);
      if (!kind.leaf(element, role) && style.contentVisibility !== "hidden") this.open(frame);
      return frame;
    }

    /** @param {WalkFrame} frame */
    open(frame) {
      frame.opened = true;
      frame.children = tree.children(frame.element);
      if (this.owned.size && dom.has(frame.element, "aria-owns")) {
        frame.children = [...frame.children, ...tree.owned(frame.element).filter((child) => this.owned.get(child) === frame.element)];
      }
      this.addPseudo(frame, "::before");
    }

    /** @param {WalkFrame} frame @param {string} role @param {boolean} pointer */
    emit(frame, role, pointer) {
      const { element } = frame;
      const label = frame.quiet ? null : page.label.control(element);
      const name = role === "" ? EMPTY : NAMED_BY_PARTS.has(role) ? page.name.author(element, role) : this.nameOf(element, role);
      const clickable = kind.clickable(element, role, pointer);
      const shown = kind.shown(role, name.name) && !(frame.quiet && kind.insideName(role) && !clickable);
      if (shown || clickable) this.push(frame, role || "generic", name, clickable);
      if (name.from === "content") frame.quiet = true;
      else if (label && !clickable && this.isTold(element, label)) frame.quiet = true;
    }

    // A control is met after its label as a rule, and its name is needed for both.
    /** @param {Element} element @param {string} role @returns {AccessibleName} */
    nameOf(element, role) {
      return this.names.get(element) ?? page.name.compute(element, role);
    }

    /** Whether the label's text is already told as the name of its control. @param {Element} label @param {Element} control */
    isTold(label, control) {
      if (getComputedStyle(control).display === "none") return false;
      const name = this.nameOf(control, page.role.role(control));
      this.names.set(control, name);
      return name.from === "label" && page.label.labels(control).includes(label);
    }

    /** @param {WalkFrame} frame @param {string} role @param {AccessibleName} name @param {boolean} clickable */
    push(frame, role, name, clickable) {
      this.flush();
      const { element } = frame;
      const ref = clickable || kind.referenced(element, role, name.name) ? refs.take(element) : 0;
      frame.node = this.nodes.length;
      const states = page.state.states(element, role, name, this.focused);
      const hint = ref ? page.hint(element, role, name) : "";
      // Of these only few take a click, and a reader cannot tell which.
      const odd = ref !== 0 && kind.passive(role) && (clickable || kind.tabStop(element));
      const more = { ...(hint && { hint }), ...(odd && { clickable: true }) };
      this.nodes.push([frame.depth, role, name.name, ref, hint || odd ? { ...(states || {}), ...more } : states]);
      frame.depth += 1;
    }

    /** @param {WalkFrame} frame */
    leave(frame) {
      if (frame.opened) this.addPseudo(frame, "::after");
      if (frame.block || frame.node >= 0) this.flush();
      if (frame.node >= 0) this.fold(frame.node);
    }

    /** @param {number} index */
    fold(index) {
      const node = this.nodes[index];
      if (node[2] !== "" || this.nodes.length !== index + 2 || !FOLDED.has(node[1])) return;
      const only = this.nodes[index + 1];
      if (only[1] !== "text") return;
      node[2] = only[2];
      this.nodes.pop();
    }
  }

  /** @type {AccessibleName} */
  const EMPTY = { name: "", from: "" };

  /** Who owns whom by aria-owns; the first owner wins, nobody owns what it is inside of. */
  function ownership() {
    /** @type {Map<Element, Element>} */
    const owned = new Map();
    for (const owner of dom.all(document, "[aria-owns]")) {
      for (const child of tree.owned(owner)) {
        if (!owned.has(child) && !tree.contains(child, owner) && !owns(child, owner, owned)) owned.set(child, owner);
      }
    }
    return owned;
  }

  // Two elements that own each other through others would vanish both.
  /** @param {Element} child @param {Element} owner @param {Map<Element, Element>} owned */
  function owns(child, owner, owned) {
    for (let above = /** @type {Element | null} */ (owner); above; above = owned.get(above) ?? tree.parent(above)) {
      if (above === child) return true;
    }
    return false;
  }

  /** @param {Element | null} root @param {boolean} whole */
  function walk(root, whole) {
    const modal = whole ? page.visibility.modal() : null;
    let result = from(modal ?? root);
    // A modal dialog inside a shadow root shows only during the walk.
    if (whole && !modal && result.modal) result = from(result.modal);
    return result;
  }

  /** @param {Element | null} root */
  function from(root) {
    refs.begin();
    const result = new Walk();
    if (root) result.run(root, { element: null, depth: 0, block: true, pointer: false, visible: true, quiet: false, barred: false, node: -1, children: [], index: 0, opened: false });
    return result;
  }

  function viewport() {
    const root = dom.scrollingElement();
    return {
      width: window.innerWidth, height: window.innerHeight, scrollX: window.scrollX, scrollY: window.scrollY,
      pageWidth: root ? dom.scrollWidth(root) : 0, pageHeight: root ? dom.scrollHeight(root) : 0, scale: window.devicePixelRatio,
    };
  }

  /**
   * The outline of this frame, or of one element's subtree. Elements that have no number yet carry -1, -2, … until `commit`.
   * @param {{ref?: number | null}} [options]
   * @returns {Snapshot | Refusal}
   */
  function snapshot(options = {}) {
    const { ref } = options;
    let root = dom.documentElement();
    if (ref !== undefined && ref !== null) {
      const found = refs.resolve(ref);
      if (found.status !== "ok") return { status: found.status };
      root = found.element;
    }
    const { nodes } = page.generatedOnce(() => page.label.indexed(() => walk(root, ref === undefined || ref === null)));
    return {
      status: "ok", index: page.frames.ownIndex(), url: location.href, title: dom.title() ?? "", viewport: viewport(),
      // As one text: Chrome takes values apart and puts them together again for each of the processes they pass.
      nodes: JSON.stringify(nodes),
      fresh: refs.fresh(), highest: refs.highest(),
    };
  }

  page.snapshot = snapshot;
})();
