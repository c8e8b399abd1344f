"""`freehold memory config`: the settings, and where they stand."""

from __future__ import annotations

from typing import Annotated

import msgspec
import typer

from freehold import config as settings
from freehold.config import Memory
from freehold.surfaces.cli.machine_output import print_json
from freehold.surfaces.cli.memory import editor, table
from freehold.surfaces.cli.memory.options import AsJson

_START = "# Freehold's settings. What is commented out has the value that is shown.\n\n[memory]\n"


def config(
    change: Annotated[bool, typer.Option("--edit", help="Open the settings in your editor.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show the settings of the memory, and the file where you change them."""
    file = settings.file()
    if change:
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            defaults = msgspec.structs.asdict(Memory())
            file.write_text(_START + "".join(f"# {key} = {value!r}\n" for key, value in defaults.items()))
        editor.edit(file)
    chosen = msgspec.structs.asdict(settings.load().memory)
    if as_json:
        print_json({"file": str(file), "memory": chosen})
        return
    table.show(("setting", "value"), [(key, str(value)) for key, value in chosen.items()])
    print(f"\n{file}{'' if file.exists() else ' (not there yet)'}; to change: freehold memory config --edit")
