"""`freehold serve`: the archive's server."""

from __future__ import annotations

from typing import Annotated, ClassVar

import typer

from freehold.surfaces.cli.lazy_group import LazyGroup
from freehold.surfaces.cli.serve.options import Data, DatabaseUrl, place

_HERE = "freehold.surfaces.cli.serve"


class ServeCommands(LazyGroup):
    """One file a command; each is imported when it is called."""

    places: ClassVar = {
        "keys": f"{_HERE}.keys:app",
        "check": f"{_HERE}.check:check",
        "backup": f"{_HERE}.backup:backup",
        "restore": f"{_HERE}.restore:restore",
    }


app = typer.Typer(cls=ServeCommands, add_completion=False, rich_markup_mode="markdown")


@app.callback(invoke_without_command=True)
def serve(
    ctx: typer.Context,
    port: Annotated[int, typer.Option(help="The port to listen at; 0 takes a free one.", min=0, max=65_535)] = 14_242,
    data: Data = None,
    database: DatabaseUrl = "",
    host: Annotated[
        str, typer.Option(help="The address to listen at; any but loopback asks every client for a key.")
    ] = ("127.0.0.1"),
    allow_host: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A further name by which clients call this server.")
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="Log each request.")] = False,
) -> None:
    """Serve past conversations and memories over nmem's API, for every agent of yours, until Ctrl-C.

    Without options it listens on this machine alone and lets in your own processes without a key. See docs/serve.md.
    """
    if ctx.invoked_subcommand is None:
        # Measured: the server and its libraries take 0.5 s of processor time, for which `serve keys` need not wait.
        from freehold.surfaces.cli.serve import running  # noqa: PLC0415

        running.serve(place(data, database), host=host, port=port, names=allow_host or [], verbose=verbose)
