"""What `freehold mcp` lists, and what it does not import for it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from freehold.errors import UsageError
from freehold.surfaces.mcp.definition import definition
from freehold.surfaces.mcp.offer import offered
from freehold.tools import catalog

LATER = (
    "typer",
    "msgspec",
    "freehold.tools.catalog",
    "freehold.browser",
    "freehold.bridge",
    "freehold.memory",
    "freehold.app",
)


@pytest.mark.parametrize("groups", [("browser",), ("memory",), catalog.GROUPS])
def test_the_list_is_the_catalogues(groups: tuple[str, ...]) -> None:
    assert offered(groups) == [definition(tool) for tool in catalog.of_groups(groups)]


@pytest.mark.parametrize("groups", [("nonsense",), ("browser", "nonsense"), ()])
def test_a_group_that_does_not_exist_is_refused(groups: tuple[str, ...]) -> None:
    with pytest.raises(UsageError) as caught:
        offered(groups)
    assert caught.value.code == "invalid_argument"


def test_nothing_that_only_a_call_needs_is_imported_before_the_first_call() -> None:
    script = f"""
import sys
from freehold.surfaces.mcp import command, server, offer
offer.offered(("browser",))
print([name for name in {LATER!r} if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True, timeout=90)
    assert done.stdout.strip() == "[]", done.stdout
