"""The worker: answers the extension of one of Pi's sessions, until its standard input ends."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import AsyncGenerator
from typing import Any, cast

from freehold.app.pi import settings as pi_settings
from freehold.app.pi.settings import PiSettings
from freehold.errors import FreeholdError
from freehold.surfaces.pi import declaring
from freehold.surfaces.pi import log as logfile
from freehold.surfaces.pi import start as starting
from freehold.surfaces.pi.channel import Channel, open_channel
from freehold.surfaces.pi.start import Start

log = logging.getLogger(__name__)


def serve() -> None:
    """Serve on standard input and output until the extension closes its end."""
    # Ctrl-C in a terminal reaches every process of Pi's; whether we end is told by the end of our input.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logfile.begin()
    asyncio.run(_serve())


async def _serve() -> None:
    channel = await open_channel()
    messages = channel.messages()
    begun = await _begun(messages)
    if begun is None:
        return
    number, start = begun
    settings, notices = _chosen(start)
    declared = declaring.declared(start, settings, notices)
    channel.send({"type": "tool_result", "id": number, "result": declared})
    await channel.flush()
    log.info("began: %s, Pi %s, %s", start.reason, start.pi, start.mode)
    first = None if start.reason == "restart" or start.nested else await anext(messages, None)
    if first is not None and first.get("method") == "sections":
        # The store takes 0.1 s to import, the runtime another 0.1 s, for which the prompt need not wait.
        from freehold.surfaces.pi import prompt_sections  # noqa: PLC0415

        sections = prompt_sections.sections(start, settings, notices)
        channel.send({"type": "tool_result", "id": first.get("id"), "result": {"sections": sections}})
        await channel.flush()
        first = None
    from freehold.surfaces.pi.session import run  # noqa: PLC0415 - as above

    await run(channel, messages, start, settings, notices, first)


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
