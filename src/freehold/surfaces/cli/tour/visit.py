"""What a step of the tour is given: the tools, the site, and a place to note what it saw."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import anyio

from freehold.surfaces.cli.tour.notes import Call, Check, Notes, Picture
from freehold.surfaces.cli.tour.outline import Outline
from freehold.surfaces.cli.tour.site import Received, Site
from freehold.tools.result import ToolResult

_ARRIVAL_SECONDS = 5.0


class Tools(Protocol):
    """Whatever calls tools by name; `app.runtime.Runtime` does."""

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Call the tool `name`; an error comes back as a result with `is_error`."""
        ...


class StepStoppedError(Exception):
    """A step cannot go on; its words say why."""


@dataclass(slots=True)
class Place:
    """The tab that the tour works in, once it has one."""

    tab_id: int | None = None


class Visit:
    """One step's way to the tools and to the site's record. All that passes through is noted for the report."""

    def __init__(self, tools: Tools, site: Site, place: Place) -> None:
        self._tools = tools
        self.site = site
        self.place = place
        self.notes = Notes()

    async def call(self, tool: str, **arguments: Any) -> ToolResult:
        """Call a tool in the tour's tab; stop the step where the tool answers with an error."""
        result = await self._call(tool, arguments)
        if result.is_error:
            raise StepStoppedError(f"{tool} answered: {result.text}")
        return result

    async def refused(self, sentence: str, code: str, tool: str, **arguments: Any) -> ToolResult:
        """Call a tool that has to refuse, and check that it does so with `code`."""
        result = await self._call(tool, arguments)
        error: dict[str, Any] = result.data.get("error", {})
        self.check(sentence, got=error.get("code", "no error") if result.is_error else "no error", expected=code)
        return result

    async def open(self, path: str) -> None:
        """Go to a page of the site."""
        result = await self.call("navigate", url=self.site.origin + path)
        if self.place.tab_id is None:
            tab: dict[str, Any] = result.data.get("tab") or {}
            self.place.tab_id = tab.get("tabId")

    async def read(self, how: str = "all") -> Outline:
        """Read the page; `how` is `all` or `interactive`."""
        return Outline((await self.call("read_page", filter=how)).text)

    async def find(self, query: str) -> str:
        """Return the ref of the best candidate for `query`."""
        result = await self.call("find", query=query)
        candidates: list[dict[str, Any]] = result.data.get("candidates") or []
        if not candidates:
            raise StepStoppedError(f"find knows no candidate for {query!r}")
        return f"ref_{candidates[0]['ref']}"

    async def click(self, ref: str | None, what: str) -> ToolResult:
        """Click an element; `what` names it in the words that say it was not found."""
        return await self.call("computer", action="left_click", ref=self.known(ref, what))

    def known(self, ref: str | None, what: str) -> str:
        """Return `ref`; stop the step where the outline had none."""
        if ref is None:
            raise StepStoppedError(f"the outline does not show {what}")
        return ref

    async def picture(self, caption: str, **arguments: Any) -> None:
        """Take a screenshot for the report."""
        result = await self.call("computer", action="screenshot", **arguments)
        self.notes.pictures.extend(Picture(image, caption) for image in result.images)

    async def received(self, path: str, count: int = 1, method: str = "POST") -> list[Received]:
        """Return what the site received at `path`, as soon as that is `count` requests or a few seconds have passed."""
        record = self.site.record
        return await anyio.to_thread.run_sync(record.wait, method, path, count, _ARRIVAL_SECONDS)

    def check(self, sentence: str, *, got: object, expected: object) -> None:
        """Note whether `got` is `expected`; a difference fails the step but lets it go on."""
        self.notes.checks.append(Check(sentence, got == expected, _shown(expected), _shown(got)))

    def check_in(self, sentence: str, text: str, *, wanted: str) -> None:
        """Note whether `text` contains `wanted`, character for character."""
        self.notes.checks.append(Check(sentence, wanted in text, f"… {wanted} …", text))

    async def _call(self, tool: str, arguments: Mapping[str, Any]) -> ToolResult:
        complete = dict(arguments)
        if self.place.tab_id is not None and tool not in {"tabs_context", "tabs_create"}:
            complete.setdefault("tabId", self.place.tab_id)
        started = time.monotonic()
        result = await self._tools.call(tool, complete)
        self.notes.calls.append(Call(tool, complete, result.text, result.is_error, time.monotonic() - started))
        return result


def _shown(value: object) -> str:
    return value if isinstance(value, str) else repr(value)
