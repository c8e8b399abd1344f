"""A Chromium of our own: started with the extension loaded, in a profile of its own, and ended with us.

Its native messaging host is the same as in the user's browser, so that everything above cannot tell the two apart.
"""

from __future__ import annotations

import os
import signal
import socket
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL
from typing import IO

import anyio
from anyio.abc import Process, UNIXSocketStream

from freehold import paths
from freehold.bridge import pairing
from freehold.bridge.endpoint import EXTENSION_ID
from freehold.browser import chrome_command, files, installed, manifest
from freehold.browser.devtools_pipe import DevtoolsPipe
from freehold.errors import UnavailableError

START_SECONDS = 45.0
_POLL_SECONDS = 0.02
_CLOSE_SECONDS = 5.0
_PROFILE_IN_USE = 21  # chrome/common/chrome_result_codes.h


@dataclass(frozen=True, slots=True)
class LaunchedBrowser:
    """A browser that runs and whose extension is connected.

    `product` is Chrome's own name and version, `socket` its host's, `devtools` its pipe,
    `notes` what its user should know, such as a sandbox that had to be left out.
    """

    process: Process
    product: str
    executable: Path
    profile: Path
    socket: Path
    notes: tuple[str, ...]
    devtools: DevtoolsPipe

    @property
    def pid(self) -> int:
        """Return the browser's process id."""
        return self.process.pid

    async def wait(self) -> int:
        """Wait until the browser ends and return its exit code."""
        return await self.process.wait()


@dataclass(frozen=True, slots=True)
class _Folders:
    home: Path
    profile: Path
    extension: Path


@asynccontextmanager
async def launched(
    *,
    headless: bool = True,
    executable: str = "",
    profile: Path | None = None,
    home: Path | None = None,
    extension: Path | None = None,
    start_seconds: float = START_SECONDS,
) -> AsyncGenerator[LaunchedBrowser, None]:
    """Start a browser with the extension and end it on leaving; it also ends when this process dies, however it does.

    `executable`: a path or command, else the first Chromium found. `profile`: its user data folder, else the one in
    `home`, which is else the user's. `extension`: the folder to load, else as shipped. `start_seconds` bounds the
    start. Raises `UnavailableError`: `browser_not_found`, or `browser_failed` for a browser that does not start, a
    profile in use, an extension that does not connect in time.
    """
    home = (home or paths.home()).absolute()
    profile = (profile or paths.profile(home)).absolute()
    folders = _Folders(home, profile, (extension or paths.extension_source()).absolute())
    program = installed.executable(installed.Machine.this(), executable)
    _prepare(home, profile)
    with tempfile.TemporaryFile() as errors:
        process, pipe = await _start(chrome_command.command(program, profile, headless), errors)
        try:
            product, listening = await _until_connected(process, pipe, folders, start_seconds, errors)
            yield LaunchedBrowser(process, product, program, profile, listening, chrome_command.notes(), pipe)
        finally:
            with anyio.CancelScope(shield=True):
                await _end(process, pipe)


def _prepare(home: Path, profile: Path) -> None:
    manifest.write_launcher(home)
    pairing.make(paths.pairing_key(home))
    hosts = profile / installed.HOSTS_FOLDER
    files.make_private(hosts)
    files.write(hosts / manifest.FILE_NAME, manifest.content(paths.launcher(home)), 0o600)


async def _start(command: list[str], errors: IO[bytes]) -> tuple[Process, DevtoolsPipe]:
    ours, theirs = socket.socketpair()
    try:
        process = await _open_process(command, theirs.fileno(), errors)
        ours.setblocking(False)
        return process, DevtoolsPipe(await UNIXSocketStream.from_socket(ours))
    except BaseException:
        ours.close()  # a browser that was started meanwhile ends with it
        raise
    finally:
        theirs.close()


async def _open_process(command: list[str], number: int, errors: IO[bytes]) -> Process:
    # Chrome wants descriptors 3 and 4; the shell moves ours there before it becomes the browser, with the same pid.
    # It comes as standard input: a shell need not know descriptors above 9 by number (POSIX, 2.7), and dash does not.
    # A session of its own keeps the terminal's Ctrl-C from it (we end it in order) and marks its host as its own.
    return await anyio.open_process(
        ["/bin/sh", "-c", 'exec "$@" 3<&0 4>&0 0</dev/null', "sh", *command],
        stdin=number,
        stdout=DEVNULL,
        stderr=errors,
        start_new_session=True,
    )


async def _until_connected(
    process: Process, pipe: DevtoolsPipe, folders: _Folders, seconds: float, errors: IO[bytes]
) -> tuple[str, Path]:
    try:
        with anyio.fail_after(seconds):
            product = (await pipe.call("Browser.getVersion"))["product"]
            await _load(pipe, folders.extension)
            return product, await _socket_of(process, paths.run_folder(folders.home))
    except TimeoutError as error:
        message = f"The browser did not connect within {seconds:g} s. Run: freehold doctor.{_last_words(errors)}"
        raise UnavailableError("browser_failed", message) from error
    except UnavailableError as error:
        with anyio.move_on_after(1):  # the pipe closes a moment before the process ends
            await process.wait()
        if process.returncode is None:
            raise
        raise _exited(process.returncode, folders.profile, errors) from error


async def _load(pipe: DevtoolsPipe, folder: Path) -> None:
    loaded = await pipe.call("Extensions.loadUnpacked", path=str(folder))
    if loaded.get("id") != EXTENSION_ID:
        message = f"The extension in {folder} has the id {loaded.get('id')}, not {EXTENSION_ID}: it is not ours."
        raise UnavailableError("browser_failed", message)


async def _socket_of(process: Process, run_folder: Path) -> Path:
    """Return the socket of the host that `process` started; it listens once the extension has said hello.

    Looked for again and again because neither Python nor anyio can wait for a file; the caller holds the deadline.
    """
    while process.returncode is None:
        for candidate in run_folder.glob("host-*.sock"):
            if _session_of(candidate) == process.pid:
                return candidate
        await anyio.sleep(_POLL_SECONDS)
    raise UnavailableError("browser_failed", "The browser ended before its extension connected.")


def _session_of(candidate: Path) -> int | None:
    """Return the session id of a host: the pid of the browser that started it, which leads a session of its own."""
    number = candidate.stem.removeprefix("host-")
    try:
        return os.getsid(int(number))
    except (ValueError, OSError):
        return None


def _exited(code: int, profile: Path, errors: IO[bytes]) -> UnavailableError:
    lock = profile / "SingletonLock"
    # With a window, a second browser hands over to the first and ends with 0; headless it ends with 21.
    if code == _PROFILE_IN_USE or (code == 0 and lock.is_symlink()):
        owner = lock.readlink().name.rpartition("-")[2] if lock.is_symlink() else "unknown"
        message = f"The profile {profile} is in use by another browser (process {owner}). End it, or name another."
        return UnavailableError("browser_failed", message, {"profile": str(profile), "pid": owner})
    message = f"The browser ended at once with exit code {code}.{_last_words(errors)}"
    return UnavailableError("browser_failed", message, {"exit_code": code})


def _last_words(errors: IO[bytes]) -> str:
    errors.seek(0)
    lines = [line.strip() for line in errors.read().decode(errors="replace").splitlines() if line.strip()]
    # Chrome complains of much that does no harm; what ends it is fatal.
    worst = [line for line in lines if ":FATAL:" in line] or lines
    return f" It said: {worst[-1]}" if worst else ""


async def _end(process: Process, pipe: DevtoolsPipe) -> None:
    with anyio.move_on_after(_CLOSE_SECONDS), suppress(UnavailableError):
        if process.returncode is None:
            await pipe.call("Browser.close")
    await pipe.aclose()
    with anyio.move_on_after(_CLOSE_SECONDS):
        await process.wait()
        await _until_group_is_gone(process.pid)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


async def _until_group_is_gone(group: int) -> None:
    """Let the host remove its socket and the rest end by itself, within milliseconds.

    Bounded, because the dead stay in the group until init collects them, which the init of a container may do late.
    """
    with anyio.move_on_after(0.5), suppress(ProcessLookupError, PermissionError):
        while True:
            os.killpg(group, 0)
            await anyio.sleep(_POLL_SECONDS)
