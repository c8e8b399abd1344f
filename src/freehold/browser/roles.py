"""What the roles of WAI-ARIA and HTML-AAM mean to a reader.

Which can be acted on, which only group, which are named by their text.
"""

from __future__ import annotations

from freehold.browser.snapshot import Node

# Structure and text. Every other role with a ref can be acted on; `generic` too, since only clickable ones get a ref.
STRUCTURE = frozenset(
    (
        "alert", "application", "article", "banner", "blockquote", "caption", "cell", "code", "columnheader",
        "complementary",
        "contentinfo", "definition", "deletion", "dialog", "alertdialog", "directory", "document", "emphasis", "feed",
        "figure", "form",
        "grid", "gridcell", "group", "heading", "iframe", "image", "img", "insertion", "label", "legend", "list",
        "listitem", "log", "main",
        "mark", "marquee", "math", "menu", "menubar", "meter", "navigation", "none", "note", "paragraph",
        "presentation", "progressbar",
        "radiogroup", "region", "row", "rowgroup", "rowheader", "search", "separator", "status", "strong", "subscript",
        "superscript",
        "suggestion", "table", "tablist", "tabpanel", "term", "text", "time", "timer", "toolbar", "tooltip", "tree",
        "treegrid",
    )
)  # fmt: skip
INLINE = frozenset(
    ("code", "deletion", "emphasis", "insertion", "label", "mark", "strong", "subscript", "superscript", "time")
)
# Worth no line of their own unless they have a ref, a name or a state; a list shows by the bullets of its items.
SILENT = INLINE | {
    "document", "generic", "group", "image", "img", "legend", "list", "listitem", "none", "paragraph", "presentation",
    "rowgroup", "separator",
}  # fmt: skip
# WAI-ARIA 1.2, 5.2.8.4 "Roles Supporting Name from Content": their text is their name and need not be said twice.
CONTENT_NAMED = frozenset(
    (
        "button", "cell", "checkbox", "columnheader", "gridcell", "heading", "link", "menuitem", "menuitemcheckbox",
        "menuitemradio",
        "option", "radio", "row", "rowheader", "switch", "tab", "tooltip", "treeitem", "caption", "legend", "label",
    )
)  # fmt: skip
VALUED = frozenset(
    ("combobox", "listbox", "meter", "progressbar", "scrollbar", "searchbox", "slider", "spinbutton", "textbox")
)


def is_interactive(node: Node) -> bool:
    """Say whether `node` can be acted on: it has a ref, and its role or its page says that it does something."""
    if not node.ref:
        return False
    return node.role not in STRUCTURE or "clickable" in node.states or "focusable" in node.states


def is_silent(node: Node) -> bool:
    """Say whether `node` needs no line of its own, because it only groups what is in it."""
    return node.role in SILENT and not node.ref and not node.name and not node.states.keys() - {"level"}
