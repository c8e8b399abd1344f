// Sets native fields as a user would: focus, the value, input and change.
(() => {
  const page = globalThis.freeholdPage;
  const { dom, refs } = page;

  const FORMATS = new Map([
    ["date", "YYYY-MM-DD"], ["time", "HH:MM or HH:MM:SS"], ["datetime-local", "YYYY-MM-DDTHH:MM"], ["month", "YYYY-MM"], ["week", "YYYY-Www"],
    ["number", "a number"], ["range", "a number"], ["color", "#rrggbb"],
  ]);
  const BUTTONS = page.role.set("button submit reset image");
  const inputValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
  const areaValue = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set;

  /** @param {string} message @param {Record<string, unknown>} [data] @returns {FieldAnswer} */
  function notEditable(message, data = {}) {
    return { error: { code: "not_editable", message, data } };
  }

  /** @param {string} message @param {Record<string, unknown>} [data] @returns {FieldAnswer} */
  function notAllowed(message, data = {}) {
    return { error: { code: "value_not_allowed", message, data } };
  }

  /** @param {Element} element @param {string | null} text */
  function announce(element, text) {
    const init = { bubbles: true, composed: true };
    element.dispatchEvent(text === null ? new Event("input", init) : new InputEvent("input", { ...init, inputType: "insertReplacementText", data: text }));
    element.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /** @param {HTMLInputElement | HTMLTextAreaElement} field @param {string} text */
  function write(field, text) {
    (field instanceof HTMLInputElement ? inputValue : areaValue)?.call(field, text);
  }

  /** @param {HTMLInputElement | HTMLTextAreaElement} field @param {unknown} value @returns {FieldAnswer} */
  function setText(field, value) {
    const text = value === null || value === undefined ? "" : String(value);
    if (field.readOnly) return notEditable("The field is read-only.");
    if (field.maxLength >= 0 && text.length > field.maxLength) {
      return notAllowed(`The field takes at most ${field.maxLength} characters.`, { max_length: field.maxLength });
    }
    dom.focus(field);
    write(field, text);
    announce(field, text);
    return { value: field.value };
  }

  /** Types whose value Chrome sanitizes: what it drops or changes is refused. @param {HTMLInputElement} input @param {unknown} value @returns {FieldAnswer} */
  function setFormatted(input, value) {
    if (input.readOnly) return notEditable("The field is read-only.");
    const { type, value: before } = input;
    const text = value === null || value === undefined ? "" : String(value).trim();
    write(input, type === "color" ? text.toLowerCase() : text);
    const problem = unfit(input, text);
    if (problem) {
      write(input, before);
      return notAllowed(problem, limits(input));
    }
    dom.focus(input);
    announce(input, null);
    return { value: input.value };
  }

  /** @param {HTMLInputElement} input @param {string} text */
  function unfit(input, text) {
    const format = FORMATS.get(input.type);
    const changed = text !== "" && input.value === "";
    const numeric = input.type === "range" && (text === "" || Number(input.value) !== Number(text));
    const colour = input.type === "color" && input.value !== text.toLowerCase();
    if (changed || numeric || colour) return `The ${input.type} field takes ${format}${span(input)}; it does not take ${JSON.stringify(text)}.`;
    const { rangeUnderflow, rangeOverflow, stepMismatch } = input.validity;
    return rangeUnderflow || rangeOverflow || stepMismatch ? `The ${input.type} field takes ${format}${span(input)}.` : "";
  }

  /** @param {HTMLInputElement} input */
  function span(input) {
    const { min, max, step } = input;
    return (min && ` from ${min}`) + (max && ` up to ${max}`) + (step && step !== "any" ? ` in steps of ${step}` : "");
  }

  /** @param {HTMLInputElement} input */
  function limits(input) {
    const entries = Object.entries({ format: FORMATS.get(input.type), min: input.min, max: input.max, step: input.step });
    return Object.fromEntries(entries.filter(([, limit]) => limit));
  }

  const YES = page.role.set("true on yes checked 1");
  const NO = page.role.set("false off no unchecked 0");

  /** @param {unknown} value @returns {boolean | null} */
  function truth(value) {
    const text = String(value).trim().toLowerCase();
    return YES.has(text) ? true : NO.has(text) ? false : null;
  }

  /** @param {HTMLInputElement} input @param {unknown} value @returns {FieldAnswer} */
  function setCheckbox(input, value) {
    const wanted = truth(value);
    if (wanted === null) return notAllowed("A checkbox takes true or false.", { options: ["true", "false"] });
    if (input.checked !== wanted || input.indeterminate) toggle(input);
    return { value: input.checked };
  }

  // A click, so that the page's own handlers run; one of them may refuse it.
  /** @param {HTMLInputElement} input */
  function toggle(input) {
    dom.focus(input);
    dom.click(input);
  }

  /** @param {HTMLInputElement} input @returns {HTMLInputElement[]} */
  function group(input) {
    if (!input.name) return [input];
    const scope = /** @type {Document} */ (dom.root(input));
    const all = /** @type {HTMLInputElement[]} */ (dom.all(scope, "input[type=radio]"));
    return all.filter((other) => other.name === input.name && other.form === input.form);
  }

  /** @param {HTMLInputElement} input @param {unknown} value @returns {FieldAnswer} */
  function setRadio(input, value) {
    const radios = group(input);
    const labels = radios.map((radio) => page.name.compute(radio).name || radio.value);
    const text = String(value).trim();
    // Own words first: a radio may be labelled "Yes", "No" or "1".
    const index = radios.findIndex((radio, place) => labels[place] === text || radio.value === text);
    const chosen = value !== true && index >= 0 ? radios[index] : truth(value) === true ? input : null;
    if (!chosen) return notAllowed("A radio button takes true, or the label of one of its group; choose another to clear it.", { options: labels });
    if (dom.matches(chosen, ":disabled")) return notEditable("That radio button is disabled.");
    if (!chosen.checked) toggle(chosen);
    return { value: labels[radios.indexOf(/** @type {HTMLInputElement} */ (radios.find((radio) => radio.checked)))] ?? null };
  }

  /** @param {HTMLOptionElement[]} options @param {unknown} wanted */
  function match(options, wanted) {
    const text = page.name.collapse(String(wanted));
    const label = (/** @type {HTMLOptionElement} */ option) => page.name.collapse(option.label);
    return options.find((option) => label(option) === text) ?? options.find((option) => option.value === String(wanted)) ??
      options.find((option) => label(option).toLowerCase() === text.toLowerCase());
  }

  /** @param {HTMLSelectElement} select @param {unknown} value @returns {FieldAnswer} */
  function setSelect(select, value) {
    const wanted = Array.isArray(value) ? value : [value];
    const options = Array.from(select.options);
    const open = options.filter((option) => !dom.matches(option, ":disabled"));
    const labels = open.map((option) => page.name.collapse(option.label));
    if (!select.multiple && wanted.length !== 1) return notAllowed("The list takes exactly one option.", { options: labels });
    const chosen = wanted.map((one) => match(open, one));
    const missing = wanted.filter((_, place) => !chosen[place]);
    if (missing.length) return notAllowed(`The list has no option ${missing.map((one) => JSON.stringify(one)).join(", ")}.`, { options: labels });
    dom.focus(select);
    for (const option of options) option.selected = chosen.includes(option);
    announce(select, null);
    const now = Array.from(select.selectedOptions, (option) => page.name.collapse(option.label));
    return { value: select.multiple ? now : (now[0] ?? null) };
  }

  /** @param {HTMLInputElement} input @param {unknown} value @returns {FieldAnswer} */
  function setInput(input, value) {
    if (input.type === "checkbox") return setCheckbox(input, value);
    if (input.type === "radio") return setRadio(input, value);
    if (input.type === "file") return notEditable("A file field takes files, not a value.", { type: "file" });
    if (BUTTONS.has(input.type) || input.type === "hidden") return notEditable("A button takes no value; click it.", { type: input.type });
    return FORMATS.has(input.type) ? setFormatted(input, value) : setText(input, value);
  }

  /** @param {Element} element @param {unknown} value @returns {FieldAnswer} */
  function set(element, value) {
    if (dom.matches(element, ":disabled") || dom.attribute(element, "aria-disabled") === "true") return notEditable("The field is disabled.");
    if (element instanceof HTMLLabelElement && element.control) return set(element.control, value);
    if (element instanceof HTMLOptionElement) return setOption(element, value);
    if (element instanceof HTMLInputElement) return setInput(element, value);
    if (element instanceof HTMLTextAreaElement) return setText(element, value);
    if (element instanceof HTMLSelectElement) return setSelect(element, value);
    return page.widgets.set(element, value, { notEditable, notAllowed, truth });
  }

  /** @param {HTMLOptionElement} option @param {unknown} value @returns {FieldAnswer} */
  function setOption(option, value) {
    const select = dom.closest(option, "select");
    if (!(select instanceof HTMLSelectElement) || truth(value) === null) return notEditable("Set the list the option belongs to.");
    const others = Array.from(select.selectedOptions).filter((other) => other !== option && select.multiple);
    return setSelect(select, [...others, ...(truth(value) ? [option] : [])].map((one) => one.value));
  }

  /** @param {number} ref @param {unknown} value */
  function setValue(ref, value) {
    const found = refs.resolve(ref);
    if (found.status !== "ok") return { status: found.status };
    const { element } = found;
    const answer = set(element, value);
    const type = element instanceof HTMLInputElement ? element.type : dom.localName(element);
    // A password goes in and never comes back.
    if (type === "password" && answer.value) answer.value = "\u2022\u2022";
    return { status: "ok", ...page.hit.brief(element), type, ...answer };
  }

  page.setValue = setValue;
})();
