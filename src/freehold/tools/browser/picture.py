"""Pictures as results: to the agent, and to a file where asked."""

from __future__ import annotations

import os
import time
from pathlib import Path

from freehold import paths
from freehold.browser.screenshot import Picture
from freehold.tools.result import Image, ToolResult


def result(picture: Picture, *, save: bool) -> ToolResult:
    """Return the picture with its size, and the path of its file with `save`."""
    said = f"{picture.width}x{picture.height}"
    data: dict[str, object] = {"width": picture.width, "height": picture.height}
    if save:
        file = _write(picture)
        said += f", saved to {file}"
        data["path"] = str(file)
    return ToolResult(said, (Image(picture.data, picture.mime_type),), data)


def _write(picture: Picture) -> Path:
    """Write to the user's own folder: pictures of a logged-in browser are nobody else's to read."""
    folder = paths.screenshots()
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    ending = "png" if picture.mime_type == "image/png" else "jpg"
    file = folder / f"{time.strftime('%Y%m%d-%H%M%S')}-{time.monotonic_ns() % 10**9:09}.{ending}"
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as opened:
        opened.write(picture.data)
    return file
