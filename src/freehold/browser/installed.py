"""Which Chromium-family browsers are on this machine, and where each looks for its native messaging hosts."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from freehold.errors import UnavailableError

HOSTS_FOLDER = "NativeMessagingHosts"


@dataclass(frozen=True, slots=True)
class Family:
    """How one browser is called on each platform; an empty name means that it does not exist there."""

    name: str
    commands: tuple[str, ...]
    linux_data: str
    mac_app: str
    mac_data: str
    flatpak: str = ""
    snap: str = ""


# In the order in which one is chosen to be started; Chromium first, because it carries nobody's account.
FAMILIES = (
    Family(
        "Chromium",
        ("chromium", "chromium-browser"),
        "chromium",
        "Chromium",
        "Chromium",
        "org.chromium.Chromium",
        "chromium",
    ),
    Family(
        "Google Chrome",
        ("google-chrome-stable", "google-chrome"),
        "google-chrome",
        "Google Chrome",
        "Google/Chrome",
        "com.google.Chrome",
    ),
    Family(
        "Google Chrome Beta", ("google-chrome-beta",), "google-chrome-beta", "Google Chrome Beta", "Google/Chrome Beta"
    ),
    Family(
        "Google Chrome Dev",
        ("google-chrome-unstable",),
        "google-chrome-unstable",
        "Google Chrome Dev",
        "Google/Chrome Dev",
        "com.google.ChromeDev",
    ),
    Family(
        "Google Chrome Canary",
        ("google-chrome-canary",),
        "google-chrome-canary",
        "Google Chrome Canary",
        "Google/Chrome Canary",
    ),
    Family(
        "Microsoft Edge",
        ("microsoft-edge-stable", "microsoft-edge"),
        "microsoft-edge",
        "Microsoft Edge",
        "Microsoft Edge",
        "com.microsoft.Edge",
    ),
    Family(
        "Brave",
        ("brave-browser-stable", "brave-browser", "brave"),
        "BraveSoftware/Brave-Browser",
        "Brave Browser",
        "BraveSoftware/Brave-Browser",
        "com.brave.Browser",
        "brave",
    ),
    Family("Vivaldi", ("vivaldi-stable", "vivaldi"), "vivaldi", "Vivaldi", "Vivaldi", "com.vivaldi.Vivaldi"),
)


@dataclass(frozen=True, slots=True)
class Machine:
    """Where to look.

    `system` as `platform.system()` names it, the user's `home` and `config` folders, the command `search` path, and the
    file system's `root`.
    """

    system: str
    home: Path
    config: Path
    search: str
    root: Path = Path("/")

    @classmethod
    def this(cls, environment: Mapping[str, str] = os.environ) -> Machine:
        """Return the machine this process runs on, as a browser started by this user would see it."""
        home = Path(environment.get("HOME") or Path.home())
        # Chrome on Linux reads these two, in this order, to find its configuration folder.
        config = environment.get("CHROME_CONFIG_HOME") or environment.get("XDG_CONFIG_HOME")
        # An entry such as "." would let a repository choose the browser that is started.
        search = [entry for entry in environment.get("PATH", os.defpath).split(os.pathsep) if Path(entry).is_absolute()]
        return cls(platform.system(), home, Path(config or home / ".config"), os.pathsep.join(search))


@dataclass(frozen=True, slots=True)
class Installed:
    """One browser of this user's.

    `executable` is None when only its data were found. `confined` is "snap" or "flatpak" for a browser whose sandbox
    lets it start no program outside, and so no native messaging host; empty otherwise.
    """

    name: str
    executable: Path | None
    user_data: Path
    host_folders: tuple[Path, ...]
    confined: str = ""

    @property
    def advice(self) -> str:
        """Say what to do about a confined browser; empty for any other."""
        if not self.confined:
            return ""
        return (
            f"{self.name} is a {self.confined.capitalize()} here and cannot start a program outside its sandbox. "
            f"Install it as a package of your system or from its maker, or run: freehold browser launch"
        )


def installed(machine: Machine) -> tuple[Installed, ...]:
    """Return every browser found, by its command or by the data it keeps; the confined ones last."""
    found = [browser for family in FAMILIES if (browser := _native(family, machine))]
    confined = [browser for family in FAMILIES for browser in _confined(family, machine)]
    return (*found, *confined)


def at(user_data: Path) -> Installed:
    """Return the browser that keeps its data in `user_data`, whichever it is."""
    folder = user_data.expanduser().absolute()
    return Installed(str(folder), None, folder, (folder / HOSTS_FOLDER,))


def executable(machine: Machine, chosen: str = "") -> Path:
    """Return the browser to start: `chosen` (a path or a command), else the first one installed.

    Raises `UnavailableError` (`browser_not_found`) that says what was looked for.
    """
    if chosen:
        if found := shutil.which(str(Path(chosen).expanduser()), path=machine.search):
            return Path(found).absolute()
        message = f"There is no program {chosen!r}. Name an installed Chromium, or none to take the first one found."
        raise UnavailableError("browser_not_found", message, {"executable": chosen})
    browsers = installed(machine)
    for browser in browsers:
        if browser.executable and not browser.confined:
            return browser.executable
    raise UnavailableError("browser_not_found", _nothing_found(browsers, machine))


def _nothing_found(browsers: tuple[Installed, ...], machine: Machine) -> str:
    names = ", ".join(family.name for family in FAMILIES)
    install = "brew install --cask chromium" if machine.system == "Darwin" else "sudo apt-get install chromium"
    advice = next((f" {browser.advice}." for browser in browsers if browser.confined), "")
    return f"No browser to start was found (looked for {names}).{advice} For example: {install}"


def _native(family: Family, machine: Machine) -> Installed | None:
    if machine.system == "Darwin":
        program, data = _mac_app(family, machine), machine.home / "Library/Application Support" / family.mac_data
    else:
        program, data = _command(family, machine), machine.config / family.linux_data
    if program is None and not data.is_dir():
        return None
    folders = [data / HOSTS_FOLDER]
    if machine.system == "Darwin" and family.name == "Brave":
        # Brave on macOS reads Chrome's folder instead of its own (brave-browser#5272, keepassxc#13429).
        folders.append(machine.home / "Library/Application Support/Google/Chrome" / HOSTS_FOLDER)
    return Installed(family.name, program, data, tuple(folders))


def _mac_app(family: Family, machine: Machine) -> Path | None:
    for base in (machine.root, machine.home):
        program = base / "Applications" / f"{family.mac_app}.app" / "Contents/MacOS" / family.mac_app
        if program.is_file():
            return program
    return None


def _command(family: Family, machine: Machine) -> Path | None:
    for command in family.commands:
        found = shutil.which(command, path=machine.search)
        if found and not _starts_a_snap(Path(found)):
            return Path(found).absolute()
    return None


def _starts_a_snap(program: Path) -> bool:
    """Tell a snap, and Ubuntu's `chromium-browser`, which is a shell script that starts one."""
    if "snap" in program.resolve().parts or program.parent.parts[-2:] == ("snap", "bin"):
        return True
    with program.open("rb") as file:
        start = file.read(4096)
    return start.startswith(b"#!") and b"/snap/bin/" in start


def _confined(family: Family, machine: Machine) -> list[Installed]:
    found: list[Installed] = []
    if family.snap:
        program, data = machine.root / "snap/bin" / family.snap, machine.home / "snap" / family.snap / "common"
        if program.exists() or data.is_dir():
            found.append(Installed(family.name, program, data, (), "snap"))
    if family.flatpak:
        data = machine.home / ".var/app" / family.flatpak
        exports = (machine.root / "var/lib/flatpak/exports/bin", machine.home / ".local/share/flatpak/exports/bin")
        programs = [folder / family.flatpak for folder in exports if (folder / family.flatpak).exists()]
        if programs or data.is_dir():
            found.append(Installed(family.name, programs[0] if programs else None, data, (), "flatpak"))
    return found
