"""Where Freehold keeps its files: one folder of the user's, named by `FREEHOLD_HOME` or the platform's data folder.

Nothing in a project can move it: only the user's own environment is read. `base`, where a function takes it, stands in
for `home()`.
"""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def home() -> Path:
    """Return the folder of everything Freehold owns; it may not exist yet."""
    chosen = os.environ.get("FREEHOLD_HOME")
    return Path(chosen).absolute() if chosen else platformdirs.user_data_path("freehold", appauthor=False)


def pairing_key(base: Path | None = None) -> Path:
    """Return the file of the pairing key (32 bytes, mode 0600)."""
    return (base or home()) / "pairing.key"


def run_folder(base: Path | None = None) -> Path:
    """Return the folder (mode 0700) that holds the hosts' sockets."""
    return (base or home()) / "run"


def launcher(base: Path | None = None) -> Path:
    """Return the script that a browser starts as native messaging host."""
    return (base or home()) / "freehold-host"


def extension(base: Path | None = None) -> Path:
    """Return the folder of the user's copy of the extension, the one that Chrome loads unpacked."""
    return (base or home()) / "extension"


def profile(base: Path | None = None) -> Path:
    """Return the user data folder of the browser that Freehold starts itself."""
    return (base or home()) / "profile"


def setup_record(base: Path | None = None) -> Path:
    """Return the file that says what `freehold setup` wrote, so that it can be undone."""
    return (base or home()) / "setup.json"


def screenshots(base: Path | None = None) -> Path:
    """Return the folder that `save_to_disk` writes to."""
    return (base or home()) / "screenshots"


def archive(base: Path | None = None) -> Path:
    """Return the SQLite file of the user's own archive of conversations and memories."""
    return (base or home()) / "archive" / "archive.db"


def agent_folder() -> Path:
    """Return Pi's folder, where agents keep what is theirs: `PI_CODING_AGENT_DIR`, else `~/.pi/agent`."""
    chosen = os.environ.get("PI_CODING_AGENT_DIR")
    return Path(chosen).expanduser().absolute() if chosen else Path.home() / ".pi" / "agent"


def project_memory(base: Path | None = None) -> Path:
    """Return the folder of all projects' memories; `base` stands in for `agent_folder()`."""
    return (base or agent_folder()) / "project-memory"


def cache(base: Path | None = None) -> Path:
    """Return the folder of what can be made anew, such as search indexes: in `FREEHOLD_HOME`, else the platform's."""
    if base or os.environ.get("FREEHOLD_HOME"):
        return (base or home()) / "cache"
    return platformdirs.user_cache_path("freehold", appauthor=False)


def extension_source() -> Path:
    """Return the extension as shipped: beside the package in a wheel, at the top of a checkout otherwise."""
    return _shipped("extension")


def pi_package_source() -> Path:
    """Return Pi's package as shipped: beside the package in a wheel, at the top of a checkout otherwise."""
    return _shipped("pi")


def _shipped(name: str) -> Path:
    package = Path(__file__).parent
    inside = package / name
    return inside if inside.is_dir() else package.parent.parent / name
