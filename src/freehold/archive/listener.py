"""Whose program listens on a port of this machine, as the kernel knows it."""

from __future__ import annotations

import os
import pwd
import socket
import subprocess
import sys
from pathlib import Path

from freehold.errors import DeniedError

_LISTENING = "0A"  # Linux, include/net/tcp_states.h
# proc(5): an address is written as 32-bit words in the machine's own order; both orders stand here.
_LOOPBACK = {"0100007F", "7F000001", "00000000", "0" * 32}
_MAPPED = {"0000000000000000FFFF00000100007F", "00000000000000000000FFFF7F000001"}
_PROBE_SECONDS = 0.5
_LSOF = "/usr/sbin/lsof"


def present(port: int, *, uid: int | None = None, tables: Path = Path("/proc/net")) -> bool:
    """Return whether a program of user `uid` (else ours) listens on 127.0.0.1:`port`.

    Raises `DeniedError` (`peer_refused`), which names the user, where the listener is someone else's: what would be
    sent there are conversations.
    """
    own = os.getuid() if uid is None else uid
    owners = _owners_by_lsof(port) if sys.platform == "darwin" else _owners(port, tables)
    strangers = [owner for owner in owners if owner != own]
    if strangers:
        message = (
            f"What listens on 127.0.0.1:{port} belongs to {_name(strangers[0])}, not to you, and is not used. "
            f"To use it all the same, set NMEM_API_URL=http://127.0.0.1:{port}."
        )
        raise DeniedError("peer_refused", message, {"port": port, "uid": strangers[0]})
    return bool(owners)


def _owners(port: int, tables: Path) -> list[int]:
    """Return the user ids of those who would get a connection to 127.0.0.1:`port`."""
    owners: list[int] = []
    for table in ("tcp", "tcp6"):
        try:
            lines = (tables / table).read_text(encoding="ascii").splitlines()[1:]
        except FileNotFoundError:  # a kernel without IPv6
            continue
        fields = [line.split() for line in lines]
        owners += [int(each[7]) for each in fields if each[3] == _LISTENING and _is_ours(each[1], port)]
    return owners


def _is_ours(local: str, port: int) -> bool:
    address, _, number = local.partition(":")
    return int(number, 16) == port and address in _LOOPBACK | _MAPPED


def _owners_by_lsof(port: int) -> list[int]:
    """Return the same on macOS, where lsof shows a user only what is theirs: a stranger has the id -1."""
    with socket.socket() as probe:
        probe.settimeout(_PROBE_SECONDS)
        if probe.connect_ex(("127.0.0.1", port)):
            return []
    command = [_LSOF, "-nP", f"-iTCP:{port}", "-sTCP:LISTEN", "-Fu"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    return [int(line[1:]) for line in done.stdout.splitlines() if line.startswith("u")] or [-1]


def _name(uid: int) -> str:
    try:
        return f"the user {pwd.getpwuid(uid).pw_name}"
    except (KeyError, OverflowError):
        return f"user {uid}" if uid >= 0 else "another user"
