"""The user's settings as `freehold doctor` sees them."""

from __future__ import annotations

from freehold import config, paths
from freehold.browser.doctor import Check
from freehold.errors import UsageError


def check() -> Check:
    """Say whether the settings can be read; no tool can be called while they cannot."""
    file = paths.home() / config.FILE_NAME
    try:
        config.load()
    except UsageError as error:
        return Check("settings", "wrong", error.message, f"Edit {file}, or delete it: every setting has a default")
    return Check("settings", "ok", str(file) if file.exists() else "the defaults")
