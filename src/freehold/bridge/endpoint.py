"""Where the two ends of the bridge meet: the extension's id, the host's name and the folder of the hosts' sockets."""

from __future__ import annotations

import os
import re
import socket
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from freehold.errors import DeniedError

EXTENSION_ID = "miekdeamhiphlafmedocjjhkghdjjmjm"
EXTENSION_ORIGIN = f"chrome-extension://{EXTENSION_ID}/"
HOST_NAME = "io.freehold.host"

BACKLOG = 128

# sun_path holds 108 bytes on Linux and 104 on macOS and the BSDs, the closing zero included; the smaller serves both.
_PATH_BYTES = 103
_NAME = re.compile(r"host-\d+\.sock")


def socket_path(run_folder: Path, pid: int) -> Path:
    """Return the socket of the host `pid`."""
    return run_folder / f"host-{pid}.sock"


def prepare(run_folder: Path) -> None:
    """Make the run folder (mode 0700) where it is missing; raise as `check` does where it is not ours alone."""
    run_folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with suppress(FileExistsError):
        run_folder.mkdir(mode=0o700)
    check(run_folder)


def check(run_folder: Path) -> None:
    """Raise `DeniedError` (`permissions_unsafe`) when another user could put or take away a socket in `run_folder`."""
    _check_folder(run_folder.parent, forbidden=0o022)
    if run_folder.is_symlink():
        raise _unsafe(run_folder, "is a symbolic link")
    _check_folder(run_folder, forbidden=0o077)


def listen(path: Path) -> socket.socket:
    """Return a listening socket (mode 0600) at `path`, in place of whatever a dead host left there.

    It gets its name only once it listens, so that a socket that refuses a connection is always a stale one.
    """
    scratch = path.with_name(f".{path.name}")
    scratch.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        with reachable(scratch) as short:
            listener.bind(short)
        scratch.chmod(0o600)
        listener.listen(BACKLOG)
        scratch.rename(path)
    except OSError:
        listener.close()
        scratch.unlink(missing_ok=True)
        raise
    return listener


def sockets(run_folder: Path) -> list[Path]:
    """Return the sockets of live hosts, newest first; those of dead ones are removed. No folder means no host.

    Raises `DeniedError` (`permissions_unsafe`) when the folder is not this user's alone.
    """
    try:
        check(run_folder)
        found = [path for path in run_folder.iterdir() if _NAME.fullmatch(path.name)]
    except FileNotFoundError:
        return []
    aged = [(age, path) for path in found if (age := _age_of_live(path)) is not None]
    return [path for _, path in sorted(aged, reverse=True)]


def remove_stale(path: Path) -> bool:
    """Remove the socket at `path` if nobody listens on it; return whether it is gone.

    The connection decides, not the pid: a killed host keeps its pid until the browser has reaped it, pids are reused,
    and a host in another pid namespace looks dead from here.
    """
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe, reachable(path) as short:
            probe.setblocking(False)
            probe.connect(short)
    except FileNotFoundError:
        return True
    except ConnectionRefusedError:
        path.unlink(missing_ok=True)
        return True
    except BlockingIOError:
        return False
    return False


@contextmanager
def reachable(path: Path) -> Generator[str]:
    """Give a name of `path` that fits into a socket address, for as long as it takes to bind or connect.

    A longer path is reached through a link in a new folder of our own in /tmp.
    """
    if len(os.fsencode(path)) <= _PATH_BYTES:
        yield str(path)
        return
    folder = Path("/tmp") / f"freehold-{os.urandom(12).hex()}"  # noqa: S108 - TMPDIR may be as long as the path itself
    folder.mkdir(mode=0o700)
    link = folder / "run"
    try:
        link.symlink_to(path.parent)
        yield str(link / path.name)
    finally:
        link.unlink(missing_ok=True)
        folder.rmdir()


def _age_of_live(path: Path) -> tuple[int, str] | None:
    if remove_stale(path):
        return None
    try:
        return path.stat().st_mtime_ns, path.name
    except FileNotFoundError:
        return None


def _check_folder(folder: Path, forbidden: int) -> None:
    facts = folder.stat()
    if not stat.S_ISDIR(facts.st_mode):
        raise _unsafe(folder, "is not a folder")
    if facts.st_uid != os.geteuid():
        raise _unsafe(folder, f"belongs to user {facts.st_uid}")
    if facts.st_mode & forbidden:
        raise _unsafe(folder, f"has mode {stat.S_IMODE(facts.st_mode):04o}")


def _unsafe(folder: Path, what: str) -> DeniedError:
    message = f"{folder} {what}, so another user could stand in for the browser. Run `chmod 700 {folder}` as its owner."
    return DeniedError("permissions_unsafe", message, {"path": str(folder)})
