"""An operation of the API is data plus a handler: the routes and the OpenAPI description are made from it."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import msgspec
from sqlalchemy import Connection
from starlette.requests import Request

from freehold.server.caller import Caller
from freehold.server.faults import unprocessable
from freehold.server.store.archive import Archive

T = TypeVar("T")
Access = Literal["open", "read", "write"]
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_MISSING = re.compile(r"Object missing required field `(\w+)`")
# What a client asks for is all that these lists hold.
_LISTS = ("labels", "metadata")


@dataclass(frozen=True, slots=True)
class Call:
    """One call of an operation: the parsed query and body, the names in the path, and who asks."""

    archive: Archive
    caller: Caller
    request: Request
    query: Any
    body: Any
    path: Mapping[str, str]

    @property
    def space(self) -> str:
        """The space that is meant: named by body, query or header, else the caller's own."""
        for given in (self.body, self.query):
            if named := getattr(given, "space_id", None):
                return self.caller.space(named)
        return self.caller.space(self.request.headers.get("x-nmem-space-id"))

    async def read(self, work: Callable[..., T], *arguments: Any) -> T:
        """Run `work(connection, *arguments)` on the database, reading."""
        return await self.archive.database.read(work, *arguments)

    async def write(self, work: Callable[..., T], *arguments: Any) -> T:
        """Run `work(connection, archive, *arguments)` in one transaction."""

        def run(connection: Connection) -> T:
            return work(connection, self.archive, *arguments)

        return await self.archive.database.write(run)


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation.

    `path`: as Starlette writes it. `query` and `body`: the structs that validate them. `optional_body`: it may be left
    out. `access`: `open` to everyone, to those who may `read`, or those who may `write`. `status`: of its answer.
    """

    method: str
    path: str
    handler: Callable[[Call], Awaitable[Any]]
    summary: str
    access: Access = "read"
    query: type[msgspec.Struct] | None = None
    body: type[msgspec.Struct] | None = None
    optional_body: bool = False
    status: int = 200

    def parse_query(self, request: Request) -> Any:
        """Return the query as its struct; raise `Fault` (422)."""
        if self.query is None:
            return None
        given: dict[str, Any] = {
            name: values if name in _LISTS else values[-1]
            for name in request.query_params
            if (values := request.query_params.getlist(name)) != [""]
        }
        try:
            return msgspec.convert(given, self.query, strict=False)
        except msgspec.ValidationError as error:
            raise unprocessable(f"Failed to deserialize query string: {_said(error)}") from error

    def parse_body(self, data: bytes) -> Any:
        """Return the body as its struct; raise `Fault` (422). The words are those that nmem's clients know."""
        if self.body is None:
            return None
        if not data.strip() and self.optional_body:
            return self.body()
        try:
            return msgspec.json.decode(data, type=self.body)
        except msgspec.ValidationError as error:
            line, column = data.count(b"\n") + 1, len(data) - data.rfind(b"\n") - 1
            place = f"at line {line} column {column}"
            said = f"Failed to deserialize the JSON body into the target type: {_said(error)} {place}"
            raise unprocessable(said) from error
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise unprocessable(f"Failed to parse the request body as JSON: {error}") from error


def check_names(path: Mapping[str, str]) -> None:
    """Raise `Fault` (422) for a name in a path that has control characters: nothing bears such a name."""
    for name, value in path.items():
        if _CONTROL.search(value) or len(value) > 512:
            raise unprocessable(
                f"Invalid path parameter {name}: at most 512 characters, none of them a control character."
            )


def _said(error: msgspec.ValidationError) -> str:
    return _MISSING.sub(r"missing field `\1`", str(error))
