"""A group of commands whose files are imported when one of them is called."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import typer
from typer.core import TyperGroup


class LazyGroup(TyperGroup):
    """Subclasses name their commands in `places`: name → `module:object`, in the order in which help shows them."""

    places: ClassVar[Mapping[str, str]] = {}

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all subcommands."""
        return [*self.places, *super().list_commands(ctx)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the subcommand `cmd_name`, importing its file; None when there is none."""
        place = self.places.get(cmd_name)
        if place is None:
            return super().get_command(ctx, cmd_name)
        module, _, name = place.partition(":")
        command = as_command(getattr(importlib.import_module(module), name))
        command.name = cmd_name
        return command


def as_command(target: typer.Typer | Callable[..., Any]) -> Any:
    """Return `target`, a group or one function, as typer's own command object."""
    if isinstance(target, typer.Typer):
        return typer.main.get_command(target)
    single = typer.Typer(add_completion=False, rich_markup_mode="markdown")
    single.command()(target)
    return typer.main.get_command(single)
