"""`freehold archive list`: the conversations."""

from __future__ import annotations

from typing import Annotated

import typer

from freehold.surfaces.cli.archive.answer import AsJson, answer, counted
from freehold.surfaces.cli.memory import table
from freehold.tools.archive.conversation import moment


def list_(
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many at most.")] = 20,
    offset: Annotated[int, typer.Option(min=0, help="How many to pass over.")] = 0,
    source: Annotated[str, typer.Option(help="Only of this agent, such as pi.")] = "",
    as_json: AsJson = False,
) -> None:
    """List the conversations, newest first."""
    data = answer("nmem_list_threads", as_json=as_json, limit=limit, offset=offset, source=source)
    if as_json:
        return
    if not data["threads"]:
        print("There is none. Bring past ones in: freehold archive import --from pi")
        return
    rows = [(one["thread_id"], moment(one["date"]), str(one["messages"]), one["title"]) for one in data["threads"]]
    table.show(("thread", "date", "messages", "title"), rows)
    if data["has_more"]:
        print(f"\n{counted(data, data['returned'])} are shown; go on with --offset {offset + data['returned']}")
