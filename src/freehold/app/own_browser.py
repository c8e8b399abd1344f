"""Starting a browser of our own as the user's settings say."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from pathlib import Path

from freehold import config
from freehold.browser import launch
from freehold.browser.launch import LaunchedBrowser


def launched(
    *, headless: bool = True, executable: str = "", profile: Path | None = None
) -> AbstractAsyncContextManager[LaunchedBrowser]:
    """Start a browser with the extension; see `browser.launch.launched`. `executable` is else the settings' one."""
    return launch.launched(headless=headless, executable=executable or config.load().executable, profile=profile)
