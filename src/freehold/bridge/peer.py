"""Which user is at the other end of a Unix socket, as the kernel knows it."""

from __future__ import annotations

import socket
import struct
import sys

from freehold.errors import DeniedError

_UCRED = struct.Struct("3i")  # Linux, unix(7): pid, uid, gid
_XUCRED = struct.Struct("IIh16I")  # macOS, <sys/ucred.h>: version, uid, number of groups, groups
_SOL_LOCAL = 0  # macOS, <sys/un.h>
_LOCAL_PEERCRED = 1


def peer_uid(connection: socket.socket) -> int:
    """Return the user id of the process that opened the other end; raise `OSError` where that end is gone."""
    if sys.platform == "darwin":
        return _XUCRED.unpack(connection.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, _XUCRED.size))[1]
    return _UCRED.unpack(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size))[1]


def check(connection: socket.socket, uid: int) -> None:
    """Raise `DeniedError` (`peer_not_allowed`) when the other end belongs to a user other than `uid`."""
    other = peer_uid(connection)
    if other != uid:
        message = f"This bridge belongs to user {uid}; user {other} may not use it. Run `freehold setup` as that user."
        raise DeniedError("peer_not_allowed", message, {"uid": other})
