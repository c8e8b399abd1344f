"""Which server the archive talks to, and why: named by the user, listening on this machine, or inside this process."""

from __future__ import annotations

import hashlib
import ipaddress
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec

from freehold.archive import listener
from freehold.errors import DeniedError, UsageError

PORT = 14242
DEFAULT_URL = f"http://127.0.0.1:{PORT}"
EMBEDDED_URL = "http://embedded"
FILE = Path(".nowledge-mem") / "config.json"

Kind = Literal["named", "listening", "embedded"]
_SPACE_KEYS = ("space", "spaceId", "space_id")
_URL_KEYS = ("apiUrl", "api_url")
_API_KEY_KEYS = ("apiKey", "api_key")


@dataclass(frozen=True, slots=True)
class Backend:
    """A server of the archive.

    `kind`: named by the user, listening here, or embedded. `why`: what decided it. `notes`: what else the user should
    know, such as a listener that was refused.
    """

    kind: Kind
    url: str
    why: str
    key: str = field(default="", repr=False)
    space: str = ""
    notes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Return what errors and people call it."""
        return "embedded" if self.kind == "embedded" else self.url

    def identity(self, data: Path) -> str:
        """Return the name under which cursors for it are kept; `data` is the folder of the embedded server."""
        place = str(data) if self.kind == "embedded" else self.url
        return hashlib.sha256(f"{place}\0{self.space}".encode()).hexdigest()[:16]

    @property
    def local(self) -> bool:
        """Whether nothing leaves this machine."""
        return self.kind == "embedded" or is_loopback(urlsplit(self.url).hostname or "")


@dataclass(frozen=True, slots=True)
class _Config:
    """What we take from nmem's own file, and what else is in it."""

    url: str = ""
    key: str = ""
    space: str = ""
    ignored: tuple[str, ...] = ()


def choose(environment: Mapping[str, str], home: Path, *, present: Callable[[int], bool] = listener.present) -> Backend:
    """Choose the server: `NMEM_API_URL`, else nmem's file in `home`, else a listener of ours, else the embedded one.

    `present` is `listener.present`. Raises `UsageError` (`invalid_argument`) for an address or a file that cannot be
    read: to archive somewhere else instead would split the history.
    """
    file = home / FILE
    config = _config(file)
    space = _first(environment, "NMEM_SPACE", "NMEM_SPACE_ID") or config.space
    notes = _ignored(file, config)
    key = _first(environment, "NMEM_API_KEY")
    if url := _first(environment, "NMEM_API_URL"):
        named = _checked(url, "NMEM_API_URL")
        # The file's key is for the file's server; another one has no business seeing it.
        fits = not config.url or _checked(config.url, str(file)) == named
        return Backend("named", named, "NMEM_API_URL names it", key or (config.key if fits else ""), space, notes)
    if config.url:
        return Backend("named", _checked(config.url, str(file)), f"{file} names it", key or config.key, space, notes)
    try:
        found = present(PORT)
    except DeniedError as error:
        return _embedded("what listens there is another user's", space, (*notes, error.message))
    if found:
        why = f"a server of yours listens on port {PORT}"
        return Backend("listening", DEFAULT_URL, why, key or config.key, space, notes)
    return _embedded(f"no other is named, and none listens on port {PORT}", space, notes)


def embedded_instead(backend: Backend, reason: str) -> Backend:
    """Return the embedded server in place of `backend`, a listener that turned out to be something else."""
    return _embedded(f"what listens on port {PORT} is no archive", backend.space, (*backend.notes, reason))


def is_loopback(host: str) -> bool:
    """Return whether `host` is this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _embedded(why: str, space: str, notes: tuple[str, ...]) -> Backend:
    return Backend("embedded", EMBEDDED_URL, why, space=space, notes=notes)


def _config(file: Path) -> _Config:
    try:
        raw = msgspec.json.decode(file.read_bytes(), type=dict[str, Any])
    except FileNotFoundError:
        return _Config()
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        message = f'{file} cannot be read: {error}. It must be one JSON object, such as {{"apiUrl": "{DEFAULT_URL}"}}.'
        raise UsageError("invalid_argument", message) from error
    known = {*_URL_KEYS, *_API_KEY_KEYS, *_SPACE_KEYS}
    ignored = tuple(sorted(raw.keys() - known))
    return _Config(_first(raw, *_URL_KEYS), _first(raw, *_API_KEY_KEYS), _first(raw, *_SPACE_KEYS), ignored)


def _ignored(file: Path, config: _Config) -> tuple[str, ...]:
    return (f"{file}: not used here: {', '.join(config.ignored)}.",) if config.ignored else ()


def _first(values: Mapping[str, Any], *names: str) -> str:
    """Return the first of `names` that says something; what is empty counts as not set."""
    given = (values.get(name) for name in names)
    return next((value.strip() for value in given if isinstance(value, str) and value.strip()), "")


def _checked(url: str, where: str) -> str:
    address = url.rstrip("/")
    try:
        parts = urlsplit(address)
        fits = parts.scheme in {"http", "https"} and parts.hostname and (parts.port or 1) and "@" not in parts.netloc
    except ValueError:
        fits = False
    if not fits or parts.query or parts.fragment:  # pyright: ignore[reportPossiblyUnboundVariable]
        message = f"{where} must be an address such as {DEFAULT_URL}, with no name or key in it."
        raise UsageError("invalid_argument", message)
    return address
