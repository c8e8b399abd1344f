"""What the extension tells once of the session that begins."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from freehold.errors import UsageError

_NAME_LIMIT = 80


class SessionIdentity(msgspec.Struct, frozen=True):
    """Pi's session: its id, its file (None with `--no-session`) and the name that the user gave it."""

    id: str = ""
    file: str | None = None
    name: str | None = None


class Start(msgspec.Struct, frozen=True):
    """The params of `start`.

    `version` is the extension's, `pi` Pi's; `agent_folder` Pi's own folder; `cwd` the folder that Pi works in; `mode`
    tui, rpc, json or print; `reason` why the session starts (startup, reload, new, resume, fork, or restart after the
    worker ended); `nested` whether it runs inside another session's process; `flags` what the command line gave.
    """

    cwd: str
    agent_folder: str
    version: str = ""
    pi: str = ""
    mode: str = ""
    reason: str = "startup"
    nested: bool = False
    model: bool = False
    session: SessionIdentity = SessionIdentity()
    flags: dict[str, str] = {}

    @property
    def project(self) -> Path:
        """The folder whose memory and tabs are meant."""
        return Path(self.cwd)

    @property
    def agent_path(self) -> Path:
        """Pi's own folder."""
        return Path(self.agent_folder)

    @property
    def browser_session(self) -> str:
        """The name of the browser's session: the flag's, else the environment's, else Pi's and the folder's."""
        chosen = self.flags.get("session") or os.environ.get("FREEHOLD_SESSION", "")
        return chosen or f"pi-{_plain(self.project.name)}"[:_NAME_LIMIT].rstrip("-")


def parse(params: Mapping[str, Any]) -> Start:
    """Read `params`; raise `UsageError` (`invalid_argument`)."""
    try:
        return msgspec.convert(params, Start)
    except msgspec.ValidationError as error:
        message = f"The extension's start is not what this worker knows: {error}. Update the package and Freehold."
        raise UsageError("invalid_argument", message) from error


def _plain(name: str) -> str:
    return "".join(character for character in " ".join(name.split()) if character.isprintable())
