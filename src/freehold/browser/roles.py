"""What the roles of WAI-ARIA and HTML-AAM mean to a reader.

Which can be acted on, which only group, which are named by their text.
"""

from __future__ import annotations

from freehold.browser.snapshot import Node

# These have a ref though nothing may happen when they are clicked: to read a part of the page by it, or to point at it.
_POINTED_AT = frozenset(
    (
        "application", "alertdialog", "article", "banner", "canvas", "complementary", "contentinfo", "dialog", "feed",
        "figure", "form", "graphics-document", "graphics-object", "graphics-symbol", "grid", "group", "heading",
        "iframe", "image", "img", "list", "log", "main", "math", "menu", "menubar", "navigation", "note", "radiogroup",
        "region", "row", "search", "separator", "table", "tablist", "tabpanel", "toolbar", "tree", "treegrid",
    )
)  # fmt: skip
# Of these a person rarely means the thing itself, but what is in it.
PASSIVE = _POINTED_AT | {
    "blockquote", "caption", "cell", "code", "columnheader", "definition", "deletion", "emphasis", "gridcell",
    "insertion", "label", "legend", "listitem", "mark", "meter", "none", "paragraph", "presentation", "progressbar",
    "rowgroup", "rowheader", "status", "strong", "subscript", "superscript", "term", "text", "time", "timer", "tooltip",
}  # fmt: skip
# Their refs are left out of outlines, where they would cost a twentieth of the page: nobody acts on a heading or a row
# that cannot be clicked, and what folds or cuts a part away names the ref that reads it.
UNREFERRED = frozenset(
    (
        "article", "figure", "graphics-document", "graphics-object", "graphics-symbol", "group", "heading", "image",
        "img", "list", "note", "row", "separator",
    )
)  # fmt: skip
CELLS = frozenset(("cell", "columnheader", "gridcell", "rowheader"))
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
_ITEMS = frozenset(("definition", "listitem", "term"))
VALUED = frozenset(
    ("combobox", "listbox", "meter", "progressbar", "scrollbar", "searchbox", "slider", "spinbutton", "textbox")
)


def is_interactive(node: Node) -> bool:
    """Say whether `node` can be acted on.

    The extension gives an element of any other role a ref only where it can be clicked or focused: a cell, a generic.
    """
    return node.ref > 0 and (node.role not in _POINTED_AT or "clickable" in node.states)


def shown_ref(node: Node) -> int:
    """Return the ref that an outline shows of `node`, 0 for none."""
    return 0 if node.role in UNREFERRED and "clickable" not in node.states else node.ref


def is_silent(node: Node) -> bool:
    """Say whether `node` needs no line of its own, because it only groups what is in it."""
    return node.role in SILENT and not node.name and is_bare(node)


def is_plain_item(node: Node) -> bool:
    """Say whether `node` shows by a bullet alone: a list item, named by its text, or an article without a name."""
    return is_bare(node) and (node.role in _ITEMS or (node.role == "article" and not node.name))


def is_bare(node: Node) -> bool:
    """Say whether `node` has nothing to show but its role and its name."""
    return not shown_ref(node) and not node.states.keys() - {"hint", "level"}
