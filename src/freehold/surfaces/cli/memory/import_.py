"""`freehold memory import`: what other tools have kept about this project."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from freehold.browser.marks import one_line
from freehold.errors import UsageError
from freehold.memory.importing import claude_code, codex, plan
from freehold.memory.importing import store as other_store
from freehold.memory.importing.claude_code import Candidate
from freehold.memory.importing.note import Note
from freehold.memory.importing.plan import Outcome, Step
from freehold.memory.importing.roots import roots_of
from freehold.memory.store import Store
from freehold.surfaces.cli.machine_output import print_json
from freehold.surfaces.cli.memory import table
from freehold.surfaces.cli.memory.options import Agent, AsJson, Project
from freehold.surfaces.cli.memory.place import folder_of, store_of

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Take over what other tools have kept about this project. Shows what it would do; `--apply` does it.",
)

Apply = Annotated[bool, typer.Option("--apply", help="Do it; without this it is only shown.")]
From = Annotated[Path | None, typer.Argument(metavar="[FOLDER]", help="The memory's folder, where there is a choice.")]


@app.command()
def claude(
    source: From = None, apply: Apply = False, project: Project = None, agent: Agent = "", as_json: AsJson = False
) -> int:
    """Take over Claude Code's auto memory. Where several folders may be meant, they are shown: name one."""
    store = store_of(project, agent)
    if source is None:
        found = claude_code.candidates(roots_of(folder_of(project)), claude_code.home())
        sure = [one for one in found if one.fit == "this project"]
        chosen = sure or [one for one in found if one.fit == "perhaps"]
        if len(chosen) != 1:
            return _show_candidates(found, as_json=as_json)
        source = chosen[0].folder
    return _answer(store, source, list(claude_code.notes(_folder(source))), apply=apply, as_json=as_json)


@app.command("codex")
def codex_(
    source: From = None, apply: Apply = False, project: Project = None, agent: Agent = "", as_json: AsJson = False
) -> int:
    """Take over what Codex's memories say about this project; what they say about others stays there."""
    store = store_of(project, agent)
    folder = _folder(source or codex.home() / "memories")
    return _answer(store, folder, list(codex.notes(folder, roots_of(folder_of(project)))), apply=apply, as_json=as_json)


@app.command("store")
def store_(
    source: Annotated[Path, typer.Argument(metavar="FOLDER", help="A store, an export, or a folder of Markdown.")],
    apply: Apply = False,
    project: Project = None,
    agent: Agent = "",
    as_json: AsJson = False,
) -> int:
    """Take over the topics of another store."""
    store = store_of(project, agent)
    return _answer(store, source, list(other_store.notes(_folder(source))), apply=apply, as_json=as_json)


def _folder(source: Path) -> Path:
    if not source.is_dir():
        message = f"There is no folder {source}. Name the folder that holds the memory's Markdown files."
        raise UsageError("file_not_found", message, {"path": str(source)})
    return source


def _show_candidates(found: list[Candidate], *, as_json: bool) -> int:
    if as_json:
        listed = [
            {"folder": str(c.folder), "fit": c.fit, "project": c.project or None, "notes": c.notes} for c in found
        ]
        print_json({"candidates": listed})
    elif found:
        table.show(
            ("folder", "notes", "its project", "fits"),
            [(str(c.folder), str(c.notes), c.project or "not told", c.fit) for c in found],
        )
        print("\nIts name does not say for sure whose memory it is. Choose: freehold memory import claude FOLDER")
    else:
        print("Claude Code has no memory of this project. Another folder: freehold memory import claude FOLDER")
    return 1


def _answer(store: Store, source: Path, notes: list[Note], *, apply: bool, as_json: bool) -> int:
    steps = plan.plan(store, notes)
    outcomes = plan.carry_out(store, steps) if apply else [Outcome(step, step.name, step.why) for step in steps]
    if as_json:
        print_json(
            {"source": str(source), "applied": apply, "notes": [_as_data(one, applied=apply) for one in outcomes]}
        )
    else:
        _show(source, outcomes, applied=apply)
    return int(not steps)


def _as_data(one: Outcome, *, applied: bool) -> dict[str, object]:
    return {
        "title": one.step.note.title,
        "from": str(one.step.note.origin),
        "topic": one.name,
        "action": one.step.action,
        "written": applied and _written(one.step, one),
        "why": one.skipped or None,
    }


def _written(step: Step, one: Outcome) -> bool:
    return step.writes and not one.skipped


def _show(source: Path, outcomes: list[Outcome], *, applied: bool) -> None:
    print(f"From {source}:")
    if not outcomes:
        print("There is nothing about this project.")
        return
    writes = [one for one in outcomes if one.step.writes]
    rows = [
        (
            "+" if one.step.writes else "=" if one.step.action == "same" else "!",
            one.name,
            one.step.note.title,
            one.step.why or one.skipped,
        )
        for one in outcomes
    ]
    table.show(("", "topic", "title", ""), rows)
    if applied:
        print(
            f"\nSaved {sum(_written(one.step, one) for one in outcomes)} of {len(outcomes)}. The source is as it was."
        )
    elif writes:
        print(f"\nNothing was written. To save these {len(writes)}, run it again with --apply.")
    else:
        print("\nThere is nothing new to save.")
    for one in outcomes:
        if applied and one.step.writes and one.skipped:
            print(f"Not saved: {one_line(one.name)}: {one_line(one.skipped)}")
