"""Starts the native messaging host: checks who started it, then relays until the browser ends.

Only the standard library and `cryptography` are imported, because the first call waits for this process. From start to
answered hello it takes about 130 ms on two shared cores with Python 3.11; asyncio is 60 of them, `cryptography` 30.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from freehold.bridge import endpoint, handshake
from freehold.errors import DeniedError, InternalError
from freehold.host import log
from freehold.host.port import open_port
from freehold.host.relay import Relay
from freehold.wire import framing


def main(arguments: Sequence[str]) -> int:
    """Run the host as `--home DIR ORIGIN`; return the exit code, 1 when Freehold's extension did not start it."""
    home, origin = _parse(arguments)
    if origin != endpoint.EXTENSION_ORIGIN:
        return _refuse_origin(home, origin)
    os.umask(0o077)
    try:
        asyncio.run(_run(home))
    except (ValueError, OSError) as error:
        sys.stderr.write(f"freehold.host talks to a browser over pipes and cannot start here: {error}\n")
        return 1
    return 0


async def _run(home: Path) -> None:
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _loop, context: _note(home, context))
    relay = Relay(await open_port(sys.stdin.buffer, sys.stdout.buffer), home)
    relaying = asyncio.ensure_future(relay.run())
    for signum in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(signum, relaying.cancel)
    try:
        with suppress(asyncio.CancelledError):
            await relaying
    finally:
        await relay.close()


def _parse(arguments: Sequence[str]) -> tuple[Path, str]:
    parser = argparse.ArgumentParser(prog="freehold.host", description="Native messaging host, started by a browser.")
    parser.add_argument("--home", type=Path, required=True, help="Freehold's folder")
    parser.add_argument("origin", help="the extension that Chrome starts it for")
    known, _ = parser.parse_known_args(arguments)  # Chrome may add arguments of its own, such as --parent-window.
    return known.home.absolute(), known.origin


def _refuse_origin(home: Path, origin: str) -> int:
    message = f"The native host answers {endpoint.EXTENSION_ORIGIN} only, not {origin[:80]!r}. Run `freehold setup`."
    error = DeniedError("origin_not_allowed", message)
    log.append(home / "run", error)
    sys.stdout.buffer.write(framing.native_frame(framing.encode(handshake.refused(error))))
    sys.stdout.buffer.flush()
    sys.stderr.write(message + "\n")
    return 1


def _note(home: Path, context: dict[str, Any]) -> None:
    # The kind of the exception and no more: its text could be a page's.
    kind = type(context.get("exception")).__name__
    log.append(home / "run", InternalError("internal_error", f"{kind} in the host's loop"))
