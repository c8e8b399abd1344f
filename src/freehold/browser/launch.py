"""A Chromium of our own: started with the extension loaded, in a profile of its own, and ended with us.

Its native messaging host is the same as in the user's browser, so that everything above cannot tell the two apart.
"""

from __future__ import annotations

import os
import platform
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
from freehold.browser import files, installed, manifest
from freehold.browser.devtools_pipe import DevtoolsPipe
from freehold.errors import UnavailableError

START_SECONDS = 45.0
_POLL_SECONDS = 0.02
_CLOSE_SECONDS = 5.0
_PROFILE_IN_USE = 21  # chrome/common/chrome_result_codes.h
_SMALL_SHM = 512 << 20

_FLAGS = (
    "--remote-debugging-pipe",
    "--enable-unsafe-extension-debugging",  # branded Chrome answers Extensions.* only with it
    "--silent-debugger-extension-api",  # else an infobar shrinks every page by 57 px
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--disable-search-engine-choice-screen",
    "--hide-crash-restore-bubble",
    "--password-store=basic",  # no keyring may ask for a password
    "--use-mock-keychain",
)


@dataclass(frozen=True, slots=True)
class LaunchedBrowser:
    """A browser that runs and whose extension is connected.

    `product` is Chrome's own name and version, `socket` its host's, `notes` what its user should know, such as a sandbox
    that had to be left out.
    """

    process: Process
    product: str
    executable: Path
    profile: Path
    socket: Path
    notes: tuple[str, ...]

    @property
    def pid(self) -> int:
        """Return the browser's process id."""
        return self.process.pid

    async def wait(self) -> int:
        """Wait until the browser ends and return its exit code."""
        return await self.process.wait()


@asynccontextmanager
async def launched(
    *,
    headless: bool = True,
    executable: str = "",
    profile: Path | None = None,
    home: Path | None = None,
    start_seconds: float = START_SECONDS,
) -> AsyncGenerator[LaunchedBrowser]:
    """Start a browser with the extension and end it on leaving; it also ends when this process dies, however that happens.

    `executable`: a path or command, else the first Chromium found. `profile`: its user data folder, else the one in
    `home`, which is else the user's. `start_seconds` bounds the start. Raises `UnavailableError`: `browser_not_found`, or
    `browser_failed` for a browser that does not start, a profile in use, or an extension that does not connect in time.
    """
    home = (home or paths.home()).absolute()
    folder = (profile or paths.profile(home)).absolute()
    program = installed.executable(installed.Machine.this(), executable)
    _require_display(headless)
    _prepare(home, folder)
    with tempfile.TemporaryFile() as errors:
        process, pipe = await _start(_command(program, folder, headless), errors)
        try:
            product, listening = await _until_connected(
                process, pipe, paths.run_folder(home), start_seconds, folder, errors
            )
            yield LaunchedBrowser(process, product, program, folder, listening, _notes())
        finally:
            with anyio.CancelScope(shield=True):
                await _end(process, pipe)


def _require_display(headless: bool) -> None:
    if headless or platform.system() == "Darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return
    raise UnavailableError("browser_failed", "There is no display for a window. Add --headless, or set DISPLAY.")


def _prepare(home: Path, profile: Path) -> None:
    manifest.write_launcher(home)
    pairing.make(paths.pairing_key(home))
    hosts = profile / installed.HOSTS_FOLDER
    files.make_private(hosts)
    files.write(hosts / manifest.FILE_NAME, manifest.content(paths.launcher(home)), 0o600)


def _command(program: Path, profile: Path, headless: bool) -> list[str]:
    flags = [*_FLAGS, f"--user-data-dir={profile}"]
    if headless:
        flags += ["--headless=new", "--disable-gpu", "--window-size=1280,800"]
    if os.geteuid() == 0:
        flags.append("--no-sandbox")
    if platform.system() == "Linux" and not _roomy_shared_memory():
        flags.append("--disable-dev-shm-usage")
    return [str(program), *flags, "about:blank"]


def _roomy_shared_memory() -> bool:
    """Containers often come with 64 MB of /dev/shm or none, in which tabs crash."""
    try:
        status = os.statvfs("/dev/shm")  # noqa: S108 - asked about, not written to
    except OSError:
        return False
    return status.f_frsize * status.f_blocks >= _SMALL_SHM


def _notes() -> tuple[str, ...]:
    if os.geteuid() != 0:
        return ()
    return ("Running as root: the browser runs without its sandbox. Use an ordinary user for pages you do not trust.",)


async def _start(command: list[str], errors: IO[bytes]) -> tuple[Process, DevtoolsPipe]:
    ours, theirs = socket.socketpair()
    with theirs:
        ours.setblocking(False)
        # Chrome wants descriptors 3 and 4; the shell moves ours there before it becomes the browser, which keeps the pid.
        # It comes as standard input: a shell need not know descriptors above 9 by number (POSIX, 2.7), and dash does not.
        # A session of its own keeps the terminal's Ctrl-C from it (we end it in order) and tells its host's processes.
        process = await anyio.open_process(
            ["/bin/sh", "-c", 'exec "$@" 3<&0 4>&0 0</dev/null', "sh", *command],
            stdin=theirs.fileno(),
            stdout=DEVNULL,
            stderr=errors,
            start_new_session=True,
        )
    return process, DevtoolsPipe(await UNIXSocketStream.from_socket(ours))


async def _until_connected(
    process: Process, pipe: DevtoolsPipe, run_folder: Path, seconds: float, profile: Path, errors: IO[bytes]
) -> tuple[str, Path]:
    try:
        with anyio.fail_after(seconds):
            product = (await pipe.call("Browser.getVersion"))["product"]
            await _load_extension(pipe)
            return product, await _socket_of(process, run_folder)
    except TimeoutError as error:
        message = f"The browser did not connect within {seconds:g} s. Run: freehold doctor{_last_words(errors)}"
        raise UnavailableError("browser_failed", message) from error
    except UnavailableError as error:
        with anyio.move_on_after(1):  # the pipe closes a moment before the process ends
            await process.wait()
        if process.returncode is None:
            raise
        raise _exited(process.returncode, profile, errors) from error


async def _load_extension(pipe: DevtoolsPipe) -> None:
    folder = paths.extension_source()
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
    """Return the session id of a host: that of the browser which started it, because the browser leads its own session."""
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
        message = f"The profile {profile} is in use by another browser (process {owner}). End that one, or name another profile."
        return UnavailableError("browser_failed", message, {"profile": str(profile), "pid": owner})
    message = f"The browser ended at once with exit code {code}.{_last_words(errors)}"
    return UnavailableError("browser_failed", message, {"exit_code": code})


def _last_words(errors: IO[bytes]) -> str:
    errors.seek(0)
    lines = [line for line in errors.read().decode(errors="replace").splitlines() if line.strip()]
    return f" It said: {lines[-1].strip()}" if lines else ""


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
