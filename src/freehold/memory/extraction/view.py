"""The store as a pass has read it, and as a prompt shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec

from freehold.errors import FreeholdError
from freehold.memory import search as searching
from freehold.memory.extraction.conversation import Conversation
from freehold.memory.redact import find_secrets, redact
from freehold.memory.store import Store
from freehold.memory.topic import Topic, render
from freehold.text.analyzer import tokens
from freehold.text.query import is_function_word

WHOLE = 8_000
"""Characters of a topic's body that are shown; a longer one is not changed, since what was not seen would be lost."""

_NEAR = 6
_LISTED = 400
_QUERY_WORDS = 60


@dataclass(frozen=True, slots=True)
class View:
    """A store at `revision`, and its topics by name.

    `near`: the names of those near to the conversation, best first. `fixed`: of those that no pass changes, since they
    were written by hand, are too long, or have a secret in them that the user allowed.
    """

    revision: str
    topics: Mapping[str, Topic]
    near: tuple[str, ...]
    fixed: frozenset[str]

    def texts(self) -> list[str]:
        """Return what the memory says: every topic and its line."""
        return [text for topic in self.topics.values() for text in (topic.description, topic.body)]

    def shown_whole(self) -> frozenset[str]:
        """Return the topics that a prompt shows whole and that may be changed."""
        return frozenset(self.near) - self.fixed

    def render(self, *, changeable: frozenset[str]) -> str:
        """Return the topics for a prompt: a line each, those beside `changeable` marked, and the near ones whole."""
        listed = [self._line(topic, changeable) for topic in self.topics.values()][-_LISTED:]
        whole = [_json({"topic": name, "body": redact(self.topics[name].body)[:WHOLE]}) for name in self.near]
        return "\n".join([
            "Topics there are:", *(listed or ["(none)"]), "", "Those near to the conversation:", *(whole or ["(none)"]),
        ])  # fmt: skip

    def _line(self, topic: Topic, changeable: frozenset[str]) -> str:
        told: dict[str, object] = {"topic": topic.name, "title": topic.title, "description": topic.description}
        return redact(_json(told if topic.name in changeable else {**told, "read_only": True}))


def read(store: Store, conversation: Conversation | None = None, cache: Path | None = None) -> View:
    """Read `store`, and search it for what is near to `conversation`. `cache`: the folder of the search indexes."""
    revision = store.revision()
    topics = {topic.name: topic for topic in store.topics() if not topic.agent or topic.agent == store.agent}
    near = _near(store, conversation, cache) if conversation and topics else []
    fixed = frozenset(name for name, topic in topics.items() if _is_fixed(topic, store))
    return View(revision, topics, tuple(name for name in near if name in topics), fixed)


def _near(store: Store, conversation: Conversation, cache: Path | None) -> list[str]:
    said = conversation.said_by_user() + "\n" + conversation.clean_text()
    words = [word for word in dict.fromkeys(tokens(said)) if not is_function_word(word)][:_QUERY_WORDS]
    if not words:
        return []
    try:
        return [hit.name for hit in searching.search(store, " ".join(words), limit=_NEAR, cache=cache).hits]
    except FreeholdError:
        # Another process keeps the index locked: the list of topics must do, and none is shown whole.
        return []


def _is_fixed(topic: Topic, store: Store) -> bool:
    inherited = topic.agent != store.agent
    return inherited or topic.protected or len(topic.body) > WHOLE or bool(find_secrets(render(topic)))


def _json(told: dict[str, object]) -> str:
    # Bytes that were no UTF-8 stand as halves of characters, which JSON cannot hold.
    clean = {
        key: value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
        for key, value in told.items()
    }
    return msgspec.json.encode(clean).decode()
