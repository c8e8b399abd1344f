// Sets what is no native field: editable content and ARIA widgets.
(() => {
  const page = globalThis.freeholdPage;
  const { dom } = page;

  /** @param {Element} element @param {unknown} value @param {FieldWords} words @returns {FieldAnswer} */
  function set(element, value, words) {
    if (element instanceof HTMLElement && dom.isContentEditable(element)) return setContent(element, value, words);
    const role = page.role.role(element);
    if (role === "checkbox" || role === "switch" || role === "menuitemcheckbox") return setCheck(element, value, words);
    if (role === "radio" || role === "menuitemradio" || role === "option") return choose(element, value, words);
    if (role === "listbox" || role === "radiogroup") return setList(element, role, value, words);
    const inner = dom.all(element, "input:not([type=hidden]),textarea,[contenteditable]:not([contenteditable=false])");
    const advice = inner.length === 1 ? "Set the field inside it." : "Click it, then read the page again.";
    return words.notEditable(`The element takes no value. ${advice}`, { role: role || "generic" });
  }

  // Editors keep their own model: insertText runs through their beforeinput handlers as typing does, and can be undone.
  /** @param {HTMLElement} element @param {unknown} value @param {FieldWords} words @returns {FieldAnswer} */
  function setContent(element, value, words) {
    const text = value === null || value === undefined ? "" : String(value);
    dom.focus(element);
    const selection = window.getSelection();
    const range = new Range();
    range.selectNodeContents(element);
    selection?.removeAllRanges();
    selection?.addRange(range);
    const done = text ? dom.command("insertText", text) : dom.command("delete");
    if (!done && (dom.textContent(element) ?? "") !== text) return words.notEditable("The editor refused the text; click it and type instead.");
    element.dispatchEvent(new Event("change", { bubbles: true }));
    return { value: element.innerText };
  }

  /** @param {Element} element @param {unknown} value @param {FieldWords} words @returns {FieldAnswer} */
  function setCheck(element, value, words) {
    const wanted = words.truth(value);
    if (wanted === null) return words.notAllowed("It takes true or false.", { options: ["true", "false"] });
    if ((dom.attribute(element, "aria-checked") === "true") !== wanted) click(element);
    return { value: dom.attribute(element, "aria-checked") === "true" };
  }

  /** @param {Element} element */
  function click(element) {
    if (!(element instanceof HTMLElement)) return;
    dom.focus(element);
    dom.click(element);
  }

  /** @param {Element} element @param {unknown} value @param {FieldWords} words @returns {FieldAnswer} */
  function choose(element, value, words) {
    if (words.truth(value) !== true) return words.notAllowed("It takes true; choose another to clear it.", { options: ["true"] });
    click(element);
    return { value: isChosen(element) };
  }

  /** @param {Element} element */
  function isChosen(element) {
    return dom.attribute(element, "aria-checked") === "true" || dom.attribute(element, "aria-selected") === "true";
  }

  /** @param {Element} element @param {string} role @param {unknown} value @param {FieldWords} words @returns {FieldAnswer} */
  function setList(element, role, value, words) {
    const choices = dom.all(element, role === "listbox" ? "[role=option]" : "[role=radio],input[type=radio]");
    const names = choices.map((choice) => page.name.compute(choice).name);
    const index = names.indexOf(page.name.collapse(String(value)));
    if (index < 0) return words.notAllowed(`There is no choice ${JSON.stringify(value)}.`, { options: names });
    click(choices[index]);
    return { value: names[index] };
  }

  page.widgets = { set };
})();
