"""The command `freehold`: which subcommands there are, and what becomes of an error."""

from __future__ import annotations

import json
import os
import sys
from typing import Annotated, Any, Protocol, runtime_checkable

import typer

from freehold import __version__
from freehold.errors import FreeholdError
from freehold.surfaces.cli.lazy_group import LazyGroup

USAGE = 2
FAILED = 1

_USAGE_CODES = ("invalid_argument", "unknown_tool")

# Each command's file is imported when the command is called. Measured, processor time beyond typer's 0.13 s: setup
# 0.21 s, doctor 0.28 s, browser 0.23 s, tool 0.10 s and its tools; all of them for each would treble every start.
_COMMANDS = {
    "setup": "freehold.surfaces.cli.setup:setup",
    "connect": "freehold.surfaces.cli.connect:app",
    "doctor": "freehold.surfaces.cli.doctor:doctor",
    "browser": "freehold.surfaces.cli.browser:app",
    "tool": "freehold.surfaces.cli.tool:app",
    "memory": "freehold.surfaces.cli.memory.command:app",
    "archive": "freehold.surfaces.cli.archive.command:app",
    "serve": "freehold.surfaces.cli.serve.command:app",
    "try": "freehold.surfaces.cli.try_:try_",
}


@runtime_checkable
class _ParserError(Protocol):
    """What typer raises for a command line it cannot read; it has no public name for the base of these."""

    exit_code: int

    def format_message(self) -> str: ...


class Commands(LazyGroup):
    """The subcommands, in the order a newcomer meets them."""

    places = _COMMANDS


app = typer.Typer(cls=Commands, add_completion=False, rich_markup_mode="markdown", pretty_exceptions_enable=False)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"freehold {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def freehold(
    ctx: typer.Context,
    version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show it.")] = False,
) -> None:
    """A coding agent's browser, owned by its user: your own Chrome, no account, no cloud.

    Start with `freehold setup`; when something does not work, `freehold doctor` says why and what to do.
    """
    del version
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


def run() -> int:
    """Run the command line of this process and return its exit code: 0, 1 for a failure, 2 for wrong usage."""
    if not sys.stdout.isatty():
        # CI services make typer force colours; a pipe or a file wants none.
        os.environ.setdefault("_TYPER_FORCE_DISABLE_TERMINAL", "1")
    try:
        code = typer.main.get_command(app).main(prog_name="freehold", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except Exception as error:
        if os.environ.get("FREEHOLD_DEBUG"):
            raise
        return _answer(_alone(error))


def _alone(error: Exception) -> Exception:
    """Take an error out of the groups that task groups put around it."""
    inner: tuple[Exception, ...] = getattr(error, "exceptions", ())
    return _alone(inner[0]) if len(inner) == 1 else error


def _answer(error: Exception) -> int:
    if isinstance(error, FreeholdError):
        return _fail(
            f"{error.message} [{error.code}]", USAGE if error.code in _USAGE_CODES else FAILED, error.to_wire()
        )
    if isinstance(error, typer.Abort):
        return _fail("Stopped.", FAILED)
    if isinstance(error, _ParserError):
        # A group without a subcommand has printed its help already, and its error says nothing.
        if not error.format_message():
            return error.exit_code
        return _fail(f"{error.format_message().rstrip('.')}. {_hint(error)}".strip(), error.exit_code)
    text = f"A fault in Freehold: {type(error).__name__}: {error}. FREEHOLD_DEBUG=1 shows where. [internal_error]"
    return _fail(text, FAILED)


def _hint(error: Any) -> str:
    context = getattr(error, "ctx", None)
    return f"See: {context.command_path} --help" if context else ""


def _fail(text: str, code: int, wire: dict[str, Any] | None = None) -> int:
    print(f"freehold: {text}", file=sys.stderr)
    if wire and "--json" in sys.argv:
        print(json.dumps({"error": wire}))
    return code
