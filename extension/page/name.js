// Accessible names and descriptions by accname 1.2; the step names in comments are the specification's.
(() => {
  const page = globalThis.freeholdPage;
  const { dom, role: roles, visibility } = page;

  const FROM_CONTENT = roles.set(
    "button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row rowheader switch tab tooltip treeitem",
  );
  // Inside a name, these speak for themselves or not at all; their content is not part of it.
  const CLOSED = roles.set(
    "alertdialog application audio canvas combobox dialog grid iframe listbox log marquee menu menubar meter progressbar radiogroup scrollbar " +
      "slider spinbutton tablist textbox searchbox toolbar tree treegrid video",
  );
  const LABELABLE = roles.set("button input meter output progress select textarea");

  const UNCLEAN = /[\t\n\r\f]| {2}|^ | $/;

  /** @param {string} text */
  function collapse(text) {
    // Most texts are clean, and looking is cheaper than replacing.
    return UNCLEAN.test(text) ? text.replace(/[ \t\n\r\f]+/g, " ").replace(/^ | $/g, "") : text;
  }

  /** @param {Element} element @param {string} name */
  function attribute(element, name) {
    return collapse(dom.attribute(element, name) ?? "");
  }

  /** @param {Element} target @returns {NameWalk} */
  function start(target) {
    return { target, visited: new Set([target]), referenced: false, hidden: false };
  }

  /** The accessible name and where it comes from. @param {Element} element @param {string} [role] @returns {AccessibleName} */
  function compute(element, role = roles.role(element)) {
    return page.label.indexed(() => {
      const authored = author(element, role);
      if (authored.name || !FROM_CONTENT.has(role)) return authored.name ? authored : tooltip(element, role);
      const walk = start(element);
      const name = collapse(page.nameContent.content(element, walk));
      return name ? { name, from: "content" } : tooltip(element, role);
    });
  }

  /** The name that does not come from content or tooltip. @param {Element} element @param {string} role @returns {AccessibleName} */
  function author(element, role) {
    const walk = start(element);
    const name = labelledBy(element, walk) || attribute(element, "aria-label");
    if (name) return { name, from: "author" };
    if (role === "none" && roles.explicit(element) === "none") return { name: "", from: "" };
    const labelled = labelText(element, walk);
    if (labelled) return { name: labelled, from: "label" };
    return { name: native(element, walk), from: "native" };
  }

  /** 2I, and the placeholder that HTML-AAM puts after it. @param {Element} element @param {string} role @returns {AccessibleName} */
  function tooltip(element, role) {
    if (role === "none" && roles.explicit(element) === "none") return { name: "", from: "" };
    const title = attribute(element, "title");
    if (title) return { name: title, from: "title" };
    const hint = role === "textbox" || role === "searchbox" || role === "combobox" || role === "spinbutton";
    const placeholder = hint ? attribute(element, "placeholder") || attribute(element, "aria-placeholder") : "";
    return placeholder ? { name: placeholder, from: "placeholder" } : { name: "", from: "" };
  }

  /** 2B. @param {Element} element @param {NameWalk} walk */
  function labelledBy(element, walk) {
    if (walk.referenced || !dom.has(element, "aria-labelledby")) return "";
    const parts = (dom.labelledByElements(element) ?? []).map((other) => referenced(other, walk));
    return collapse(parts.join(" "));
  }

  /** The text of an element that an idref or a label relation points at. @param {Element} element @param {NameWalk} walk */
  function referenced(element, walk) {
    const inner = { ...walk, referenced: true, hidden: visibility.hidden(element) };
    if (element === walk.target) return itself(element, inner);
    if (inner.visited.has(element)) return "";
    inner.visited.add(element);
    const text = own(element, roles.role(element), inner);
    return collapse(text ?? page.nameContent.content(element, inner)) || attribute(element, "title");
  }

  // An element that lists itself among its labels contributes its own name, never its value.
  /** @param {Element} element @param {NameWalk} walk */
  function itself(element, walk) {
    const role = roles.role(element);
    const text = attribute(element, "aria-label") || labelText(element, walk) || native(element, walk);
    if (text) return text;
    if (FROM_CONTENT.has(role)) return collapse(page.nameContent.content(element, walk));
    return tooltip(element, role).name;
  }

  /** 2C to 2E of an element inside a name; null where its content decides. @param {Element} element @param {string} role @param {NameWalk} walk */
  function own(element, role, walk) {
    const value = page.embedded(element, role);
    if (value) return value;
    const label = attribute(element, "aria-label");
    if (label) return label;
    if (role === "none" && roles.explicit(element) === "none") return null;
    return native(element, walk) || null;
  }

  /**
   * The text of an element met inside another's name: a string, or null when its children are to be read.
   * @param {Element} element @param {NameWalk} walk @returns {string | null}
   */
  function nested(element, walk) {
    const labelled = labelledBy(element, walk);
    if (labelled) return labelled;
    if (walk.visited.has(element)) return "";
    walk.visited.add(element);
    const role = roles.role(element);
    const text = own(element, role, walk);
    if (text !== null) return text;
    if (role === "img" || CLOSED.has(role)) return attribute(element, "title");
    return null;
  }

  /** The text of the label elements. @param {Element} element @param {NameWalk} walk */
  function labelText(element, walk) {
    const name = dom.localName(element);
    if (!LABELABLE.has(name) && !name.includes("-")) return "";
    const labels = page.label.labels(element);
    if (!labels.length) return "";
    return collapse(labels.map((label) => referencedLabel(label, walk)).join(" "));
  }

  /** @param {Element} label @param {NameWalk} walk */
  function referencedLabel(label, walk) {
    const inner = { ...walk, hidden: visibility.hidden(label) };
    if (inner.visited.has(label)) return "";
    const text = nested(label, inner);
    return collapse(text ?? page.nameContent.content(label, inner)) || attribute(label, "title");
  }

  /** 2E: what the host language offers besides labels. @param {Element} element @param {NameWalk} walk @returns {string} */
  function native(element, walk) {
    const name = dom.localName(element);
    if (element instanceof HTMLInputElement) return inputName(element);
    if (name === "img" || name === "area") return attribute(element, "alt");
    if (name === "optgroup" || name === "option") return attribute(element, "label");
    if (name === "math") return attribute(element, "alttext");
    const child = CAPTIONS.get(name);
    if (!child) return "";
    const caption = dom.all(element, `:scope > ${child}`)[0];
    if (!caption || walk.visited.has(caption)) return "";
    walk.visited.add(caption);
    if (name === "svg") return collapse(dom.textContent(caption) ?? "");
    return collapse(page.nameContent.content(caption, { ...walk, hidden: visibility.hidden(caption) }));
  }
  const CAPTIONS = new Map([["fieldset", "legend"], ["table", "caption"], ["figure", "figcaption"], ["svg", "title"]]);

  /** @param {HTMLInputElement} input */
  function inputName(input) {
    if (input.type === "image") return attribute(input, "alt") || attribute(input, "title") || (dom.has(input, "src") ? "" : "Submit");
    if (input.type === "submit") return dom.has(input, "value") ? collapse(input.value) : "Submit";
    if (input.type === "reset") return dom.has(input, "value") ? collapse(input.value) : "Reset";
    return input.type === "button" ? collapse(input.value) : "";
  }

  /** The accessible description; "" where it would repeat the name. @param {Element} element @param {AccessibleName} name */
  function description(element, name) {
    return page.label.indexed(() => {
      let text = "";
      if (dom.has(element, "aria-describedby")) {
        const walk = { ...start(element), visited: new Set() };
        text = collapse((dom.describedByElements(element) ?? []).map((other) => referenced(other, { ...walk, visited: new Set() })).join(" "));
      }
      text ||= attribute(element, "aria-description");
      if (!text && name.from !== "title" && dom.has(element, "title")) text = attribute(element, "title");
      return text === name.name ? "" : text;
    });
  }

  page.name = { compute, author, description, nested, collapse };
})();
