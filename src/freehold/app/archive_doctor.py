"""The archive as `freehold doctor` sees it: which server is used, why, and whether it answers."""

from __future__ import annotations

import anyio

from freehold import paths
from freehold.app import own_archive
from freehold.archive.backend import Backend
from freehold.browser.doctor import Check
from freehold.errors import FreeholdError

_HOP = "archive"
_SECONDS = 10.0
_NAMED = "Start that server, or correct NMEM_API_URL or ~/.nowledge-mem/config.json"


async def examine() -> list[Check]:
    """Say which server the archive uses. The embedded one is not started for it."""
    try:
        backend = own_archive.chosen()
    except FreeholdError as error:
        return [
            Check(_HOP, "wrong", error.message, "Correct it, or take it away: without it the embedded server is used")
        ]
    notes = [Check("archive's settings", "note", note) for note in backend.notes]
    if backend.key and backend.url.startswith("http://") and not backend.local:
        detail = f"The key travels to {backend.url} unencrypted."
        notes.append(Check("archive's settings", "note", detail, "Name an address that begins with https://"))
    if backend.kind == "embedded":
        return [Check(_HOP, "ok", f"{paths.archive()}, embedded: {backend.why}"), *notes]
    return [await _answering(backend), *notes]


async def _answering(backend: Backend) -> Check:
    seen = f"{backend.url}: {backend.why}"
    try:
        with anyio.fail_after(_SECONDS):
            async with own_archive.opened() as connection:
                if connection.backend.kind == "embedded":
                    return Check(_HOP, "ok", f"embedded: {connection.backend.why}")
                # One that the key is needed for: /health is open to everyone.
                await connection.client.threads(limit=1)
    except TimeoutError:
        return Check(_HOP, "wrong", f"{seen}, and it does not answer within {_SECONDS:g} s.", _NAMED)
    except FreeholdError as error:
        return Check(_HOP, "wrong", f"{seen}. {error.message}", _NAMED)
    return Check(_HOP, "ok", seen)
