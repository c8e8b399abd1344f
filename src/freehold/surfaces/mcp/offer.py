"""The tools as `tools/list` tells them, read from `tools.json` beside, which is made from the catalogue.

Building the list from the catalogue itself would import every tool and what it works with before the first answer:
0.2 s more than the SDK's own 0.9 s. A gate keeps the file like the catalogue.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mcp_types as types

FILE = Path(__file__).parent / "tools.json"


def offered(groups: tuple[str, ...]) -> list[types.Tool]:
    """Return the tools of `groups`; raise `UsageError` for a group that does not exist, and for none at all."""
    listed: dict[str, list[dict[str, Any]]] = json.loads(FILE.read_text(encoding="utf-8"))
    if not groups or any(group not in listed for group in groups):
        from freehold.tools import catalog  # noqa: PLC0415 - see above; it says which groups there are

        catalog.of_groups(groups)
    return [types.Tool.model_validate(tool) for group, tools in listed.items() if group in groups for tool in tools]
