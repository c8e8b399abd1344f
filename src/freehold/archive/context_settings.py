"""Whether a session begins with the archive's context bundle; apart from the rest, for who starts fast reads it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec

from freehold.errors import UsageError

KEY = "injectContextBundle"
_PREDECESSOR = "cnife-nmem.json"


class ContextSettings(msgspec.Struct, frozen=True, rename="camel"):
    """The user's choice: `inject_context_bundle` puts the archive's context bundle in front of a session."""

    inject_context_bundle: Annotated[bool, msgspec.Meta(description="Begin sessions with the context bundle")] = False


def changed(settings: ContextSettings, words: str) -> ContextSettings:
    """Return the settings as `words` of `/nmem-config` say, such as "injectContextBundle true"; raise `UsageError`."""
    match words.split():
        case [name, ("true" | "false") as value] if name == KEY:
            return msgspec.structs.replace(settings, inject_context_bundle=value == "true")
        case _:
            message = f"/nmem-config {words.strip()}: that is no setting. Valid: /nmem-config {KEY} true, or false."
            raise UsageError("invalid_argument", message)


def first_settings(agent_folder: Path) -> ContextSettings:
    """Return the settings to begin with: what an earlier package's file in `agent_folder` says, else the defaults.

    That file is only read. One that cannot be read, or says something else, counts for nothing.
    """
    try:
        return msgspec.json.decode((agent_folder / _PREDECESSOR).read_bytes(), type=ContextSettings)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return ContextSettings()
