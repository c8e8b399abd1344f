"""`/openapi.json`: what this server takes and answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from freehold.server import openapi
from freehold.server.operation import Call, Operation


def of_operations(operations: Sequence[Operation]) -> Operation:
    """Return the operation that describes `operations`."""

    async def describe(_: Call) -> Any:
        return openapi.description(operations)

    return Operation(method="GET", path="/openapi.json", handler=describe, access="open", summary="Describe this API")
