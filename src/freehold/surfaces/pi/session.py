"""One of Pi's sessions while it lasts: what the extension says goes to whom it concerns."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Protocol, cast

import anyio
from anyio import to_thread
from anyio.abc import TaskGroup

from freehold.app import archiving, own_archive
from freehold.app.pi.settings import PiSettings
from freehold.app.runtime import open_runtime
from freehold.archive.archive import Archive
from freehold.archive.guidance import GUIDANCE
from freehold.errors import FreeholdError
from freehold.model.host_relay import HostRelay
from freehold.surfaces.pi import archive_section, declaring, extracting, memory_events, prompt_sections
from freehold.surfaces.pi.archive_events import ArchiveEvents
from freehold.surfaces.pi.calls import Caller, Refusing, ToolCalls
from freehold.surfaces.pi.channel import Channel
from freehold.surfaces.pi.command import Said
from freehold.surfaces.pi.freehold_command import FreeholdCommand
from freehold.surfaces.pi.memory_events import Extraction
from freehold.surfaces.pi.nmem_config_command import NmemConfigCommand
from freehold.surfaces.pi.recall import PromptRecall
from freehold.surfaces.pi.start import Start
from freehold.surfaces.pi.status import Status

log = logging.getLogger(__name__)


async def run(
    channel: Channel,
    messages: AsyncGenerator[dict[str, Any]],
    start: Start,
    settings: PiSettings,
    first: Mapping[str, Any] | None = None,
    archive_text: str = "",
) -> None:
    """Serve the session until `messages` end.

    `first` is a message that has come already; `archive_text` what the system prompt says of the archive, where that
    is known.
    """
    async with anyio.create_task_group() as tasks:
        archive = Archive(tasks, own_archive.opened)
        async with _caller(start, archive) as caller:
            session = PiSession(channel, tasks, start, settings, caller, archive=archive, archive_text=archive_text)
            await _serve(session, channel, messages, first)
        tasks.cancel_scope.cancel()


async def _serve(
    session: PiSession, channel: Channel, messages: AsyncGenerator[dict[str, Any]], first: Mapping[str, Any] | None
) -> None:
    session.begin()
    if first is not None:
        session.take(first)
    async for message in messages:
        session.take(message)
    if channel.skipped:
        log.info("skipped %d lines that were no messages", channel.skipped)


@asynccontextmanager
async def _caller(start: Start, archive: Archive) -> AsyncGenerator[Caller]:
    """Open the runtime; where the user's settings cannot be read, every call says so and the session goes on."""
    name, browser = start.browser_session, start.flags.get("browser", "")
    try:
        runtime = open_runtime(session=name, browser=browser, project=start.project, agent="Pi", archive=archive)
        caller = await runtime.__aenter__()
    except FreeholdError as error:
        yield Refusing(error)
        return
    try:
        yield caller
    finally:
        await runtime.__aexit__(None, None, None)


class Frames(Protocol):
    """Where frames for the extension go."""

    def send(self, frame: Mapping[str, Any]) -> None:
        """Send `frame` without waiting."""
        ...


class PiSession:
    """Takes the extension's messages. What is unknown is logged and left alone: a newer extension may say more."""

    def __init__(
        self,
        channel: Frames,
        tasks: TaskGroup,
        start: Start,
        settings: PiSettings,
        caller: Caller,
        *,
        extraction: Extraction | None = None,
        archive: Archive | None = None,
        archive_text: str = "",
        archive_events: ArchiveEvents | None = None,
    ) -> None:
        self._channel = channel
        self._tasks = tasks
        self._start = start
        self._settings = settings
        self._relay = HostRelay(channel.send)
        status = self._status = Status(channel.send)
        self._calls = ToolCalls(tasks, channel.send, settings, self._relay, status)
        self._calls.caller = caller
        self._recall = PromptRecall(start.project)
        self._extraction = extraction or self._own_extraction()
        self._asked: Extraction | None = None
        self._archive = archive
        self._archive_text = archive_text
        self._archive_events = archive_events or self._own_archive_events()
        self._commands = {
            "freehold": FreeholdCommand(start, settings, self._calls, status).run,
            "nmem-config": NmemConfigCommand(start).run,
            "pmem": self._pmem,
        }
        self._methods = {
            "tool.call": self._call,
            "cancel": self._cancel,
            "command.run": self._command,
            "event": self._event,
            "inference_response": self._inference,
            "shutdown": self._shutdown,
        }

    def notify(self, text: str, level: str = "warning") -> None:
        """Tell the user something."""
        self._channel.send({"type": "ui_request", "kind": "notify", "text": text, "level": level})

    def take(self, message: Mapping[str, Any]) -> None:
        """Act on one message; returns at once."""
        method, params = message.get("method"), message.get("params")
        taken = self._methods.get(str(method)) if message.get("type") == "tool_request" else None
        if taken is None or not isinstance(params, dict):
            log.info("ignored a message of type %.40r, method %.40r", message.get("type"), method)
            return
        number = message.get("id")
        taken(number if isinstance(number, int) else 0, cast("dict[str, Any]", params))

    def _answer(self, number: int, result: Mapping[str, Any]) -> None:
        if number:
            self._channel.send({"type": "tool_result", "id": number, "result": result})

    def _call(self, number: int, params: dict[str, Any]) -> None:
        self._calls.start(number, params)

    def _cancel(self, number: int, params: dict[str, Any]) -> None:
        del number
        if isinstance(called := params.get("id"), int):
            self._calls.cancel(called)

    def _inference(self, number: int, params: dict[str, Any]) -> None:
        del number
        result = params.get("result")
        known = cast("dict[str, Any]", result) if isinstance(result, dict) else {}
        self._relay.answered(str(params.get("request_id")), known)

    def _own_extraction(self) -> Extraction | None:
        if not memory_events.observes(self._start, self._settings):
            return None
        try:
            return self._opened_extraction()
        except FreeholdError as error:
            self.notify(f"This session's memory is not watched: {error.message}")
            return None

    def _opened_extraction(self) -> Extraction:
        completer = memory_events.BusyCompleter(self._relay, self._status.memory)
        return extracting.extraction(self._start, self._settings, completer)

    def _own_archive_events(self) -> ArchiveEvents | None:
        if self._archive is None or not declaring.archives(self._start, self._settings):
            return None
        archive = self._archive
        sync = archiving.sync(self._tasks, archive, self.notify)
        return ArchiveEvents(sync, self._start, lambda: archive.connected)

    def begin(self) -> None:
        """Start what runs beside the session."""
        if self._archive_events is not None:
            self._archive_events.begin()
        if self._extraction is not None:
            session = {"id": self._start.session.id, "file": self._start.session.file}
            self._observe("session_start", {"reason": self._start.reason, "entries": []}, session)
            self._tasks.start_soon(self._extraction.run)

    def _observe(self, event: str, told: Mapping[str, Any], session: Any) -> None:
        if self._extraction is not None:
            self._extraction.observe(event, memory_events.payload(told, session or {}))

    async def _pmem(self, words: str) -> Said:
        if not memory_events.commanded(self._start):
            return Said("This session's memory is not watched.", "warning")
        # Where no extraction watches, nothing runs by itself; what is asked for is done all the same.
        self._asked = self._extraction or self._asked or self._opened_extraction()
        return await self._asked.command(words)

    def _command(self, number: int, params: dict[str, Any]) -> None:
        self._tasks.start_soon(self._run_command, number, str(params.get("name")), str(params.get("arguments", "")))

    async def _run_command(self, number: int, name: str, words: str) -> None:
        run = self._commands.get(name)
        try:
            said = await run(words) if run else Said(f"There is no command /{name}.", "error")
        except FreeholdError as error:
            said = Said(f"{error.message} [{error.code}]", "error")
        except Exception as error:
            log.exception("the command %s failed", name)
            said = Said(f"/{name} failed: {type(error).__name__}. See {log.name}", "error")
        self._answer(number, {"text": said.text, "level": said.level})

    def _event(self, number: int, params: dict[str, Any]) -> None:
        name, payload = str(params.get("name")), cast("dict[str, Any]", params.get("payload") or {})
        if self._settings.recall:
            self._recall.heard(payload.get("entries") or ())
        self._observe(name, payload, payload.get("session"))
        if self._archive_events is not None:
            self._archive_events.observe(name, payload)
        if name == "session_compact":
            self._recall.forget()
            self._tasks.start_soon(self._refresh, number)
        elif name == "before_agent_start" and self._settings.recall:
            self._tasks.start_soon(self._recalled, number, str(payload.get("prompt") or ""))
        else:
            self._answer(number, {})

    async def _refresh(self, number: int) -> None:
        """Read the memory anew: the cache of what came before is lost with a compaction anyway."""
        notices: list[str] = []
        archive = await self._of_archive(notices)
        sections = await to_thread.run_sync(prompt_sections.sections, self._start, self._settings, notices, archive)
        self._answer(number, {"sections": sections})
        for notice in notices:
            self.notify(notice)

    async def _of_archive(self, notices: list[str]) -> str:
        """Return what the prompt has said of the archive from the start; asked for again by a worker that knows not."""
        if self._archive is None or not self._settings.inject_context_bundle:
            return GUIDANCE
        if not self._archive_text:
            self._archive_text = await archive_section.text(self._archive, notices)
        return self._archive_text

    async def _recalled(self, number: int, prompt: str) -> None:
        text = ""
        with anyio.move_on_after(self._settings.recall_seconds):
            text = await to_thread.run_sync(self._recall.recall, prompt, abandon_on_cancel=True)
        self._answer(number, {"context": text} if text else {})

    def _shutdown(self, number: int, params: dict[str, Any]) -> None:
        self._observe("session_shutdown", params, params.get("session"))
        self._tasks.start_soon(self._drain, number, params)

    async def _drain(self, number: int, params: dict[str, Any]) -> None:
        if self._archive_events is not None:
            await self._archive_events.end(params)
        if self._extraction is not None:
            await self._extraction.drain(self._settings.extract_drain_seconds)
        self._answer(number, {})
