"""Which user is at the other end of a TCP connection of this machine, as Linux's connection tables tell it."""

from __future__ import annotations

import ipaddress
import struct
import sys
from pathlib import Path

_TABLES = {4: Path("/proc/net/tcp"), 6: Path("/proc/net/tcp6")}
# proc(5): local address, remote address and state stand side by side; the uid is the fourth word after them.
_BETWEEN = 6
_ESTABLISHED = "01"

Address = tuple[str, int]


def is_loopback(host: str) -> bool:
    """Say whether `host` is an address of this machine alone."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback


def uid_of(client: Address, server: Address) -> int | None:
    """Return the user id of the process whose end of a loopback connection is `client` and whose other end is `server`.

    None where the system does not tell: the connection is gone, or there are no such tables (macOS); then a key is
    needed.
    """
    wanted = f" {_written(client)} {_written(server)} {_ESTABLISHED} "
    table = _TABLES[ipaddress.ip_address(client[0]).version]
    try:
        text = table.read_text(encoding="ascii")
    except OSError:
        return None
    # Looked for whole: on a busy machine, taking every line apart would cost each request a millisecond.
    at = text.find(wanted)
    return int(text[at:].split(None, _BETWEEN + 1)[_BETWEEN]) if at >= 0 else None


def _written(address: Address) -> str:
    """Return an address as the kernel writes it: words of four bytes in the machine's own order."""
    packed = ipaddress.ip_address(address[0]).packed
    order = "<" if sys.byteorder == "little" else ">"
    words = [struct.unpack(f"{order}I", packed[at : at + 4])[0] for at in range(0, len(packed), 4)]
    return "".join(f"{word:08X}" for word in words) + f":{address[1]:04X}"
