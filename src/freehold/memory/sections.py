"""The sections of a topic's Markdown, each a hit of its own: what stands under a heading, a list, some paragraphs.

A scanner of lines: markdown-it-py needs 9 s for 2,000 topics of 4 kB, and only headings, fences and lists matter here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# Paragraphs are grouped up to this many characters; a block of more than the second is cut at a line.
_GROUP, _BLOCK = 600, 1_500

_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]+(.*?))?(?:[ \t]+#+)?\s*")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-{2,})\s*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ITEM = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")

# A line that begins otherwise is none of these; most do.
_MARKS = frozenset("#=-*+`~0123456789")


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a topic: lines `first` to `last` of its body, counted from 0, and what they say.

    `heading`: the heading it stands under, empty before the first. `opens`: whether it begins with that heading's line,
    which `text` leaves out.
    """

    heading: str
    first: int
    last: int
    text: str
    opens: bool


def sections(body: str) -> list[Section]:
    """Return the sections of `body` in order; every line that is not blank is in one."""
    found: list[Section] = []
    group = _Group()
    for block in _blocks(body.split("\n")):
        if not group.takes(block):
            found.extend(group.section())
            group = _Group(block.heading if block.is_heading else group.heading)
        group.add(block)
    return [*found, *group.section()]


@dataclass(slots=True)
class _Block:
    first: int
    lines: list[str]
    heading: str = ""
    is_heading: bool = False
    is_list: bool = False
    size: int = 0


class _Group:
    def __init__(self, heading: str = "") -> None:
        self.heading = heading
        self._blocks: list[_Block] = []
        self._size = 0

    def takes(self, block: _Block) -> bool:
        """Say whether `block` belongs with what is here: a list continues a list, paragraphs fill a group."""
        content = [each for each in self._blocks if not each.is_heading]
        if block.is_heading:
            return False
        if not content:
            return True
        if block.is_list != content[-1].is_list:
            # The line before a list introduces it.
            return block.is_list and len(content) == 1 and self._size <= 200
        return self._size + block.size <= (_BLOCK if block.is_list else _GROUP)

    def add(self, block: _Block) -> None:
        self._blocks.append(block)
        self._size += 0 if block.is_heading else block.size

    def section(self) -> Iterator[Section]:
        if self._blocks:
            last = self._blocks[-1]
            text = "\n".join(line for block in self._blocks if not block.is_heading for line in block.lines)
            first = self._blocks[0]
            yield Section(self.heading, first.first, last.first + len(last.lines) - 1, text, first.is_heading)


def _blocks(lines: list[str]) -> Iterator[_Block]:
    """Yield headings and runs of lines without a blank one between them; a long run in several."""
    block: _Block | None = None
    fence = ""
    for at, line in enumerate(lines):
        lead = line.lstrip()[:1]
        if not lead:
            if block:
                yield block
            block = None
            continue
        heading, item, code = None, False, bool(fence)
        if lead in _MARKS:
            fence, code = _fenced(line, fence)
            heading = None if code else _heading(at, line, block)
            item = not code and _ITEM.match(line) is not None
        if block and (heading or block.size > _BLOCK or (item and not block.is_list)):
            if heading is None or heading.first > block.first:
                yield block
            block = None
        if heading:
            yield heading
        else:
            block = block or _Block(at, [], is_list=item or (not code and line[0] in " \t"))
            block.lines.append(line)
            block.size += len(line)
    if block:
        yield block


def _fenced(line: str, fence: str) -> tuple[str, bool]:
    """Return the fence that is open after `line`, and whether the line belongs to one."""
    match = _FENCE.match(line)
    if not match:
        return fence, bool(fence)
    if not fence:
        return match[1], True
    closes = match[1].startswith(fence) and not line.strip().strip(fence[0])
    return ("" if closes else fence), True


def _heading(at: int, line: str, block: _Block | None) -> _Block | None:
    """Return the heading that `line` is, or that it makes of the one line above it."""
    if line.lstrip()[0] == "#" and (match := _HEADING.fullmatch(line)):
        return _Block(at, [line], heading=(match[1] or "").strip(), is_heading=True)
    if block and len(block.lines) == 1 and not block.is_list and _UNDERLINE.fullmatch(line):
        return _Block(at - 1, [*block.lines, line], heading=block.lines[0].strip(), is_heading=True)
    return None
