"""The user's settings: `config.toml` in Freehold's own folder. Nothing inside a project is read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import msgspec

from freehold import paths
from freehold.errors import UsageError

FILE_NAME = "config.toml"


class Memory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of the project memory: how many `lines` and `bytes` of MEMORY.md enter a session."""

    lines: Annotated[int, msgspec.Meta(ge=10)] = 200
    bytes: Annotated[int, msgspec.Meta(ge=1_000)] = 25_000


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a user may set; every field has a default that works.

    `browser`: part of the name of the browser to use when several are connected, such as "chrome".
    `executable`: the Chromium to start for `freehold browser launch`; the first one found when empty.
    """

    browser: str = ""
    executable: str = ""
    memory: Memory = Memory()


def file() -> Path:
    """Return the file of the settings; it may not exist."""
    return paths.home() / FILE_NAME


def load() -> Settings:
    """Read the user's settings; raise `UsageError` (`invalid_argument`) that names the file and what is wrong in it."""
    try:
        return msgspec.toml.decode(file().read_bytes(), type=Settings)
    except FileNotFoundError:
        return Settings()
    except OSError as error:
        raise UsageError("invalid_argument", f"{file()} cannot be read: {error.strerror}.") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        message = f"{file()}: {error}. Valid settings: {', '.join(Settings.__struct_fields__)}."
        raise UsageError("invalid_argument", message) from error
