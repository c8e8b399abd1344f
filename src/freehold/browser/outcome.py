"""What an action changed, in lines for an agent: address, title, dialog, new tab, download, focused element."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from freehold.browser.line import line_of, shown_text
from freehold.browser.marks import one_line
from freehold.browser.snapshot import Node

_LIMIT = 300
_NOTHING = "no change of address, title, focus, dialog, tab or download; read_page shows the page"


@dataclass(frozen=True, slots=True)
class Dialog:
    """An open JavaScript dialog; `kind` is alert, confirm, prompt or beforeunload."""

    kind: str
    message: str
    default_prompt: str = ""


@dataclass(frozen=True, slots=True)
class TabState:
    """What of a tab is compared; `focused` is None where nothing has focus, or where it is not known."""

    url: str
    title: str
    focused: Node | None = None
    dialog: Dialog | None = None


@dataclass(frozen=True, slots=True)
class NewTab:
    """A tab that the page opened during the action."""

    tab_id: int
    url: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Download:
    """A download that began, ended or failed during the action.

    `state` is Chrome's: in_progress, complete or interrupted.
    """

    filename: str
    state: str


def changes(before: TabState, after: TabState, events: Sequence[NewTab | Download] = ()) -> list[str]:
    """Return one line for each thing that changed.

    One that says so where nothing did. All text of the page is marked.
    """
    lines = [*_dialog(after), *_page(before, after), *_focus(before, after), *map(_event, events)]
    return lines or [_NOTHING]


def _dialog(after: TabState) -> Iterator[str]:
    if dialog := after.dialog:
        default = f" (default: {_said(dialog.default_prompt)})" if dialog.kind == "prompt" else ""
        yield f"dialog {dialog.kind}: {_said(dialog.message)}{default} — the page waits; answer with handle_dialog"


def _page(before: TabState, after: TabState) -> Iterator[str]:
    if after.url != before.url:
        same = before.url.partition("#")[0] == after.url.partition("#")[0]
        yield f"address: {_said(after.url)}{' (same page)' if same else ''}"
    if after.title != before.title:
        yield f"title: {_said(after.title)}"


def _focus(before: TabState, after: TabState) -> Iterator[str]:
    focused = after.focused
    if focused and (before.focused is None or _identity(focused) != _identity(before.focused)):
        # A node that `describe` answered comes as the page wrote it.
        yield f"focus: {line_of(Node(0, focused.role, one_line(focused.name), focused.ref))}"
    elif before.focused and not focused:
        yield "focus: none"


def _identity(node: Node) -> tuple[int, str, str]:
    return (node.ref, node.role, node.name)


def _event(event: NewTab | Download) -> str:
    if isinstance(event, NewTab):
        title = f" | {_said(event.title)}" if event.title else ""
        return f"new tab {event.tab_id}: {_said(event.url)}{title}"
    words = {"complete": "complete", "interrupted": "failed"}
    return f"download {words.get(event.state, 'started')}: {_said(event.filename)}"


def _said(text: str) -> str:
    return shown_text(one_line(text), _LIMIT)
