"""The command line of a browser of our own."""

from __future__ import annotations

import os
import platform
from pathlib import Path

from freehold.errors import UnavailableError

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


def command(program: Path, profile: Path, headless: bool) -> list[str]:
    """Return the words that start `program`.

    Raises `UnavailableError` (`browser_failed`) for a window without a display.
    """
    _require_display(headless)
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


def notes() -> tuple[str, ...]:
    """Return what the user should know of how the browser runs."""
    if os.geteuid() != 0:
        return ()
    return ("Running as root: the browser runs without its sandbox. Use an ordinary user for pages you do not trust.",)


def _require_display(headless: bool) -> None:
    if headless or platform.system() == "Darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return
    raise UnavailableError("browser_failed", "There is no display for a window. Add --headless, or set DISPLAY.")
