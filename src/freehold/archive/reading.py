"""Reading a thread a window at a time: whole messages as far as they fit, and a long one in parts."""

from __future__ import annotations

from dataclasses import dataclass, replace

from freehold.archive.client import ArchiveClient
from freehold.archive.schemas import Message, Thread

BUDGET = 8_000
"""Characters of content in one window."""

_BATCH = 20
_MOST_MESSAGES = 200


@dataclass(frozen=True, slots=True)
class Part:
    """A message as it is shown: `message.content` is what stands in the window, from character `start` of `length`."""

    message: Message
    start: int
    length: int

    @property
    def cut(self) -> bool:
        """Whether some of the message stands behind this part."""
        return self.start + len(self.message.content) < self.length


@dataclass(frozen=True, slots=True)
class Window:
    """What one call reads. `next_offset` and `next_char` say where the next goes on; both None at the end."""

    thread: Thread
    parts: tuple[Part, ...]
    total: int
    next_offset: int | None
    next_char: int | None


async def window(client: ArchiveClient, thread_id: str, *, offset: int, from_char: int, budget: int = BUDGET) -> Window:
    """Read about `budget` characters of a thread from message `offset`, its character `from_char`, on.

    A message that does not fit whole waits for the next window, but for the first: of that, as much as fits is read.
    """
    parts: list[Part] = []
    left, asked = budget, offset
    while True:
        page = await client.thread(thread_id, offset=asked, limit=_BATCH)
        for place, message in enumerate(page.messages, start=asked):
            part = _part(message, from_char if place == offset else 0, budget)
            if parts and len(part.message.content) > left:
                return Window(page.thread, tuple(parts), page.total, place, None)
            parts.append(part)
            left -= len(part.message.content)
            if part.cut:
                return Window(page.thread, tuple(parts), page.total, place, part.start + len(part.message.content))
        asked += len(page.messages)
        if not page.messages or asked >= page.total:
            return Window(page.thread, tuple(parts), page.total, None, None)
        if left <= 0 or asked - offset >= _MOST_MESSAGES:
            return Window(page.thread, tuple(parts), page.total, asked, None)


def _part(message: Message, start: int, budget: int) -> Part:
    text = message.content
    return Part(replace(message, content=text[start : start + budget]), start, len(text))
