"""`freehold archive save`: a memory by hand."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from freehold.browser.marks import one_line
from freehold.errors import UsageError
from freehold.surfaces.cli.archive.answer import AsJson, answer


def save(
    title: Annotated[str, typer.Argument(help="What it is about.")],
    content: Annotated[str, typer.Argument(help="The memory; - or a pipe reads standard input.")] = "-",
    unit_type: Annotated[str, typer.Option("--type", help="fact, preference, decision, plan, procedure …")] = "",
    importance: Annotated[float | None, typer.Option(min=0, max=1, help="From 0 to 1.")] = None,
    label: Annotated[list[str] | None, typer.Option(help="A label; may be given several times.")] = None,
    id_: Annotated[str, typer.Option("--id", help="The memory to change.")] = "",
    as_json: AsJson = False,
) -> None:
    """Keep a memory that holds in all projects, or change one with `--id`."""
    given: dict[str, Any] = {"unit_type": unit_type, "importance": importance, "labels": label, "id": id_}
    said = {name: value for name, value in given.items() if value not in ("", None, [])}
    data = answer("nmem_save_memory", as_json=as_json, title=title, content=_content(content), **said)
    if not as_json:
        print(f"{'Saved' if data['created'] else 'Changed'} {one_line(data['id'])}")
    for warning in data["warnings"]:
        print(f"freehold: {one_line(warning)}", file=sys.stderr)


def _content(content: str) -> str:
    if content != "-":
        return content
    if sys.stdin.isatty():
        message = "The memory is missing. Write it behind the title, or pipe it in: freehold archive save TITLE TEXT"
        raise UsageError("invalid_argument", message)
    try:
        return sys.stdin.buffer.read().decode()
    except UnicodeDecodeError as error:
        message = f"What came on standard input is not UTF-8 at byte {error.start}. Pipe text in."
        raise UsageError("invalid_argument", message) from error
