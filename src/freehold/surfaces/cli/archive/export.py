"""`freehold archive export`: all of it, to take elsewhere."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeVar

import anyio
import msgspec
import typer

from freehold.app import own_archive
from freehold.archive.client import ArchiveClient
from freehold.archive.schemas import Page
from freehold.errors import UsageError
from freehold.surfaces.cli.archive.answer import AsJson
from freehold.surfaces.cli.machine_output import print_json

T = TypeVar("T")
_PAGE = 100


def export(
    target: Annotated[Path, typer.Argument(help="A new folder.")],
    as_json: AsJson = False,
) -> None:
    """Write all memories and conversations to a new folder that only you can read: `memories.jsonl`, `threads.jsonl`.

    One JSON object a line, with nmem's field names; a line of `threads.jsonl` is a thread as `POST /threads` takes it.
    """
    counts = anyio.run(partial(_export, target))
    if as_json:
        print_json({"target": str(target.absolute()), **counts})
    else:
        print(f"Exported {counts['memories']:,} memories and {counts['threads']:,} threads to {target}")


async def _export(target: Path) -> dict[str, int]:
    try:
        target.mkdir(parents=True, mode=0o700)
    except OSError as error:
        message = f"{target} cannot be made: {error.strerror}. Name a folder that is not there yet."
        raise UsageError("invalid_argument", message, {"path": str(target)}) from error
    async with own_archive.opened() as connection:
        client = connection.client
        memories = await _write(target / "memories.jsonl", _all(client.memories), msgspec.to_builtins)
        threads = await _write(target / "threads.jsonl", _threads(client), dict)
    return {"memories": memories, "threads": threads}


async def _all(page_of: Callable[..., Awaitable[Page[T]]]) -> AsyncIterator[T]:
    offset = 0
    while True:
        page = await page_of(limit=_PAGE, offset=offset)
        for item in page.items:
            yield item
        offset += len(page.items)
        if not page.has_more or not page.items:
            return


async def _threads(client: ArchiveClient) -> AsyncIterator[dict[str, Any]]:
    async for thread in _all(client.threads):
        messages: list[dict[str, Any]] = []
        while True:
            page = await client.thread(thread.id, offset=len(messages), limit=_PAGE)
            messages += [
                {"role": one.role, "content": one.content, "timestamp": one.time, "metadata": one.metadata}
                for one in page.messages
            ]
            if not page.messages or len(messages) >= page.total:
                break
        head = {"thread_id": thread.id, "title": thread.title, "source": thread.source, "project": page.thread.project}
        yield {**head, "messages": messages}


async def _write(file: Path, items: AsyncIterator[Any], as_data: Callable[[Any], Any]) -> int:
    count = 0
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as stream:
        async for item in items:
            stream.write(msgspec.json.encode(as_data(item)) + b"\n")
            count += 1
    return count
