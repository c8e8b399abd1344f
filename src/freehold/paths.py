"""Where Freehold keeps its files: one folder of the user's, named by `FREEHOLD_HOME` or the platform's data folder.

Nothing in a project can move it: only the user's own environment is read.
"""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def home() -> Path:
    """Return the folder of everything Freehold owns; it may not exist yet."""
    chosen = os.environ.get("FREEHOLD_HOME")
    return Path(chosen).absolute() if chosen else platformdirs.user_data_path("freehold", appauthor=False)


def pairing_key() -> Path:
    """Return the file of the pairing key (32 bytes, mode 0600)."""
    return home() / "pairing.key"


def run_folder() -> Path:
    """Return the folder (mode 0700) that holds the hosts' sockets."""
    return home() / "run"


def launcher() -> Path:
    """Return the script that a browser starts as native messaging host."""
    return home() / "freehold-host"


def extension() -> Path:
    """Return the folder of the user's copy of the extension, the one that Chrome loads unpacked."""
    return home() / "extension"


def profile() -> Path:
    """Return the user data folder of the browser that Freehold starts itself."""
    return home() / "profile"


def screenshots() -> Path:
    """Return the folder that `save_to_disk` writes to."""
    return home() / "screenshots"


def extension_source() -> Path:
    """Return the extension as shipped: beside the package in a wheel, at the top of a checkout otherwise."""
    package = Path(__file__).parent
    shipped = package / "extension"
    return shipped if shipped.is_dir() else package.parent.parent / "extension"
