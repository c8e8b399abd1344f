"""`freehold archive search`: what was kept or said about something."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from freehold.browser.marks import one_line, short
from freehold.surfaces.cli.archive.answer import AsJson, answer, counted
from freehold.tools.archive.conversation import moment


def search(
    query: Annotated[list[str], typer.Argument(help="Words; any may match.")],
    threads: Annotated[bool, typer.Option("--threads", help="Search conversations, not memories.")] = False,
    limit: Annotated[int, typer.Option(min=1, max=50, help="How many at most.")] = 10,
    as_json: AsJson = False,
) -> int:
    """Search the memories, or with `--threads` the conversations, best first. The exit code is 1 when nothing fits."""
    kind = "threads" if threads else "memories"
    data = answer("nmem_search", as_json=as_json, query=" ".join(query), kind=kind, limit=limit)
    if not as_json:
        _show(data, kind)
    return int(not data["returned"])


def _show(data: dict[str, Any], kind: str) -> None:
    for one in data[kind]:
        typer.echo(_thread(one) if kind == "threads" else _memory(one))
    if not data["returned"]:
        other = "without --threads for memories" if kind == "threads" else "--threads for conversations"
        typer.echo(f"Nothing fits. Try other words, or {other}.")
    elif data["has_more"]:
        typer.echo(f"\n{counted(data, data['returned'])} are shown; --limit shows more.")


def _memory(one: dict[str, Any]) -> str:
    about = " · ".join(part for part in (one["unit_type"], ", ".join(one["labels"]), one["created_at"][:10]) if part)
    head = f"{typer.style(one_line(one['title'] or '(no title)'), bold=True)}  {typer.style(one_line(about), dim=True)}"
    return f"{head}\n    {short(one['content'])}\n    {typer.style(one_line(one['id']), dim=True)}"


def _thread(one: dict[str, Any]) -> str:
    about = " · ".join(part for part in (one["source"], moment(one["date"]), f"{one['messages']} messages") if part)
    head = f"{typer.style(one_line(one['title']), bold=True)}  {typer.style(one_line(about), dim=True)}"
    hits = [f"    {hit['index']:>4}  {one_line(hit['role'])}: {short(hit['text'], 200)}" for hit in one.get("hits", ())]
    return "\n".join([head, *hits, f"    {typer.style(one_line(one['thread_id']), dim=True)}"])
