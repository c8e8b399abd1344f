"""The composition root: puts settings, bridge, session and tools together. Surfaces talk to this and nothing below."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio

from freehold import config
from freehold.app import own_archive, project_store
from freehold.app.connection import Connector
from freehold.archive.archive import Archive
from freehold.browser.session import Session
from freehold.errors import FreeholdError, InternalError
from freehold.model.completer import Completer
from freehold.model.openai_compatible import Endpoint
from freehold.tools import catalog
from freehold.tools.memory.project_memory import ProjectMemory
from freehold.tools.result import ToolResult, error_result


class Runtime:
    """Calls tools for one surface. Made by `open_runtime`; connects to the browser at the first call that needs it."""

    def __init__(self, contexts: Mapping[str, Any], completer: Completer | None = None) -> None:
        self._contexts = contexts
        self._completer = completer

    async def call(self, name: str, arguments: Mapping[str, Any], completer: Completer | None = None) -> ToolResult:
        """Run the tool `name`; every error comes back as a result with `is_error`. Cancellation cancels the call.

        `completer` is the model that this call may ask, of whoever makes it; the user's own endpoint, where one is
        configured, stands in for it.
        """
        try:
            tool = catalog.named(name)
            given = (self._contexts[tool.group], tool.parse(arguments))
            if tool.uses_model:
                return await tool.handler(*given, completer or self._completer)
            return await tool.handler(*given)
        except FreeholdError as error:
            return error_result(error)
        except Exception as error:  # noqa: BLE001 - the last boundary: nothing may reach an agent as a traceback
            sys.excepthook(type(error), error, error.__traceback__)
            return error_result(InternalError("internal_error", f"{name} failed: {type(error).__name__}: {error}"))


@asynccontextmanager
async def open_runtime(
    *,
    session: str,
    exclusive: bool = True,
    browser: str = "",
    launch: bool = False,
    project: Path | None = None,
    agent: str = "",
    archive: Archive | None = None,
) -> AsyncGenerator[Runtime]:
    """Open a runtime for the session `session`. Neither browser nor memory is touched before a tool needs it.

    `exclusive`: a second live process under the same name gets `-2`; shared names are for one-shot commands.
    `browser`: part of the name of the browser to use; empty takes the settings' choice. `launch`: where no browser is
    connected, start one that ends with the runtime. `project`: the folder whose memory is meant, else the working
    folder. `agent`: the name that the user reads in the popup. `archive`: one that the surface uses as well. Raises
    `UsageError` for settings that cannot be read.
    """
    settings = config.load()
    failure: Exception | None = None
    async with anyio.create_task_group() as tasks:
        connect = Connector(tasks, browser=browser or settings.browser, launch=launch, executable=settings.executable)
        memory = ProjectMemory(partial(project_store.opened, project or Path.cwd()))
        contexts = {
            "browser": Session(connect, name=session, exclusive=exclusive, agent=agent),
            "archive": archive or Archive(tasks, own_archive.opened),
            "memory": memory,
        }
        try:
            yield Runtime(contexts, Endpoint(settings.model) if settings.model.endpoint else None)
        except Exception as error:  # noqa: BLE001 - a task group would wrap it into an exception group
            failure = error
        memory.close()
        tasks.cancel_scope.cancel()
    if failure is not None:
        raise failure
