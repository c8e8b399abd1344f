"""`freehold archive read`: one conversation or memory."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import anyio
import msgspec
import typer

from freehold.app.runtime import open_runtime
from freehold.browser.marks import block, one_line
from freehold.surfaces.cli.archive.answer import AsJson, called
from freehold.surfaces.cli.machine_output import print_json


def read(
    id_: Annotated[str, typer.Argument(metavar="ID", help="Of a thread or a memory.")],
    offset: Annotated[int, typer.Option(min=0, help="The first message, from 0.")] = 0,
    from_char: Annotated[int, typer.Option(min=0, help="Within that message.")] = 0,
    everything: Annotated[bool, typer.Option("--all", help="To the end, not about 8,000 characters.")] = False,
    as_json: AsJson = False,
) -> None:
    """Read a conversation, or a memory, about 8,000 characters at a time. `--json --all` prints a line a window."""
    start = {"offset": offset, "from_char": from_char}
    after = anyio.run(partial(_read, id_, start, everything=everything, as_json=as_json))
    if after and not as_json:
        more = " ".join(f"--{name.replace('_', '-')} {value}" for name, value in after.items())
        print(f"\nMore: freehold archive read {one_line(id_)} {more}, or --all")


async def _read(id_: str, start: dict[str, int], *, everything: bool, as_json: bool) -> dict[str, int]:
    """Print from `start` on and return where it goes on; empty at the end."""
    after = start
    async with open_runtime(session="cli", exclusive=False) as runtime:
        while True:
            data = await called(runtime, "nmem_read_thread", {"thread_id": id_, **after})
            if as_json and everything:
                print(msgspec.json.encode(data).decode())
            elif as_json:
                print_json(data)
            else:
                _show(data, first=after is start)
            after = dict[str, int](data["next"] or {})
            if not everything or not after:
                return after


def _show(data: dict[str, Any], *, first: bool) -> None:
    if first:
        typer.echo(typer.style(one_line(data["title"] or data.get("thread_id", "")), bold=True))
    for one in data.get("messages", ()):
        time = f"  {one_line(one['time'])}" if one["time"] else ""
        head = typer.style(f"[{one['index']}] {one_line(one['role'])}{time}", dim=True)
        typer.echo(f"\n{head}\n{block(one['content'])}")
    if "messages" not in data:
        print(block(data["content"]))
    elif not data["messages"]:
        print("There is no message from there on.")
