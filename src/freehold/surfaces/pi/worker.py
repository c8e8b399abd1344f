"""The worker: answers the extension of one of Pi's sessions, until its standard input ends."""

from __future__ import annotations

import asyncio
import importlib
import logging
import os
import signal
import sys
from collections.abc import AsyncGenerator
from typing import Any, cast

from freehold.app.pi import settings as pi_settings
from freehold.app.pi.settings import PiSettings
from freehold.errors import FreeholdError
from freehold.surfaces.pi import declaring, memory_events
from freehold.surfaces.pi import log as logfile
from freehold.surfaces.pi import start as starting
from freehold.surfaces.pi.channel import Channel, open_channel
from freehold.surfaces.pi.start import Start

log = logging.getLogger(__name__)

_SESSION = "freehold.surfaces.pi.session"
_SECTIONS = "freehold.surfaces.pi.prompt_sections"
_ARCHIVE_SECTION = "freehold.surfaces.pi.archive_section"


def serve() -> None:
    """Serve on standard input and output until the extension closes its end."""
    # Ctrl-C in a terminal reaches every process of Pi's; whether we end is told by the end of our input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logfile.begin()
    try:
        asyncio.run(_run())
    except Exception as error:
        log.exception("the worker failed")
        # One line, for the extension shows it to the user.
        sys.exit(f"freehold pi-worker failed: {type(error).__name__}: {error}")


async def _run() -> None:
    await _serve()
    log.info("ended")
    # What still runs in threads (an import, a search) is nobody's any more, and Pi waits for our end.
    logging.shutdown()
    os._exit(0)


async def _serve() -> None:
    try:
        channel = await open_channel()
    except (ValueError, OSError) as error:
        sys.exit(f"freehold pi-worker talks to Pi's extension over pipes and cannot start here: {error}")
    messages = channel.messages()
    begun = await _begun(messages)
    if begun is None:
        return
    number, start = begun
    settings, notices = _chosen(start)
    channel.send(_result(number, declaring.declared(start, settings, notices)))
    await channel.flush()
    log.info("began: %s, Pi %s, %s, session %s", start.reason, start.pi, start.mode, start.browser_session)
    first, archive_text = await anext(messages, None), ""
    if first is not None and first.get("method") == "sections":
        archive_text = await _tell_sections(channel, first.get("id"), (start, settings, notices))
        first = None
    # The rest takes 0.2 s to import, for which Pi, which now asks its model, need not wait.
    importing = asyncio.get_running_loop().run_in_executor(None, importlib.import_module, _SESSION)
    for notice in notices:
        channel.send({"type": "ui_request", "kind": "notify", "text": notice, "level": "warning"})
    watched = memory_events.observes(start, settings) or declaring.archives(start, settings)
    if first is None and not watched:
        first = await anext(messages, None)
    if not watched and (first is None or first.get("method") == "shutdown"):
        # A prompt that called no tool: nothing was begun, so nothing has to be brought to an end.
        channel.send(_result(first.get("id") if first else None, {}))
        await channel.flush()
        return
    session = await importing
    await session.run(channel, messages, start, settings, first, archive_text)


async def _tell_sections(channel: Channel, number: Any, about: tuple[Start, PiSettings, list[str]]) -> str:
    """Answer what is to stand in the system prompt; return what of it is said of the archive, if that was asked for."""
    loop = asyncio.get_running_loop()
    _, settings, notices = about
    archive: tuple[str, ...] = ()
    if settings.inject_context_bundle and settings.tools.archive != "off":
        archive_section = await loop.run_in_executor(None, importlib.import_module, _ARCHIVE_SECTION)
        archive = (await archive_section.text_before_session(notices),)
    prompt_sections = await loop.run_in_executor(None, importlib.import_module, _SECTIONS)
    sections = await loop.run_in_executor(None, prompt_sections.sections, *about, *archive)
    channel.send(_result(number, {"sections": sections}))
    return "".join(archive)


def _result(number: Any, result: dict[str, Any]) -> dict[str, Any]:
    return {"type": "tool_result", "id": number, "result": result}


async def _begun(messages: AsyncGenerator[dict[str, Any]]) -> tuple[int, Start] | None:
    """Return the number and the content of the first `start`; None when the input ended before."""
    async for message in messages:
        params = message.get("params")
        if message.get("method") == "start" and isinstance(params, dict):
            number = message.get("id")
            return number if isinstance(number, int) else 0, starting.parse(cast("dict[str, Any]", params))
        log.info("ignored a message before the start, of type %.40r", message.get("type"))
    return None


def _chosen(start: Start) -> tuple[PiSettings, list[str]]:
    """Return the settings of the user as the project tightens them, and what to tell of them."""
    try:
        settings = pi_settings.make(start.agent_path)
    except FreeholdError as error:
        return PiSettings(), [f"{error.message} The defaults are in effect."]
    return pi_settings.tightened(settings, start.project)
