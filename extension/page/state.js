// The states of a node, as PROTOCOL.md 3.1 lists them: native semantics first, ARIA where the element has none.
(() => {
  const page = globalThis.freeholdPage;
  const { dom, role: roles } = page;

  const CHECKABLE = roles.set("checkbox radio switch menuitemcheckbox menuitemradio");
  const SELECTABLE = roles.set("option tab treeitem gridcell row columnheader rowheader");
  const VALUED = roles.set("textbox searchbox combobox listbox slider spinbutton progressbar meter scrollbar");
  const TYPED = roles.set("color date datetime-local email file month password tel time url week");
  const FORM = roles.set("button fieldset input optgroup option select textarea");
  const LEVELS = roles.set("heading treeitem");
  // Count-free, so that not even the length of a password is told.
  const MASK = "\u2022\u2022";

  /** @param {Element} element @param {string} name @returns {boolean | undefined} */
  function flag(element, name) {
    const value = dom.attribute(element, name);
    return value === "true" ? true : value === "false" ? false : undefined;
  }

  /** @param {Element} element @param {string} name @returns {true | "mixed" | undefined} */
  function tristate(element, name) {
    const value = dom.attribute(element, name);
    return value === "mixed" ? "mixed" : value === "true" ? true : undefined;
  }

  /** @param {Element} element @param {string} role */
  function checked(element, role) {
    if (!CHECKABLE.has(role)) return undefined;
    if (element instanceof HTMLInputElement && (element.type === "checkbox" || element.type === "radio")) {
      return element.indeterminate ? "mixed" : element.checked || undefined;
    }
    return tristate(element, "aria-checked");
  }

  /** @param {Element} element @param {string} role */
  function selected(element, role) {
    if (element instanceof HTMLOptionElement) return element.selected || undefined;
    return SELECTABLE.has(role) ? flag(element, "aria-selected") || undefined : undefined;
  }

  /** @param {Element} element */
  function expanded(element) {
    if (element instanceof HTMLDetailsElement) return element.open;
    const parent = dom.localName(element) === "summary" ? dom.parentNode(element) : null;
    if (parent instanceof HTMLDetailsElement) return parent.open;
    return flag(element, "aria-expanded");
  }

  // :disabled also knows a disabled fieldset around the control. aria-disabled reaches down to descendants (ARIA 1.2).
  /** @param {Element} element @param {boolean} native */
  function disabled(element, native) {
    if (native && dom.matches(element, ":disabled")) return true;
    return dom.closest(element, "[aria-disabled=true]") !== null || undefined;
  }

  /** @param {Element} element */
  function readonly(element) {
    const native = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
    return (native && element.readOnly) || flag(element, "aria-readonly") || undefined;
  }

  /** @param {Element} element @param {boolean} native */
  function required(element, native) {
    return (native && dom.matches(element, ":required")) || flag(element, "aria-required") || undefined;
  }

  // Constraint validation counts only once the user or the page has touched the field; before, every empty required field would be invalid.
  /** @param {Element} element @param {boolean} native */
  function invalid(element, native) {
    const stated = dom.attribute(element, "aria-invalid");
    if (stated !== null) return stated === "" || stated === "false" ? undefined : stated === "true" ? true : stated;
    return (native && dom.matches(element, ":user-invalid")) || undefined;
  }

  /** @param {Element} element @param {string} role @returns {string | undefined} */
  function value(element, role) {
    if (!VALUED.has(role)) return undefined;
    if (element instanceof HTMLInputElement) return inputValue(element);
    if (element instanceof HTMLTextAreaElement) return element.value || undefined;
    return page.embedded(element, role) || undefined;
  }

  /** @param {HTMLInputElement} input */
  function inputValue(input) {
    if (input.type === "password") return input.value ? MASK : undefined;
    return dom.attribute(input, "aria-valuetext") || input.value || undefined;
  }

  /** @param {Element} element @param {string} role */
  function level(element, role) {
    const stated = Number.parseInt(dom.attribute(element, "aria-level") ?? "", 10);
    if (stated > 0 && (LEVELS.has(role) || role === "row")) return stated;
    if (role !== "heading") return undefined;
    const native = /^h([1-6])$/.exec(dom.localName(element));
    return native ? Number(native[1]) : 2;
  }

  /** @param {Element} element @param {string} name */
  function token(element, name) {
    const stated = dom.attribute(element, name);
    if (!stated || stated === "false") return undefined;
    return stated === "true" ? true : stated;
  }

  /** @param {Element} element */
  function type(element) {
    if (!(element instanceof HTMLInputElement)) return undefined;
    return TYPED.has(element.type) ? element.type : undefined;
  }

  /** @param {Element} element */
  function url(element) {
    if (element instanceof HTMLAnchorElement || element instanceof HTMLAreaElement) return element.href;
    return dom.attribute(element, "href") ?? dom.attribute(element, "xlink:href") ?? undefined;
  }

  /** The address a frame was given, to tell frames in shadow trees apart. @param {Element} element */
  function source(element) {
    return element instanceof HTMLIFrameElement ? element.src : undefined;
  }

  /** @param {Element} element */
  function options(element) {
    if (!(element instanceof HTMLSelectElement)) return undefined;
    return Array.from(element.options, (option) => page.name.collapse(option.label));
  }

  /** @param {Element} element @param {AccessibleName} name */
  function placeholder(element, name) {
    const hint = dom.attribute(element, "placeholder") || dom.attribute(element, "aria-placeholder");
    return hint && page.name.collapse(hint) !== name.name ? hint : undefined;
  }

  /**
   * @param {Element} element @param {string} role @param {AccessibleName} name @param {Element | null} focused
   * @returns {Record<string, unknown> | 0}
   */
  function states(element, role, name, focused) {
    /** @type {Record<string, unknown>} */
    const found = {};
    /** @param {string} key @param {unknown} state */
    const add = (key, state) => {
      if (state !== undefined && state !== "" && state !== null) found[key] = state;
    };
    add("value", value(element, role));
    add("checked", checked(element, role));
    add("selected", selected(element, role));
    add("expanded", expanded(element));
    add("pressed", tristate(element, "aria-pressed"));
    // Asking for a pseudo-class costs as much as a role, and only these and elements of the page's own can have one.
    const local = dom.localName(element);
    const native = FORM.has(local) || local.includes("-");
    add("disabled", disabled(element, native));
    add("required", required(element, native));
    add("readonly", readonly(element));
    add("invalid", invalid(element, native));
    add("level", level(element, role));
    add("current", token(element, "aria-current"));
    add("haspopup", token(element, "aria-haspopup"));
    add("focused", element === focused || undefined);
    add("placeholder", placeholder(element, name));
    add("description", page.name.description(element, name));
    if (role === "link") add("url", url(element));
    if (role === "iframe") add("url", source(element));
    add("type", type(element));
    add("options", options(element));
    if (role === "iframe") add("frame", page.frames.indexOf(element));
    return Object.keys(found).length ? found : 0;
  }

  page.state = { states };
})();
