// Step 2C of accname 1.2: a control inside another's name contributes its value.
(() => {
  const page = globalThis.freeholdPage;
  const { dom } = page;

  /** @param {Element} element @param {string} role @returns {string} */
  function embedded(element, role) {
    switch (role) {
      case "textbox":
      case "searchbox":
        return textValue(element);
      case "combobox":
      case "listbox":
        return chosen(element) || (role === "combobox" ? textValue(element) : "");
      case "slider":
      case "spinbutton":
      case "progressbar":
      case "meter":
      case "scrollbar":
        return rangeValue(element);
      default:
        return "";
    }
  }

  /** @param {Element} element */
  function textValue(element) {
    if (element instanceof HTMLInputElement) return element.type === "password" ? "" : element.value;
    if (element instanceof HTMLTextAreaElement) return element.value;
    return page.name.collapse(dom.textContent(element) ?? "");
  }

  /** @param {Element} element */
  function chosen(element) {
    if (element instanceof HTMLSelectElement) return Array.from(element.selectedOptions, label).join(" ");
    if (element instanceof HTMLInputElement) return "";
    return dom.all(element, "[role=option][aria-selected=true]").map((option) => dom.textContent(option)).join(" ");
  }

  /** @param {HTMLOptionElement} option */
  function label(option) {
    return page.name.collapse(option.label);
  }

  /** @param {Element} element */
  function rangeValue(element) {
    const stated = dom.attribute(element, "aria-valuetext") || dom.attribute(element, "aria-valuenow");
    if (stated) return stated;
    const native = element instanceof HTMLInputElement || element instanceof HTMLMeterElement || element instanceof HTMLProgressElement;
    if (native) return element instanceof HTMLProgressElement && !dom.has(element, "value") ? "" : String(element.value);
    return page.name.collapse(dom.textContent(element) ?? "");
  }

  page.embedded = embedded;
})();
