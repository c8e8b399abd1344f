"""What the client at the other end says of itself: its name and the folder it works in."""

from __future__ import annotations

from pathlib import Path

import mcp_types as types
from mcp.server.session import ServerSession
from mcp.shared.exceptions import MCPError
from pydantic import ValidationError

from freehold.surfaces.mcp import session_name

ROOTS_LIMIT = 1.0
"""Seconds that a client has to name its roots."""


def client_name(session: ServerSession) -> str:
    """Return the client's name, or an empty one where it gave none."""
    return session.client_params.client_info.name if session.client_params else ""


async def project_folder(session: ServerSession) -> Path:
    """Return the client's first root, where it has roots and tells them in time, else the working folder.

    Roots went with protocol 2026-07-28, and with them every request from server to client: only the older era has them.
    """
    capabilities = session.client_capabilities
    if capabilities and capabilities.roots and session.can_send_request:
        for root in await _roots(session):
            if folder := session_name.folder_of(str(root.uri)):
                return folder
    return Path.cwd()


async def _roots(session: ServerSession) -> list[types.Root]:
    request = types.ListRootsRequest()
    try:
        return (await session.send_request(request, types.ListRootsResult, ROOTS_LIMIT)).roots
    except (MCPError, ValidationError):
        return []
