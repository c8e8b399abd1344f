"""The user's settings: `config.toml` in Freehold's own folder. Nothing inside a project is read."""

from __future__ import annotations

from ipaddress import ip_address
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import msgspec

from freehold import paths
from freehold.errors import UsageError

FILE_NAME = "config.toml"


class Memory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of the project memory: how many `lines` and `bytes` of MEMORY.md enter a session."""

    lines: Annotated[int, msgspec.Meta(ge=10)] = 200
    bytes: Annotated[int, msgspec.Meta(ge=1_000)] = 25_000


class Model(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A model that the user runs or rents, for surfaces whose host lends none; off while `endpoint` is empty.

    `endpoint`: the base address of an API like OpenAI's, such as "http://127.0.0.1:11434/v1"; https, or http on this
    machine. `name`: the model there. `key_env`: the environment variable that holds the key; the key itself is never
    written here. `seconds`: how long an answer may take.
    """

    endpoint: str = ""
    name: str = ""
    key_env: str = ""
    seconds: Annotated[float, msgspec.Meta(gt=0, le=300)] = 20.0

    def __post_init__(self) -> None:
        if not self.endpoint:
            return
        address = urlsplit(self.endpoint)
        if not address.hostname or address.username or not (address.scheme == "https" or self.is_local):
            raise ValueError(
                "[model] endpoint must be https://…, or http:// on this machine (127.0.0.1, [::1], localhost)"
            )
        if not self.name:
            raise ValueError("[model] name must name the model at the endpoint")

    @property
    def is_local(self) -> bool:
        """Whether the endpoint is on this machine."""
        address = urlsplit(self.endpoint)
        return address.scheme in {"http", "https"} and _is_loopback(address.hostname or "")


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a user may set; every field has a default that works.

    `browser`: part of the name of the browser to use when several are connected, such as "chrome".
    `executable`: the Chromium to start for `freehold browser launch`; the first one found when empty.
    """

    browser: str = ""
    executable: str = ""
    memory: Memory = Memory()
    model: Model = Model()


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
