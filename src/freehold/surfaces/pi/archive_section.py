"""What the system prompt says of the archive where its context bundle is on: asked for once a session."""

from __future__ import annotations

import anyio

from freehold.app import own_archive
from freehold.archive.archive import Archive
from freehold.archive.context import SessionContext
from freehold.archive.context_settings import ContextSettings

_SECONDS = 5.0
"""For how long the first prompt waits for the bundle: an embedded server takes 1.7 s to be imported and opened."""


async def text(archive: Archive, notices: list[str]) -> str:
    """Return the bundle with the guidance, or where it cannot be had the guidance, and add why to `notices`."""
    settings = ContextSettings(inject_context_bundle=True)
    told = await SessionContext(archive, settings, source_app="pi", seconds=_SECONDS).get()
    if told.notice:
        notices.append(told.notice)
    return told.text


async def text_before_session(notices: list[str]) -> str:
    """Return `text` of an archive that is opened for it alone: the session's own is not there yet."""
    said = ""
    async with anyio.create_task_group() as tasks:
        said = await text(Archive(tasks, own_archive.opened), notices)
        tasks.cancel_scope.cancel()
    return said
