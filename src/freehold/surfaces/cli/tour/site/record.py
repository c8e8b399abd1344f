"""What the tour's site received: the truth that the tour holds the tools' answers against."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Received:
    """One request as it reached the server: the address it was sent to, its path and its fields."""

    method: str
    origin: str
    path: str
    fields: Mapping[str, str] = field(default_factory=dict[str, str])


class Record:
    """Every request the site received, in order. Servers write from their threads, the tour reads from its own."""

    def __init__(self) -> None:
        self._received: list[Received] = []
        self._changed = threading.Condition()

    def add(self, received: Received) -> None:
        """Keep one request and wake whoever waits for it."""
        with self._changed:
            self._received.append(received)
            self._changed.notify_all()

    def of(self, method: str, path: str) -> list[Received]:
        """Return the requests of `method` to `path` so far."""
        with self._changed:
            return self._matching(method, path)

    def wait(self, method: str, path: str, count: int, seconds: float) -> list[Received]:
        """Return the requests of `method` to `path`, as soon as there are `count` of them or `seconds` have passed.

        A page tells the server after the click has returned, so the record may be a moment behind the tool.
        """
        with self._changed:
            self._changed.wait_for(lambda: len(self._matching(method, path)) >= count, seconds)
            return self._matching(method, path)

    def _matching(self, method: str, path: str) -> list[Received]:
        return [one for one in self._received if (one.method, one.path) == (method, path)]
