"""What an agent is told about the archive when a session begins: how to use it, and if the user likes, what it knows.

The text is made once a session and then stays as it is, byte for byte: it stands in front of every request, and a
change would cost the model's whole prompt cache.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import anyio

from freehold.archive.archive import Archive
from freehold.archive.backend import Backend
from freehold.archive.context_settings import KEY, ContextSettings
from freehold.archive.guidance import GUIDANCE
from freehold.errors import FreeholdError

_ABOVE = "- The user's context bundle stands above; do not look for it again.\n"

SECONDS = 2.0
"""For how long a session's start waits for the bundle."""

_MOST_CHARACTERS = 20_000


@dataclass(frozen=True, slots=True)
class StartContext:
    """What enters the prompt, and a `notice` for the user where something is missing; empty where nothing is."""

    text: str
    notice: str = ""


class SessionContext:
    """The archive's part of one session's prompt."""

    def __init__(
        self, archive: Archive, settings: ContextSettings, *, source_app: str, seconds: float = SECONDS
    ) -> None:
        """`source_app`: the agent's name for the server, such as "pi"."""
        self._archive = archive
        self._settings = settings
        self._source_app = source_app
        self._seconds = seconds
        self._made: StartContext | None = None

    async def get(self) -> StartContext:
        """Return the text, the same at every call of a session; never raises, and waits no longer than its deadline."""
        if self._made is None:
            self._made = await self._make()
        return self._made

    async def _make(self) -> StartContext:
        if not self._settings.inject_context_bundle:
            return StartContext(GUIDANCE)
        try:
            with anyio.fail_after(self._seconds):
                client = await self._archive.client()
                bundle = await client.context_bundle(source_app=self._source_app)
        except TimeoutError:
            return _without(f"it did not come within {self._seconds:g} s")
        except FreeholdError as error:
            return _without(error.message)
        if not bundle.strip():
            return _without("the archive has none yet")
        return StartContext(f"{_bounded(bundle)}\n\n{GUIDANCE}{_ABOVE}")


def described(settings: ContextSettings, backend: Backend | FreeholdError, *, just_set: bool = False) -> str:
    """Return what `/nmem-config` shows: the setting, and read-only, which server is used and why."""
    value = "true" if settings.inject_context_bundle else "false"
    lines = [f"{KEY}: {value}{' (from the next session on)' if just_set else ''}"]
    if isinstance(backend, FreeholdError):
        lines.append(f"server: none: {backend.message}")
    else:
        space = f", space {backend.space}" if backend.space else ""
        lines += [f"server: {backend.name}{space}: {backend.why}", *backend.notes]
    return "\n".join([*lines, f"To change: /nmem-config {KEY} true|false"])


def _without(reason: str) -> StartContext:
    return StartContext(GUIDANCE, f"The session begins without the archive's context bundle: {reason.rstrip('.')}.")


def _bounded(bundle: str) -> str:
    """Put the bundle between lines that it cannot hold itself, since they are made of what it holds."""
    text = bundle.strip()
    if len(text) > _MOST_CHARACTERS:
        text = f"{text[:_MOST_CHARACTERS]}\n[cut: the bundle holds {len(text) - _MOST_CHARACTERS:,} characters more]"
    word = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:8]
    return f"<context_bundle {word}>\n{text}\n</context_bundle {word}>"
