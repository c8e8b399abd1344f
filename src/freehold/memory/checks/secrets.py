"""Secrets that came into a store past the tools, for instance by hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from freehold.memory.checks.finding import Finding, command
from freehold.memory.redact import find_secrets
from freehold.memory.topic import Topic

_CURE = "Take it out and make a new one where it belongs: what was read once may be known."


def secrets(topics: Iterable[Topic], index: str) -> Iterator[Finding]:
    """Yield each secret in a topic's name or file, or in the `index`; never the secret itself."""
    for topic in topics:
        if found := find_secrets(topic.name):
            yield Finding("secret", topic.name, f"Its name is a secret ({found[0].kind}). {_CURE}", command("path"))
        for secret in find_secrets(topic.front + topic.body):
            detail = f"Line {secret.line} holds a secret ({secret.kind}). {_CURE}"
            yield Finding("secret", topic.name, detail, command("edit", topic.name), line=secret.line)
    for secret in find_secrets(index):
        detail = f"Line {secret.line} holds a secret ({secret.kind}). {_CURE}"
        yield Finding("secret", "MEMORY", detail, command("edit", "MEMORY"), line=secret.line)
