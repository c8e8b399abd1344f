"""How the commands print: for people with colours where there is a terminal, for machines as JSON."""

from __future__ import annotations

import sys
from typing import Any

import msgspec
from rich.console import Console


def console() -> Console:
    """Return the console for people. Lines are never folded, so that a path can be copied whole."""
    return Console(highlight=False, soft_wrap=True)


def print_json(value: Any) -> None:
    """Print `value` as indented JSON."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n")
