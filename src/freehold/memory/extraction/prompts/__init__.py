"""The words that models are given, one file each."""

from __future__ import annotations

from pathlib import Path


def prompt(*names: str) -> str:
    """Return the prompt files `names`, one after the other."""
    return "\n".join(Path(__file__).with_name(f"{name}.md").read_text(encoding="utf-8") for name in names)
