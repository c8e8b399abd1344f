"""`/freehold`: what this session has, which browsers there are, and a pause."""

from __future__ import annotations

from pathlib import Path

from freehold import __version__, paths
from freehold.app.pi import settings as pi_settings
from freehold.app.pi.settings import PiSettings
from freehold.bridge import endpoint, pairing
from freehold.bridge.channel import Channel
from freehold.browser import installed
from freehold.errors import FreeholdError
from freehold.surfaces.pi.calls import ToolCalls
from freehold.surfaces.pi.command import Said
from freehold.surfaces.pi.declaring import FREEHOLD_WORDS
from freehold.surfaces.pi.start import Start
from freehold.surfaces.pi.status import Status


class FreeholdCommand:
    """Answers `/freehold`."""

    def __init__(self, start: Start, settings: PiSettings, calls: ToolCalls, status: Status) -> None:
        self._start = start
        self._settings = settings
        self._calls = calls
        self._status = status

    async def run(self, words: str) -> Said:
        """Do what the first word says; without one, tell the status."""
        word = words.split(maxsplit=1)[0] if words.strip() else "status"
        if word == "status":
            return Said("\n".join(await self._lines()))
        if word == "browsers":
            return Said("\n".join(await _browsers()))
        if word in {"pause", "resume"}:
            return self._pause(word == "pause")
        return Said(f"/freehold {word}: there is no such word. Valid: {', '.join(FREEHOLD_WORDS)}.", "error")

    def _pause(self, paused: bool) -> Said:
        self._calls.paused = paused
        self._status.paused(paused)
        if paused:
            return Said(
                "The browser is paused for this session; /freehold resume lifts it. The popup pauses all agents."
            )
        return Said("The browser can be used again.")

    async def _lines(self) -> list[str]:
        chosen = self._settings
        tools = chosen.tools
        groups = f"browser {tools.browser}, archive {tools.archive}, memory {tools.memory}"
        block = "in the system prompt" if chosen.memory_block else "not in the system prompt"
        return [
            f"Freehold {__version__} in Pi {self._start.pi}",
            f"browser: {await self._browser()}",
            f"tools: {groups}; deferred: {', '.join(chosen.deferred) or 'none'}",
            f"memory: {block}; recall {_on(chosen.recall)}; it writes by itself: {_on(chosen.auto_extract)}",
            f"settings: {pi_settings.file(self._start.agent_path)}, in effect from the next start",
        ]

    async def _browser(self) -> str:
        if self._calls.paused:
            return "paused for this session (/freehold resume)"
        if self._settings.tools.browser == "off":
            return "off in the settings"
        # Asked, not looked up: the user wants to know whether a call would work now.
        result = await self._calls.caller.call("tabs_context", {})
        self._status.called(result)
        return result.text.splitlines()[0] if result.text else "no answer"


async def _browsers() -> list[str]:
    """Return a line for each browser: those that are connected, then those that are only installed."""
    lines: list[str] = []
    try:
        key = pairing.read(paths.pairing_key())
        lines += [await _connected(socket, key) for socket in endpoint.sockets(paths.run_folder())]
    except FreeholdError as error:
        lines.append(error.message)
    if not lines:
        lines.append("No running browser has Freehold's extension. Run: freehold doctor")
    lines += [f"installed: {browser.name}" for browser in installed.installed(installed.Machine.this())]
    return lines


async def _connected(socket: Path, key: bytes) -> str:
    channel = await Channel.open(socket, key)
    hello = channel.extension
    await channel.aclose()
    return f"connected: {hello.get('browser')}, extension {hello.get('version')}"


def _on(on: bool) -> str:
    return "on" if on else "off"
