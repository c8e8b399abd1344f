"""Secrets in a text: recognised before anything is written."""

from __future__ import annotations

import re
from dataclasses import dataclass

_KINDS = ((r"-----BEGIN [A-Z ]*PRIVATE KEY-----", "private key"), (r"\bAKIA[0-9A-Z]{16}\b", "AWS access key"))


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret: its line counted from 1, what it is, and where it stands in the text."""

    line: int
    kind: str
    start: int
    end: int


def find_secrets(text: str) -> list[Secret]:
    """Return the secrets in `text`, in order and without overlap."""
    found = [(m.start(), m.end(), kind) for pattern, kind in _KINDS for m in re.finditer(pattern, text)]
    return [Secret(text.count("\n", 0, start) + 1, kind, start, end) for start, end, kind in sorted(found)]


def redact(text: str) -> str:
    """Return `text` with each secret replaced by `[KIND removed]`."""
    for secret in reversed(find_secrets(text)):
        text = f"{text[: secret.start]}[{secret.kind} removed]{text[secret.end :]}"
    return text
