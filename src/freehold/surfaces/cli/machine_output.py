"""What `--json` prints."""

from __future__ import annotations

import sys
from typing import Any

import msgspec


def print_json(value: Any) -> None:
    """Print `value` as indented JSON."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n")
