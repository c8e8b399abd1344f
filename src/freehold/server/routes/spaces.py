"""`/spaces`: what keeps conversations and memories apart."""

from __future__ import annotations

import re
from typing import Any

from freehold.server.faults import Fault
from freehold.server.operation import Call, Operation
from freehold.server.schemas.spaces import NewSpace, SpaceChange, SpaceConfig
from freehold.server.store import spaces


async def listing(call: Call) -> Any:
    """List the spaces that the caller may use."""
    found = await call.read(spaces.all_of)
    allowed = call.caller.spaces
    return {"spaces": [space for space in found if allowed is None or space["id"] in allowed], "enabled": True}


async def create(call: Call) -> Any:
    """Make a space, or return the one of that id."""
    given: NewSpace = call.body
    own = given.id or re.sub(r"[^\w.-]+", "-", given.name.strip().casefold()).strip("-") or "space"
    call.caller.space(own)

    def made(connection: Any, _: Any) -> Any:
        spaces.ensure(connection, own, given.name)
        return next(space for space in spaces.all_of(connection) if space["id"] == own)

    space = await call.write(made)
    return {"success": True, "space": space, **space}


async def change(call: Call) -> Any:
    """Rename a space."""
    given: SpaceChange = call.body
    own = call.caller.space(call.path["space_id"])
    if given.name is None:
        found = [space for space in await call.read(spaces.all_of) if space["id"] == own]
        if not found:
            raise Fault(404, "space_not_found", f"Space not found: {own}")
        return {"success": True, "space": found[0], **found[0]}
    name = given.name

    def changed(connection: Any, _: Any) -> Any:
        return spaces.change(connection, own, name)

    space = await call.write(changed)
    return {"success": True, "space": space, **space}


async def configure(_: Call) -> Any:
    """Take note: spaces are always enabled here."""
    return {"enabled": True}


OPERATIONS = (
    Operation(method="GET", path="/spaces", handler=listing, summary="List spaces"),
    Operation(method="POST", path="/spaces", handler=create, body=NewSpace, access="write", summary="Make a space"),
    Operation(
        method="POST",
        path="/spaces/config",
        handler=configure,
        body=SpaceConfig,
        optional_body=True,
        access="write",
        summary="Say that spaces are enabled",
    ),
    Operation(
        method="PATCH",
        path="/spaces/{space_id}",
        handler=change,
        body=SpaceChange,
        access="write",
        summary="Rename a space",
    ),
)
