"""One line of an outline: `[ref_3] textbox(required) Email = foo@x`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from freehold.browser.marks import shown_text
from freehold.browser.roles import VALUED, shown_ref
from freehold.browser.snapshot import Node

_NAME_LIMIT = 300
_VALUE_LIMIT = 500
_TEXT_LIMIT = 4_000
_OPTIONS_LIMIT = 12
_WORD = re.compile("[a-z-]{1,30}")
_FLAGS = ("disabled", "required", "readonly", "selected", "invalid", "focused")
_WORDLESS = frozenset(("clickable", "description", "frame", "hint", "options", "placeholder", "url", "value"))
_LEVELLED = frozenset(("heading", "treeitem"))
# The types of an input that its role does not tell already.
_TYPES = frozenset(
    ("color", "date", "datetime-local", "email", "file", "month", "password", "range", "tel", "time", "url", "week")
)


def line_of(node: Node, *, urls: bool = False, whole: bool = False, named: bool = True) -> str:
    """Return the line of an element.

    `urls` adds a link's target, `whole` every option of a list; without `named` its name is left out.
    """
    ref = f"[ref_{number}] " if (number := shown_ref(node)) else ""
    name = shown_text(node.name, _NAME_LIMIT) if named else ""
    if not node.states:
        return f"{ref}{node.role} {name}" if name else f"{ref}{node.role}"
    words = "" if _WORDLESS.issuperset(node.states) else ",".join(_state_words(node))
    if node.role in VALUED:
        name = name.replace(" = ", " \\u{3D} ")
    line = f"{ref}{node.role}({words})" if words else f"{ref}{node.role}"
    return " ".join((f"{line} {name}" if name else line, *_details(node, urls=urls, whole=whole)))


def text_of(node: Node) -> str:
    """Return a run of text, cut with a count where it is very long."""
    return shown_text(node.name, _TEXT_LIMIT)


def _state_words(node: Node) -> Iterator[str]:
    states = node.states
    if node.role in _LEVELLED and "level" in states:
        yield str(states["level"])
    yield from (flag for flag in _FLAGS if states.get(flag))
    for name in ("checked", "pressed"):
        if states.get(name):
            yield name if states[name] is True else f"{name}={states[name]}"
    if "expanded" in states:
        yield "expanded" if states["expanded"] else "collapsed"
    for name, word in (("current", "current"), ("haspopup", "popup")):
        if states.get(name):
            yield word if states[name] in {True, "true", "menu"} else f"{word}={_word(states[name])}"
    if states.get("type") in _TYPES:
        yield states["type"]


def _details(node: Node, *, urls: bool, whole: bool) -> Iterator[str]:
    states = node.states
    if "value" in states and (value := _text(states["value"])) != "":
        yield f"= {shown_text(value, _VALUE_LIMIT)}"
    if options := states.get("options"):
        shown = options if whole else options[:_OPTIONS_LIMIT]
        more = f" …+{len(options) - len(shown)}" if len(options) > len(shown) else ""
        yield f"options: {' / '.join(shown_text(_text(option), 60) for option in shown)}{more}"
    for name in ("placeholder", "description"):
        if (text := _text(states.get(name, ""))) and text != node.name:
            yield f"{name}: {shown_text(text, _NAME_LIMIT)}"
    if urls and states.get("url"):
        yield f"-> {shown_text(_text(states['url']), _NAME_LIMIT)}"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)


def _word(value: Any) -> str:
    return text if _WORD.fullmatch(text := str(value)) else "other"
