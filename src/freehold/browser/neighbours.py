"""Other products in the user's browsers that do what Freehold does: worth naming when something does not work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from freehold.bridge.endpoint import EXTENSION_ID, HOST_NAME


def hosts(host_folder: Path) -> list[str]:
    """Return the names of the other native messaging hosts registered in `host_folder`."""
    return sorted(file.stem for file in host_folder.glob("*.json") if file.stem != HOST_NAME)


def debuggers(user_data: Path) -> list[str]:
    """Return the names of the other extensions, in any profile of `user_data`, that may use `chrome.debugger`.

    Chrome keeps an installed extension at `<profile>/Extensions/<id>/<version>/`.
    """
    found: set[str] = set()
    for file in user_data.glob("*/Extensions/*/*/manifest.json"):
        extension = file.parent.parent.name
        manifest = _read(file)
        if extension != EXTENSION_ID and "debugger" in manifest.get("permissions", ()):
            name = str(manifest.get("name", ""))
            # A translated name is a key into _locales; the id is at least true.
            found.add(extension if not name or name.startswith("__MSG_") else f"{name} ({extension})")
    return sorted(found)


def _read(file: Path) -> dict[str, Any]:
    try:
        return msgspec.json.decode(file.read_bytes(), type=dict[str, Any])
    except (OSError, msgspec.DecodeError):
        return {}
