"""The outline that `read_page` answers with, read back as an agent reads it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# A row of a table holds several; the next cell or the next ref ends a name, and no text of a page can hold either.
_ELEMENT = re.compile(r"\[ref_(?P<ref>\d+)\] (?P<role>\w+)(?:\([^)]*\))?(?: (?P<name>(?:(?! \| | \[ref_).)*))?")


@dataclass(frozen=True, slots=True)
class Element:
    """One element with a ref; `name` still carries the element's value, where it has one."""

    ref: str
    role: str
    name: str


@dataclass(frozen=True, slots=True)
class Outline:
    """The lines of one reading."""

    text: str

    def elements(self) -> Iterator[Element]:
        """Yield the elements with refs, in the order of the page."""
        yield from self._elements(self.text)

    def ref(self, role: str, name: str, *, after: str = "") -> str | None:
        """Return the ref of the first element of that role and name that stands below the words `after`.

        None where there is none. This is how one of many buttons with the same name is told from the others.
        """
        if after not in self.text:
            return None
        below = self.text[self.text.index(after) + len(after) :]
        named = (element for element in self._elements(below) if element.role == role)
        return next((element.ref for element in named if _is_called(element, name)), None)

    @staticmethod
    def _elements(text: str) -> Iterator[Element]:
        for found in _ELEMENT.finditer(text):
            yield Element(f"ref_{found['ref']}", found["role"], found["name"] or "")


def _is_called(element: Element, name: str) -> bool:
    return element.name == name or element.name.startswith(f"{name} = ")
