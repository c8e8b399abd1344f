"""The OpenAPI description, made from the operations."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec

from freehold import __version__
from freehold.server.operation import Operation

_NAME = re.compile(r"\{(\w+)\}")
_ERROR = {
    "type": "object",
    "required": ["detail", "error_code", "retryable"],
    "properties": {
        "detail": {"type": "string"},
        "error_code": {"type": "string"},
        "retryable": {"type": "boolean"},
    },
}
_PATH_NAME = {"type": "string", "minLength": 1, "maxLength": 512, "pattern": r"^[^\x00-\x1f\x7f]+$"}


def description(operations: Iterable[Operation]) -> dict[str, Any]:
    """Return the description of `operations`, OpenAPI 3.1."""
    known = list(operations)
    structs = [struct for each in known for struct in (each.body, each.query) if struct is not None]
    _, schemas = msgspec.json.schema_components(structs, ref_template="#/components/schemas/{name}")
    paths: dict[str, dict[str, Any]] = {}
    for each in known:
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Freehold's archive", "version": __version__, "description": "nmem's REST API."},
        "paths": paths,
        "components": {
            "schemas": {**schemas, "Error": _ERROR},
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"key": []}],
    }


def _operation(operation: Operation, schemas: dict[str, Any]) -> dict[str, Any]:
    name = re.sub(r"\W+", "_", f"{operation.method.lower()}_{operation.path}").strip("_")
    found: dict[str, Any] = {
        "operationId": name,
        "summary": operation.summary,
        "parameters": [
            {"name": each, "in": "path", "required": True, "schema": _PATH_NAME}
            for each in _NAME.findall(operation.path)
        ],
        "responses": _responses(operation),
    }
    if operation.query is not None:
        found["parameters"] += _parameters(operation.query, schemas)
    if operation.body is not None:
        schema = {"$ref": f"#/components/schemas/{operation.body.__name__}"}
        required = not operation.optional_body
        found["requestBody"] = {"required": required, "content": {"application/json": {"schema": schema}}}
    return found


def _parameters(struct: type[msgspec.Struct], schemas: dict[str, Any]) -> list[dict[str, Any]]:
    schema: dict[str, Any] = schemas[struct.__name__]
    required: list[str] = schema.get("required", [])
    return [
        {"name": name, "in": "query", "required": name in required, "schema": _without_null(each)}
        for name, each in schema.get("properties", {}).items()
    ]


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return what a parameter may be: a query has no null, it leaves the parameter out."""
    choices = [choice for choice in schema.get("anyOf", []) if choice != {"type": "null"}]
    if len(choices) == 1:
        return choices[0]
    return {key: value for key, value in schema.items() if key != "default" or value is not None}


def _responses(operation: Operation) -> dict[str, Any]:
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    text = {"text/plain": {"schema": {"type": "string"}}}
    whole: dict[str, Any] = {"application/json": {"schema": {}}}
    found: dict[str, Any] = {str(operation.status): {"description": operation.summary, "content": whole}}
    for status, said in (
        ("400", "It makes no sense"),
        ("401", "No key, or not a valid one"),
        ("403", "The key does not allow it"),
        ("404", "It is not there"),
        ("409", "Another has changed it"),
        ("413", "It is too large"),
        ("429", "Too many wrong keys"),
        ("503", "The database does not answer"),
    ):
        found[status] = {"description": said, "content": error}
    found["422"] = {"description": "It cannot be read", "content": text}
    return found
