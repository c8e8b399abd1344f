"""A browser for the tour alone: own profile, own Freehold folder, both gone afterwards. The user's stay untouched."""

from __future__ import annotations

import os
import tempfile
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from freehold.app.runtime import open_runtime
from freehold.browser.launch import launched
from freehold.surfaces.cli.tour.journey import Opened


@asynccontextmanager
async def own_browser(*, headless: bool) -> AsyncGenerator[Opened]:
    """Start a browser in a temporary folder and connect to it; leaving ends the browser and removes the folder.

    Raises `UnavailableError`: `browser_not_found` or `browser_failed`.
    """
    # A short prefix: the folder holds a Unix socket, whose whole path may have 104 bytes on macOS (sys/un.h).
    with tempfile.TemporaryDirectory(prefix="fh-", ignore_cleanup_errors=True) as folder, _living_in(Path(folder)):
        async with launched(headless=headless) as browser, open_runtime(session="tour") as runtime:
            yield Opened(runtime, browser.product)


@contextmanager
def _living_in(home: Path) -> Generator[None]:
    before = os.environ.get("FREEHOLD_HOME")
    os.environ["FREEHOLD_HOME"] = str(home)
    try:
        yield
    finally:
        if before is None:
            del os.environ["FREEHOLD_HOME"]
        else:
            os.environ["FREEHOLD_HOME"] = before
