"""Whether every control that a peer gives a reference to has one of ours in the same one reading.

Roles and names are compared first. What is left, because two programs may name an element differently, is looked up in
the peer's page by its reference, named in ours by its place in the tree, and read again.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass

from driving.server import Line, Server

CONTROLS = frozenset(
    (
        "button", "link", "textbox", "searchbox", "checkbox", "radio", "switch", "combobox", "listbox", "slider",
        "spinbutton", "menuitem", "menuitemcheckbox", "menuitemradio", "tab", "treeitem",
    )
)  # fmt: skip
_PATH = """(element) => {
  const steps = [];
  for (let at = element; at && at.parentElement; at = at.parentElement) {
    steps.unshift(`*:nth-child(${[...at.parentElement.children].indexOf(at) + 1})`);
  }
  return ["html", ...steps].join(" > ");
}"""
_NAME = (
    """{paths}.map((path, at) => document.querySelector(path)?.setAttribute("aria-label", `probe ${{at}}`)).length"""
)


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many controls a peer refers to, and those among them that have no reference of ours."""

    controls: int
    missing: list[str]


async def coverage(ours: Server, our_text: str, peer: Server, peer_text: str) -> Coverage:
    """Compare two readings of the page that both servers show; ours is changed by it."""
    wanted = [line for line in peer.kind.lines(peer_text) if line.role in CONTROLS]
    have = Counter((line.role, _words(line.name)) for line in ours.kind.lines(our_text))
    unmatched: list[Line] = []
    for line in wanted:
        key = (line.role, _words(line.name))
        if have[key] > 0:
            have[key] -= 1
        else:
            unmatched.append(line)
    return Coverage(len(wanted), await _missing(ours, peer, unmatched))


async def _missing(ours: Server, peer: Server, lines: list[Line]) -> list[str]:
    if not lines:
        return []
    paths = [await _path(peer, line) for line in lines]
    await ours.call(ours.kind.evaluate_on("", _NAME.format(paths=json.dumps(paths))))
    named = {line.name for line in ours.kind.lines(await ours.read())}
    told = enumerate(zip(lines, paths, strict=True))
    return [f"{line.role} {line.name!r} at {path}" for at, (line, path) in told if f"probe {at}" not in named]


async def _path(peer: Server, line: Line) -> str:
    said = await peer.call(peer.kind.evaluate_on(line.ref, _PATH))
    return said[said.index("html") :].partition('"')[0]


def _words(name: str) -> str:
    return " ".join(name.split())
