"""The name of a session whose user gave none: the agent's name and its project's."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

LIMIT = 80


def given(session: str) -> str:
    """Return the name the user chose: the argument, else `FREEHOLD_SESSION`; empty when there is none."""
    return session or os.environ.get("FREEHOLD_SESSION", "")


def derived(client: str, folder: Path) -> str:
    """Return `<client>-<folder's name>`, printable, in one line and at most `LIMIT` characters long."""
    parts = (_plain(client) or "agent", _plain(folder.name))
    return "-".join(part for part in parts if part)[:LIMIT]


def folder_of(uri: str) -> Path | None:
    """Return the folder that a `file:` URI (RFC 8089) names, else None."""
    parts = urlsplit(uri)
    return Path(unquote(parts.path)) if parts.scheme == "file" and parts.path else None


def _plain(name: str) -> str:
    """The name is shown to the user in the browser: nothing in it may break the line or hide."""
    return " ".join("".join(char if char.isprintable() else " " for char in name).split())
