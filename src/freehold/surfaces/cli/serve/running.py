"""The server in the foreground of a terminal, or under a service manager."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from freehold.server import run
from freehold.server.run import Options
from freehold.surfaces.cli.serve.opened import told


def serve(place: Path | str, *, host: str, port: int, names: Sequence[str], verbose: bool) -> None:
    """Serve the archive at `place` until told to stop."""
    options = Options(database=place, host=host, port=port, names=names, verbose=verbose)
    with told():
        run.serve(options, ready=partial(_say, keys=run.needs_keys(host)))


def _say(address: str, name: str, *, keys: bool) -> None:
    print(f"Freehold's archive is at {address} ({name}).", flush=True)
    if keys:
        print("Every client needs a key: freehold serve keys add NAME.", flush=True)
