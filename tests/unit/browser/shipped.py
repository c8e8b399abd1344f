"""A small extension, as if it were shipped."""

from __future__ import annotations

import json
from pathlib import Path


def extension(folder: Path, *, version: str = "0.1.0", key: str = "our key", code: str = "one") -> Path:
    """Write an extension into `folder` and return it."""
    (folder / "background").mkdir(parents=True, exist_ok=True)
    (folder / "manifest.json").write_text(json.dumps({"name": "Freehold", "version": version, "key": key}))
    (folder / "background/main.js").write_text(code)
    return folder
