"""What a pass proposes, on top of the store as it was read: in memory only, until all of it has been checked."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from freehold.errors import UsageError
from freehold.memory.extraction.candidate import MOST, Candidate
from freehold.memory.extraction.conversation import Conversation
from freehold.memory.extraction.view import View
from freehold.memory.redact import redact
from freehold.memory.topic import Topic, render


class Staging:
    """The store with proposals on top of it, as a sub-agent reads and writes it. No path leads out of a dictionary."""

    def __init__(self, view: View, conversation: Conversation) -> None:
        self._view = view
        self._numbers = {part.number for part in conversation.parts}
        self._staged: dict[str, Candidate] = {}
        self._read = set(view.near)

    def candidates(self) -> tuple[Candidate, ...]:
        """Return everything staged, in order."""
        return tuple(self._staged.values())

    def read(self, name: str = "") -> str:
        """Return a topic as it would stand, or without a name a list of all; raise `UsageError` (`unknown_topic`)."""
        if not name:
            topics = self._view.topics.values()
            listed = [f"{one.name}: {one.title} \u2014 {one.description}" for one in topics]
            return redact("\n".join(listed)) or "(the memory is empty)"
        topic = self._topic(name)
        self._read.add(topic.name)
        staged = self._staged.get(topic.name)
        return redact(render(replace(topic, title=staged.title, body=staged.body) if staged else topic))

    def write(self, candidate: Candidate) -> str:
        """Stage `candidate`; a later one for the same topic, or of the same title, takes its place.

        Raises `UsageError` where it rests on nothing, or names a topic that does not exist, may not be changed or was
        not read.
        """
        if not set(candidate.evidence) <= self._numbers:
            raise UsageError("invalid_argument", f"evidence: valid numbers are 1 to {max(self._numbers, default=0)}.")
        if candidate.topic:
            candidate = msgspec.structs.replace(candidate, topic=self._changeable(candidate.topic))
        key = candidate.topic or f"\0{candidate.title.casefold()}"
        if key not in self._staged and len(self._staged) >= MOST:
            raise UsageError("invalid_argument", f"{MOST} memories are staged already, which is the most of a pass.")
        self._staged[key] = candidate
        return "Staged. It is written when you have finished."

    def _changeable(self, name: str) -> str:
        topic = self._topic(name)
        if topic.name in self._view.fixed:
            raise UsageError("invalid_argument", f'"{topic.name}" is read-only: leave it as it is.')
        if topic.name not in self._read:
            raise UsageError("invalid_argument", f'Read "{topic.name}" with read_memory before you replace it.')
        return topic.name

    def _topic(self, name: str) -> Topic:
        topic = self._view.topics.get(name.removesuffix(".md"))
        if topic is None:
            raise UsageError("unknown_topic", f'There is no topic "{name[:80]}". read_memory without a name lists all.')
        return topic
