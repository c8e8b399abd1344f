"""A topic as `--json` prints it."""

from __future__ import annotations

from typing import Any

from freehold.memory.topic import KEYS, Topic


def topic_data(topic: Topic, *, body: bool = False) -> dict[str, Any]:
    """Return the topic's facts, with its text if `body`."""
    facts: dict[str, Any] = {"name": topic.name, **{key: getattr(topic, key) for key in KEYS}}
    facts |= {"revision": topic.revision, "broken": topic.broken or None, "agent": topic.agent or None}
    return {**facts, "body": topic.body} if body else facts
