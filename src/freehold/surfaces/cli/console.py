"""The console for people: colours where there is a terminal, none in a pipe."""

from __future__ import annotations

from rich.console import Console


def console() -> Console:
    """Return the console. Lines are never folded, so that a path can be copied whole."""
    return Console(highlight=False, soft_wrap=True)
