// What the outline does with an element: whether it is shown and whether it gets a ref.
(() => {
  const page = globalThis.freeholdPage;
  const { dom, role: roles } = page;

  // Shown with a ref even when nothing else speaks for them.
  const REFERENCED = roles.set(
    "button link checkbox radio switch textbox searchbox combobox listbox option slider spinbutton scrollbar menuitem menuitemcheckbox " +
      "menuitemradio tab treeitem heading banner complementary contentinfo form main navigation region search dialog alertdialog table grid " +
      "treegrid list row tree menu menubar tablist tabpanel radiogroup toolbar iframe audio video article feed application log",
  );
  // Their role says nothing that a reader needs; their text stands for them.
  const TRANSPARENT = roles.set("caption code document emphasis generic none paragraph rowgroup strong subscript suggestion superscript time mark");
  // Shown only under a name.
  const IF_NAMED = roles.set("group figure img graphics-document graphics-object graphics-symbol math canvas separator note");
  // ARIA 1.2, "children presentational", and elements whose content is no page text.
  const LEAVES = roles.set("meter progressbar scrollbar slider spinbutton separator textbox searchbox iframe audio video img canvas math");
  const PASSIVE = roles.set(
    "heading banner complementary contentinfo form main navigation region search dialog alertdialog table grid treegrid list row tree menu " +
      "menubar tablist tabpanel radiogroup toolbar article feed application log group figure img graphics-document graphics-object " +
      "graphics-symbol math canvas separator note iframe",
  );
  const CONTROLS = roles.set(
    "button link checkbox radio switch textbox searchbox combobox listbox slider spinbutton menuitem menuitemcheckbox menuitemradio tab",
  );
  const INSIDE_NAME = roles.set("heading img list listitem article group figure cell row deletion insertion region banner contentinfo");

  /** @param {Element} element @param {string} role @param {boolean} pointer whether the cursor says "clickable" first here */
  function clickable(element, role, pointer) {
    if (dom.has(element, "onclick")) return true;
    const control = page.label.control(element);
    if (control ? !rendered(control) : pointer) return true;
    return role === "" && tabStop(element);
  }

  /** @param {Element} element */
  function tabStop(element) {
    if (roles.editingHost(element)) return true;
    return Number.parseInt(dom.attribute(element, "tabindex") ?? "", 10) >= 0;
  }

  // A control takes its clicks itself; its label stands for it only where it is not rendered.
  /** @param {Element} control */
  function rendered(control) {
    return getComputedStyle(control).display !== "none";
  }

  /** Whether an element of the role is worth a node. @param {string} role @param {string} name */
  function shown(role, name) {
    if (role === "" || TRANSPARENT.has(role)) return false;
    return IF_NAMED.has(role) ? name !== "" : true;
  }

  /** Whether an element of the role gets a ref. @param {Element} element @param {string} role @param {string} name */
  function referenced(element, role, name) {
    return REFERENCED.has(role) || (IF_NAMED.has(role) && name !== "" && role !== "separator") || tabStop(element);
  }

  /** Whether what is inside is not page content of its own. @param {Element} element @param {string} role */
  function leaf(element, role) {
    if (element instanceof HTMLSelectElement || !LEAVES.has(role)) return element instanceof HTMLSelectElement;
    // A named drawing may hold links.
    return !(element instanceof SVGElement) || dom.all(element, "a,[tabindex],[onclick]").length === 0;
  }

  /** Whether a node of the role only repeats what the name around it says. @param {string} role */
  const insideName = (role) => INSIDE_NAME.has(role);

  /** Whether a node of the role is read, not acted on, unless its author made it clickable. @param {string} role */
  const passive = (role) => PASSIVE.has(role);

  // Authors hide from assistive technology what they think doubled, and with it controls that everybody else sees and uses.
  /** Whether aria-hidden takes away only the text of the element. @param {Element} element @param {string} role */
  function operable(element, role) {
    return CONTROLS.has(role) && (roles.focusable(element) || tabStop(element)) && dom.rects(element).length > 0;
  }

  page.kind = { clickable, shown, referenced, leaf, insideName, passive, tabStop, operable };
})();
