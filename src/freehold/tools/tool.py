"""A tool is data plus a handler; every surface renders itself from it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

import msgspec

from freehold.errors import UsageError
from freehold.tools.result import ToolResult

_PLACE = re.compile(r"at `\$\.(\w+)")
"""Where msgspec says that a fault is."""


class Arguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of every tool's arguments: one definition validates, documents and yields the JSON Schema."""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool.

    `handler` takes the context of the tool's `group` (a `browser.session.Session` for browser tools, a
    `tools.memory.project_memory.ProjectMemory` for memory tools, an `archive.archive.Archive` for archive tools) and
    the parsed arguments. `read_only` and `destructive` are MCP's hints. `uses_model`: the handler takes a
    `Completer | None` as its third argument, the model that this call may ask.
    """

    name: str
    description: str
    arguments: type[Arguments]
    handler: Callable[..., Awaitable[ToolResult]]
    group: str = "browser"
    read_only: bool = False
    destructive: bool = False
    uses_model: bool = False

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the arguments, self-contained; `description` stands for the type's own."""
        schema = msgspec.json.schema(self.arguments)
        definitions: dict[str, Any] = schema.get("$defs", {})
        body: dict[str, Any] = _inline(definitions.get(self.arguments.__name__, schema), definitions)
        return {key: value for key, value in body.items() if key != "description" and value != []}

    def parse(self, arguments: Mapping[str, Any]) -> Arguments:
        """Validate `arguments`; raise `UsageError` (`invalid_argument`) that names what is valid."""
        try:
            return msgspec.convert(dict(arguments), self.arguments)
        except msgspec.ValidationError as error:
            message = f"{self.name}: {error}. {self._valid(str(error))}"
            raise UsageError("invalid_argument", message, {"tool": self.name}) from error

    def _valid(self, fault: str) -> str:
        """Return the values of the argument at fault where it takes certain ones only, else the arguments there are."""
        properties: dict[str, Any] = self.schema().get("properties", {})
        place = _PLACE.search(fault)
        if place and (choices := properties.get(place[1], {}).get("enum")):
            return f"Valid values of {place[1]}: {', '.join(map(str, choices))}."
        return f"Valid arguments: {', '.join(properties) or 'none'}."


def _inline(node: Any, definitions: dict[str, Any]) -> Any:
    """Resolve references; leave out titles and the null of arguments that may be left out: they only cost tokens."""
    if isinstance(node, list):
        return [_inline(item, definitions) for item in cast("list[Any]", node)]
    if not isinstance(node, dict):
        return node
    schema = cast("dict[str, Any]", node)
    if "$ref" in schema:
        return _inline(definitions[schema["$ref"].rsplit("/", 1)[-1]], definitions)
    kept = {key: _inline(value, definitions) for key, value in schema.items() if key not in {"title", "properties"}}
    if "properties" in schema:
        # Its keys are the arguments' names, and one of them may be title.
        properties: dict[str, Any] = schema["properties"]
        kept["properties"] = {name: _inline(value, definitions) for name, value in properties.items()}
    return _without_null(kept)


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    if schema.get("default", ...) is None:
        del schema["default"]
    choices = [choice for choice in schema.get("anyOf", []) if choice != {"type": "null"}]
    if len(choices) == 1:
        rest = {key: value for key, value in schema.items() if key != "anyOf"}
        return {**choices[0], **rest}
    return schema
