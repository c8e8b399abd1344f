"""Machines made of empty files, with the browsers a test wants on them."""

from __future__ import annotations

from pathlib import Path

from freehold.browser.installed import Machine


def linux(base: Path, *commands: str) -> Machine:
    """Return a Linux machine under `base` with `commands` installed in its /usr/bin."""
    machine = Machine("Linux", base / "home", base / "home/.config", str(base / "usr/bin"), base)
    machine.config.mkdir(parents=True)
    for command in commands:
        program(base / "usr/bin" / command)
    return machine


def mac(base: Path, *apps: str) -> Machine:
    """Return a Mac under `base` with `apps` in /Applications."""
    machine = Machine("Darwin", base / "Users/me", base / "Users/me/.config", str(base / "usr/bin"), base)
    machine.home.mkdir(parents=True)
    for app in apps:
        program(base / f"Applications/{app}.app/Contents/MacOS/{app}")
    return machine


def program(file: Path, text: str = "#!/bin/sh\n") -> Path:
    """Make an executable file."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    file.chmod(0o755)
    return file
