"""Plain tables: columns on a terminal, the same without colours and without cutting anything in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from freehold.browser.marks import one_line
from freehold.surfaces.cli.console import console


def show(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print `rows` under their `columns`. What a topic says may hold anything: harmful characters are written out."""
    out = console()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold", show_edge=False)
    for number, column in enumerate(columns):
        table.add_column(column, no_wrap=number == 0, overflow="fold")
    for row in rows:
        table.add_row(*(Text(one_line(cell)) for cell in row))
    if out.is_terminal:
        out.print(table)
        return
    # A pipe has no width to fit into, and no use for the blanks that fill a last column.
    with out.capture() as captured:
        out.print(table, width=10_000)
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))
