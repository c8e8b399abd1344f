"""`freehold memory search`: what the memory says about something."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from freehold.browser.marks import one_line
from freehold.errors import UsageError
from freehold.memory import search as searching
from freehold.memory.recall import Hit, Recall
from freehold.surfaces.cli.memory.options import Agent, AsJson, Project
from freehold.surfaces.cli.memory.place import store_of

app = typer.Typer(add_completion=False, rich_markup_mode="markdown")


@app.command(context_settings={"ignore_unknown_options": True})
def search(
    query: Annotated[list[str], typer.Argument(help='Words; any may match. "a phrase", +must, -not.')],
    limit: Annotated[int, typer.Option(min=1, max=100, help="How many topics at most.")] = 10,
    every: Annotated[bool, typer.Option("--all", help="Every word must match.")] = False,
    deep: Annotated[bool, typer.Option("--deep", help="Search again with words of the best topics.")] = False,
    project: Project = None,
    agent: Agent = "",
    as_json: AsJson = False,
) -> int:
    """Search the topics, best first. The exit code is 1 when nothing fits.

    `login -legacy` leaves out what says legacy; a word that begins with two dashes goes behind `--`.
    """
    _refuse_mistyped(query)
    store = store_of(project, agent)
    # A word with a space came quoted through the shell, which took the quotes away.
    words = " ".join(f'"{word}"' if " " in word and len(query) > 1 and '"' not in word else word for word in query)
    found = searching.search(store, words, limit=limit, all_terms=every, deep=deep)
    _print_json(found) if as_json else _show(found)
    return int(not found.hits)


def _refuse_mistyped(query: list[str]) -> None:
    """Refuse an option that there is not: unlike `-word`, it is no part of the query but behind `--`."""
    if "--" in sys.argv:
        return
    for word in query:
        if word.startswith("--"):
            message = (
                f"There is no option {word}. To search for it, put it behind --. See: freehold memory search --help"
            )
            raise UsageError("invalid_argument", message)


def _print_json(found: Recall) -> None:
    from freehold.surfaces.cli.machine_output import print_json  # noqa: PLC0415 - msgspec takes 0.02 s to import

    print_json(
        {
            "hits": [hit_data(hit) for hit in found.hits],
            "added": found.added,
            "updated": found.updated,
            "removed": found.removed,
            "left_out": [{"name": left.name, "why": left.why} for left in found.left_out],
            "seconds": found.seconds,
        }
    )


def hit_data(hit: Hit) -> dict[str, object]:
    """Return a hit as `--json` prints it."""
    lines = [{"line": line.number, "text": line.text} for line in hit.lines]
    return {"name": hit.name, "title": hit.title, "section": hit.section, "score": hit.score, "lines": lines}


def _show(found: Recall) -> None:
    # Not rich, which takes 0.05 s to import: a search from a cold shell has 0.25 s in all.
    for hit in found.hits:
        typer.echo(_head(hit))
        for line in hit.lines:
            typer.echo(f"    {typer.style(f'{line.number:>4}', dim=True)}  {one_line(line.text)}")
    if not found.hits:
        typer.echo("Nothing fits. Try other words, or: freehold memory list")
    for left in found.left_out:
        typer.secho(f"not searched: {one_line(left.name)}: {one_line(left.why)}", fg="yellow", err=True)


def _head(hit: Hit) -> str:
    section = f" > {hit.section}" if hit.section and hit.section != hit.title else ""
    about = typer.style(one_line(f"{hit.title}{section}"), dim=True)
    return f"{typer.style(one_line(hit.name), bold=True)}  {about}  {hit.score:.2f}"
