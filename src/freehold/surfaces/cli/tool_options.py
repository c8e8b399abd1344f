"""A tool's arguments as command-line options, made from its JSON Schema; typer does all the reading."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

import msgspec
import typer

from freehold.errors import UsageError
from freehold.tools.tool import Tool

_PREFIX = "tool_"
_TYPES: dict[str, type] = {"string": str, "integer": int, "number": float, "boolean": bool}


def with_options(function: Callable[..., int], tool: Tool, own: Mapping[str, tuple[Any, Any]]) -> Callable[..., int]:
    """Return `function` with one option an argument of `tool`, and its `own` ones: name → (type, default)."""

    def command(**given: Any) -> int:
        return function(**given)

    schema = tool.schema()
    properties: dict[str, Any] = schema.get("properties", {})
    needed = schema.get("required", ())
    typed = {_PREFIX + name: (_option(name, one, required=name in needed), None) for name, one in properties.items()}
    typed |= own
    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = [inspect.Parameter(n, keyword, default=d, annotation=a) for n, (a, d) in typed.items()]
    command.__signature__ = inspect.Signature(parameters)  # pyright: ignore[reportFunctionMemberAccess]
    command.__annotations__ = {name: annotation for name, (annotation, _) in typed.items()}
    return command


def values(tool: Tool, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tool's arguments among what typer read; those left out are not there."""
    properties: dict[str, Any] = tool.schema().get("properties", {})
    read = {name.removeprefix(_PREFIX): value for name, value in given.items() if value is not None and value != []}
    return {name: _value(tool, name, properties[name], value) for name, value in read.items()}


def _option(name: str, schema: Mapping[str, Any], *, required: bool) -> Any:
    plain = _plain(schema)
    # Spelled as agents and JSON spell it, so that there is one name to learn.
    spelled = f"--{name}/--no-{name}" if plain.get("type") == "boolean" else f"--{name}"
    option = typer.Option(
        spelled, help=_help(plain, schema, required=required), show_default=False, metavar=_metavar(plain)
    )
    return Annotated[_type(plain) | None, option]  # pyright: ignore[reportInvalidTypeForm]


def _help(plain: Mapping[str, Any], schema: Mapping[str, Any], *, required: bool) -> str:
    described = plain.get("description") or schema.get("description") or ""
    choices = ", ".join(str(choice) for choice in plain.get("enum", ()))
    return "; ".join(part for part in (described, choices, "required" if required else "") if part)


def _metavar(plain: Mapping[str, Any]) -> str | None:
    if plain.get("enum"):
        return "CHOICE"
    if _is_list_of_text(plain):
        return "TEXT ..."
    return {"string": "TEXT", "integer": "INT", "number": "NUMBER", "boolean": None}.get(str(plain.get("type")), "JSON")


def _plain(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the one schema that stays when null is left out; the whole when there are several."""
    branches = [branch for branch in schema.get("anyOf", ()) if branch.get("type") != "null"]
    return branches[0] if len(branches) == 1 else schema


def _type(plain: Mapping[str, Any]) -> Any:
    if choices := plain.get("enum"):
        return Literal[tuple(str(choice) for choice in choices)]
    if _is_list_of_text(plain):
        return list[str]
    return _TYPES.get(str(plain.get("type")), str)


def _is_list_of_text(plain: Mapping[str, Any]) -> bool:
    items: Any = plain.get("items") or {}  # False where prefixItems names them all
    return plain.get("type") == "array" and items.get("type") == "string"


def _value(tool: Tool, name: str, schema: Mapping[str, Any], value: Any) -> Any:
    plain = _plain(schema)
    if plain.get("type") in _TYPES or plain.get("enum") or _is_list_of_text(plain):
        return value
    for text in (value, f"[{value}]") if plain.get("type") == "array" else (value,):
        try:
            return msgspec.json.decode(text)
        except msgspec.DecodeError:
            continue
    if any(branch.get("type") == "string" for branch in plain.get("anyOf", ())) or not plain.get(
        "type", plain.get("anyOf")
    ):
        return value
    raise UsageError("invalid_argument", f"{tool.name}: --{name} takes JSON, such as '[10, 20]'; {value!r} is none.")
