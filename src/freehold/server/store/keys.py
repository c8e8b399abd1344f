"""Keys: named, of all spaces or some, for reading alone or also writing, revocable. Only their digests are kept."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import IntegrityError

from freehold.errors import UsageError
from freehold.server.store.archive_time import now
from freehold.server.store.tables import api_keys

# 256 random bits: nothing that can be guessed, so a plain digest is as good as a slow one.
_SECRET_BYTES = 32
_FORM = re.compile(r"fhk_(?P<id>[0-9a-f]{12})_(?P<secret>[A-Za-z0-9_-]{43})")


@dataclass(frozen=True, slots=True)
class Key:
    """A key as it is kept. `spaces`: those it may use, None for all. `revoked_at`: since when it no longer counts."""

    key_id: str
    name: str
    spaces: tuple[str, ...] | None
    read_only: bool
    created_at: str
    revoked_at: str | None


def add(connection: Connection, name: str, *, spaces: Sequence[str] = (), read_only: bool = False) -> str:
    """Make a key and return it; it cannot be shown again. Raises `UsageError` (`invalid_argument`) for a taken name."""
    if not name.strip() or len(name) > 100 or not name.isprintable():
        raise UsageError("invalid_argument", "A key's name has 1 to 100 printable characters, such as `laptop`.")
    key_id, secret = secrets.token_hex(6), secrets.token_urlsafe(_SECRET_BYTES)
    row = {
        "key_id": key_id,
        "name": name,
        "digest": _digest(secret),
        "spaces": list(spaces) or None,
        "read_only": int(read_only),
        "created_at": now(),
    }
    try:
        connection.execute(insert(api_keys).values(row))
    except IntegrityError as error:
        message = f"There is a key named {name!r} already. Choose another name; see: freehold serve keys list."
        raise UsageError("invalid_argument", message) from error
    return f"fhk_{key_id}_{secret}"


def listed(connection: Connection) -> list[Key]:
    """Return every key, the oldest first."""
    rows = connection.execute(select(api_keys).order_by(api_keys.c.created_at, api_keys.c.key_id)).mappings()
    return [_key(dict(row)) for row in rows]


def revoke(connection: Connection, name: str) -> Key:
    """Revoke the key of that name or id; raise `UsageError` (`not_found`)."""
    found = [key for key in listed(connection) if name in {key.name, key.key_id}]
    if not found:
        names = ", ".join(key.name for key in listed(connection)) or "none yet"
        raise UsageError("not_found", f"There is no key named {name!r}. Keys: {names}.")
    statement = update(api_keys).where(api_keys.c.key_id == found[0].key_id, api_keys.c.revoked_at.is_(None))
    connection.execute(statement.values(revoked_at=now()))
    return next(key for key in listed(connection) if key.key_id == found[0].key_id)


def verified(connection: Connection, given: str) -> Key | None:
    """Return the key that `given` is; None for one that is not known or was revoked."""
    form = _FORM.fullmatch(given)
    key_id = form["id"] if form else ""
    row = connection.execute(select(api_keys).where(api_keys.c.key_id == key_id)).mappings().first()
    digest = _digest(form["secret"] if form else given)
    same = hmac.compare_digest(digest, row["digest"] if row else _digest(""))
    return _key(dict(row)) if row and same and row["revoked_at"] is None else None


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()


def _key(row: dict[str, Any]) -> Key:
    spaces = None if row["spaces"] is None else tuple(row["spaces"])
    return Key(row["key_id"], row["name"], spaces, bool(row["read_only"]), row["created_at"], row["revoked_at"])
