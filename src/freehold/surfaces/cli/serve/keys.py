"""`freehold serve keys`: who may use the server from elsewhere."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from freehold.server.store import keys
from freehold.server.store.keys import Key
from freehold.surfaces.cli.console import console
from freehold.surfaces.cli.machine_output import print_json
from freehold.surfaces.cli.serve.opened import opened
from freehold.surfaces.cli.serve.options import AsJson, Data, DatabaseUrl, place

app = typer.Typer(add_completion=False, no_args_is_help=True, help="Make, list and revoke keys.")


@app.command()
def add(
    name: Annotated[str, typer.Argument(help="Whose it is, such as laptop.")],
    space: Annotated[list[str] | None, typer.Option(help="A space it may use; several may be given; else all.")] = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="It may not write.")] = False,
    data: Data = None,
    database: DatabaseUrl = "",
    as_json: AsJson = False,
) -> None:
    """Make a key and print it. It is shown this once; only its digest is kept."""
    with opened(place(data, database)) as archive, archive.database.writing() as connection:
        key = keys.add(connection, name, spaces=space or (), read_only=read_only)
    if as_json:
        print_json({"name": name, "key": key, "spaces": space or None, "read_only": read_only})
    else:
        print(key)


@app.command("list")
def list_(data: Data = None, database: DatabaseUrl = "", as_json: AsJson = False) -> None:
    """Show the keys there are, never their secret."""
    with opened(place(data, database)) as archive, archive.database.reading() as connection:
        found = keys.listed(connection)
    if as_json:
        print_json([asdict(key) for key in found])
        return
    for key in found:
        print(_line(key))
    if not found:
        console().print("There is no key yet. Make one: freehold serve keys add NAME", markup=False)


@app.command()
def revoke(
    name: Annotated[str, typer.Argument(help="The key's name or id.")],
    data: Data = None,
    database: DatabaseUrl = "",
    as_json: AsJson = False,
) -> None:
    """Revoke a key: from now on it is refused, also by a server that is running."""
    with opened(place(data, database)) as archive, archive.database.writing() as connection:
        key = keys.revoke(connection, name)
    if as_json:
        print_json(asdict(key))
    else:
        print(_line(key))


def _line(key: Key) -> str:
    rights = "reads" if key.read_only else "reads and writes"
    spaces = "all spaces" if key.spaces is None else ", ".join(key.spaces)
    state = f"revoked {key.revoked_at}" if key.revoked_at else f"since {key.created_at}"
    return f"{key.name}  {key.key_id}  {rights}  {spaces}  {state}"
