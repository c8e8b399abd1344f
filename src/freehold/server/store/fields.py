"""Column types that keep on PostgreSQL what it cannot hold by itself: text with NUL in it, and JSON of such text."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Dialect, Text
from sqlalchemy.types import TypeDecorator

# PostgreSQL's text has no NUL, which the output of programs does. The marker is a private-use character; where a text
# has it, it is doubled by a digit too, so that every text comes back as it was.
_MARK = "\uf8ff"


def _stored(text: str) -> str:
    if "\0" not in text and _MARK not in text:
        return text
    return text.replace(_MARK, f"{_MARK}1").replace("\0", f"{_MARK}0")


def _given(text: str) -> str:
    return text.replace(f"{_MARK}0", "\0").replace(f"{_MARK}1", _MARK) if _MARK in text else text


class Prose(TypeDecorator[str]):
    """Text that comes back as it was given, with whatever characters."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Return what is written."""
        return value if value is None or dialect.name != "postgresql" else _stored(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        """Return what was given."""
        return value if value is None or dialect.name != "postgresql" else _given(value)


class Json(TypeDecorator[Any]):
    """A JSON value as text: PostgreSQL's own types refuse an escaped NUL. What is searched of it is in the index."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        """Return what is written."""
        del dialect
        return None if value is None else msgspec.json.encode(value).decode()

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        """Return what was given."""
        del dialect
        return None if value is None else msgspec.json.decode(value)
