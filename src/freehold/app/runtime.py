"""The composition root: puts settings, bridge, session and tools together. Surfaces talk to this and nothing below."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from freehold.errors import FreeholdError, InternalError
from freehold.tools import catalog
from freehold.tools.result import ToolResult, error_result


class Runtime:
    """Calls tools for one surface. Made by `open_runtime`; connects to the browser at the first call that needs it."""

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Run the tool `name`; every error comes back as a result with `is_error`. Cancellation cancels the call."""
        try:
            tool = catalog.find(name)
            parsed = tool.parse(arguments)
            return await tool.handler(None, parsed)
        except FreeholdError as error:
            return error_result(error)
        except Exception as error:  # noqa: BLE001 - the last boundary: nothing may reach an agent as a traceback
            return error_result(InternalError("internal_error", f"{type(error).__name__}: {error}"))


@asynccontextmanager
async def open_runtime(*, session: str, exclusive: bool = True, browser: str = "") -> AsyncIterator[Runtime]:
    """Open a runtime for the session `session`.

    `exclusive`: a second live process under the same name gets `-2`; shared names are for one-shot commands.
    `browser`: part of the name of the browser to use; empty takes the settings' choice.
    """
    del session, exclusive, browser
    yield Runtime()
