"""Writes docs/tools.md and what `freehold mcp` lists from the catalogue; --check only says whether both still fit."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from freehold.surfaces.mcp.definition import definition
from freehold.surfaces.mcp.offer import FILE
from freehold.tools import catalog
from freehold.tools.tool import Tool

PAGE = Path(__file__).parent.parent / "docs" / "tools.md"
HEAD = """# The tools

Made from the catalogue by `scripts/tools_doc.py`; do not edit by hand. Every surface (MCP, the command line, Pi)
renders the same list. `tabId` may be left out everywhere: then the tab used last is meant.
"""


def main() -> int:
    """Write or check the page; 1 when a check finds a difference."""
    wanted = {PAGE: "\n".join([HEAD, *map(section, catalog.TOOLS)]), FILE: listed()}
    if "--check" not in sys.argv:
        for file, text in wanted.items():
            file.write_text(text, encoding="utf-8")
        return 0
    wrong = [file.name for file, text in wanted.items() if not file.is_file() or file.read_text("utf-8") != text]
    for name in wrong:
        print(f"{name} does not fit the catalogue. Run scripts/tools_doc.py.")
    return 1 if wrong else 0


def listed() -> str:
    """Return the tools by group as MCP tells them, a line each."""
    groups = [
        f"{json.dumps(group)}: [\n"
        + ",\n".join(
            json.dumps(definition(tool).model_dump(by_alias=True, exclude_none=True), ensure_ascii=False)
            for tool in catalog.of_groups([group])
        )
        + "\n]"
        for group in catalog.GROUPS
    ]
    return "{" + ",\n".join(groups) + "}\n"


def section(tool: Tool) -> str:
    """Render one tool."""
    schema = tool.schema()
    required = set(schema.get("required", []))
    hints = [name for name, holds in (("read-only", tool.read_only), ("destructive", tool.destructive)) if holds]
    lines = [f"## {tool.name}", "", f"{tool.description}{' *(' + ', '.join(hints) + ')*' if hints else ''}", ""]
    rows = [row(name, field, required=name in required) for name, field in schema.get("properties", {}).items()]
    if rows:
        lines += ["| argument | type | default | meaning |", "|---|---|---|---|", *rows, ""]
    return "\n".join(lines)


def row(name: str, field: dict[str, Any], *, required: bool) -> str:
    """Render one argument."""
    default = "required" if required else f"`{field['default']}`" if "default" in field else ""
    return f"| `{name}` | {kind(field)} | {default} | {field.get('description', '')} |"


def kind(field: dict[str, Any]) -> str:
    """Name the type of an argument and its bounds."""
    if "enum" in field:
        return " · ".join(f"`{value}`" for value in field["enum"])
    if "anyOf" in field:
        return " or ".join(map(kind, field["anyOf"]))
    if field.get("type") == "array":
        count = (
            f"{field['minItems']} numbers, "
            if field.get("minItems") == field.get("maxItems") and "minItems" in field
            else ""
        )
        return f"list of {count}{kind(field['items'])}"
    low, high = field.get("minimum"), field.get("maximum")
    bounds = f" {low} to {high}" if high is not None else f" from {low}" if low is not None else ""
    return f"{field['type']}{bounds}"


if __name__ == "__main__":
    sys.exit(main())
