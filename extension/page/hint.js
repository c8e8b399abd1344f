// What an icon's maker called it: the words of attributes that a reader never sees. They say what a control without text is for, and
// serve the search for a description alone; no outline shows them.
(() => {
  const page = globalThis.freeholdPage;
  const { dom, role: roles } = page;

  const HINTED = roles.set("button link menuitem tab checkbox radio switch textbox searchbox combobox spinbutton slider generic image img");
  const OWN = ["id", "name", "data-testid", "data-icon", "class"];
  const ICONS = ":scope svg, :scope use, :scope i, :scope span, :scope img, :scope path";
  const MOST_ICONS = 4;
  const LONGEST = 160;

  /** @param {Element} element @param {AccessibleName} name */
  function isTold(element, name) {
    if (!name.name) return false;
    const byAttribute = name.from === "title" || name.from === "author";
    return !byAttribute || (dom.textContent(element) ?? "").trim() !== "";
  }

  /** The last part of an address, without its ending: what the picture's file is called. @param {string | null} address */
  function file(address) {
    if (!address || address.startsWith("data:")) return "";
    return (address.split(/[?#]/)[0].split("/").pop() ?? "").replace(/\.\w+$/, "");
  }

  /** @param {Element} icon */
  function ofIcon(icon) {
    const used = dom.attribute(icon, "href") ?? dom.attribute(icon, "xlink:href") ?? "";
    const symbol = dom.localName(icon) === "use" ? used.slice(used.indexOf("#") + 1) : "";
    return [dom.attribute(icon, "class"), dom.attribute(icon, "data-icon"), symbol, file(dom.attribute(icon, "src"))];
  }

  /** @param {Element} element @param {string} role @param {AccessibleName} name @returns {string} empty where the element's text speaks for it */
  function hint(element, role, name) {
    if (!HINTED.has(role) || isTold(element, name)) return "";
    const said = OWN.map((attribute) => dom.attribute(element, attribute));
    said.push(file(dom.attribute(element, "src")));
    for (const icon of dom.all(element, ICONS).slice(0, MOST_ICONS)) said.push(...ofIcon(icon));
    const words = new Set(said.filter(Boolean).join(" ").split(/\s+/).filter(Boolean));
    return [...words].join(" ").slice(0, LONGEST);
  }

  page.hint = hint;
})();
