"""A topic: one Markdown file of a project's memory, as an agent and a person both write it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from freehold.memory import front_matter
from freehold.memory.files import digest

KEYS = ("title", "description", "type", "created", "updated", "verified", "source")

_BLANK_AT_END = re.compile(r"\n\r?\n\Z")
_HEADING = re.compile(r"^#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic.

    `name`: the file's name without `.md`. `created`, `updated`, `verified`: ISO 8601, UTC, or empty. `body`: the
    Markdown after the front matter, byte for byte. `broken`: what is wrong with the file, in words, or empty. `front`:
    the front matter as it stands in the file, empty where there is none. `agent`: the sub-agent whose store it is in.
    """

    name: str
    title: str = ""
    description: str = ""
    type: str = ""
    created: str = ""
    updated: str = ""
    verified: str = ""
    source: str = ""
    body: str = ""
    broken: str = ""
    front: str = ""
    agent: str = ""

    @property
    def revision(self) -> str:
        """A digest of the whole file; it changes with every byte."""
        return digest(render(self).encode("utf-8", "surrogatepass"))

    @property
    def protected(self) -> bool:
        """Whether the file is a person's own, without sound front matter: tools read it and never overwrite it."""
        return bool(self.broken) or not self.front


def parse(name: str, text: str, *, broken: str = "", agent: str = "") -> Topic:
    """Return the topic in `text`; whatever is wrong with it is said in `broken`, and all of its text is kept."""
    front, body = front_matter.split(text)
    values: dict[str, str] = {}
    if not front and front_matter.opens(text):
        broken = broken or "its front matter is opened with `---` and never closed"
    try:
        values = _values(front_matter.load(front)) if front else {}
    except ValueError as error:
        broken, front, body = broken or str(error), "", text
    title = values.pop("title", "") or _heading(body) or name.replace("-", " ").replace("_", " ")
    return Topic(name, title, **values, body=body, broken=broken, front=front, agent=agent)


def render(topic: Topic) -> str:
    """Return the text of the topic's file: the body's bytes as they are, keys that Freehold does not know untouched."""
    told = parse(topic.name, topic.front + topic.body, agent=topic.agent)
    values = {key: getattr(topic, key) for key in KEYS if getattr(topic, key) != getattr(told, key)}
    if topic.front:
        front = front_matter.changed(topic.front, values) if values else topic.front
    elif values or (not topic.broken and told != topic):
        # A body that begins like front matter would be taken for it without a block of its own.
        front = front_matter.changed("", {key: getattr(topic, key) for key in KEYS if getattr(topic, key)})
    else:
        front = ""
    return _joined(front, topic.body)


def _joined(front: str, body: str) -> str:
    if not front:
        return body
    end_of_line = "\r\n" if "\r\n" in front else "\n"
    if body and not front.endswith("\n"):
        front += end_of_line
    # A body that begins with a line end would lose it to the block, which takes one blank line with it.
    if body.startswith(("\n", "\r\n")) and not _BLANK_AT_END.search(front):
        front += end_of_line
    return front + body


def _values(table: dict[str, Any]) -> dict[str, str]:
    values = {key: table[key] for key in KEYS if key in table}
    odd = [key for key, value in values.items() if not isinstance(value, str)]
    if odd:
        raise ValueError(f"`{odd[0]}` in its front matter is not a text")
    return values


def _heading(body: str) -> str:
    found = _HEADING.search(body[:4_000])
    return found[1] if found else ""
