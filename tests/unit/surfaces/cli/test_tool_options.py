from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

import msgspec
import pytest
import typer

from freehold.errors import UsageError
from freehold.surfaces.cli import tool_options
from freehold.surfaces.cli.lazy_group import as_command
from freehold.surfaces.cli.tool import OWN_OPTIONS
from freehold.tools import catalog
from freehold.tools.result import ToolResult
from freehold.tools.tool import Arguments, Tool


class Point(Arguments, frozen=True):
    action: Literal["click", "type"]
    text: Annotated[str, msgspec.Meta(description="What to type.")] = ""
    tab_id: int | None = None
    scale: float = 1.0
    deep: bool = False
    coordinate: tuple[int, int] | None = None
    files: tuple[str, ...] = ()
    where: str | int = ""


async def handler(context: Any, arguments: Any) -> ToolResult:
    raise NotImplementedError


def ignore(**given: Any) -> int:
    return 0


TOOL = Tool("point", "Point at something.", Point, handler)

Read = Callable[..., dict[str, Any]]


@pytest.fixture
def read() -> Read:
    """Read a command line and return the tool's arguments."""
    got: dict[str, Any] = {}

    def record(**given: Any) -> int:
        got.update(tool_options.values(TOOL, given))
        return 0

    def run(*words: str) -> dict[str, Any]:
        got.clear()
        as_command(tool_options.with_options(record, TOOL, {})).main(list(words), standalone_mode=False)
        return got

    return run


def test_an_option_left_out_is_no_argument(read: Read) -> None:
    assert read() == {}


def test_every_type_comes_through_as_the_tool_wants_it(read: Read) -> None:
    words = (
        "--action click --text 12 --tab_id 7 --scale 0.5 --deep --coordinate 10,20 --files a --files b --where ref_1"
    )
    given = read(*words.split())
    assert given == {
        "action": "click",
        "text": "12",
        "tab_id": 7,
        "scale": 0.5,
        "deep": True,
        "coordinate": [10, 20],
        "files": ["a", "b"],
        "where": "ref_1",
    }
    TOOL.parse(given)


def test_an_option_is_spelled_as_agents_spell_the_argument(read: Read) -> None:
    assert read("--tab_id", "7") == {"tab_id": 7}


def test_a_switch_can_be_turned_off(read: Read) -> None:
    assert read("--no-deep") == {"deep": False}


def test_a_list_is_taken_as_json_too(read: Read) -> None:
    assert read("--coordinate", "[10, 20]") == {"coordinate": [10, 20]}


def test_an_empty_text_is_a_text(read: Read) -> None:
    assert read("--text", "") == {"text": ""}


def test_text_in_any_script_comes_through_whole(read: Read) -> None:
    for text in ("سلام‌دنیا", "👩‍👩‍👧", "--not-an-option", "a\nb"):
        assert read(f"--text={text}") == {"text": text}


def test_what_is_no_json_where_json_is_wanted_is_refused_by_name(read: Read) -> None:
    with pytest.raises(UsageError) as caught:
        read("--coordinate", "left")
    assert caught.value.code == "invalid_argument"
    assert "--coordinate" in caught.value.message


@pytest.mark.parametrize("words", [("--action", "jump"), ("--tab_id", "x"), ("--nope",), ("--scale", "wide")])
def test_what_typer_cannot_read_ends_with_the_usage_code(read: Read, words: tuple[str, ...]) -> None:
    with pytest.raises(Exception) as caught:  # noqa: PT011 - typer has no public base for these
        read(*words)
    assert getattr(caught.value, "exit_code", None) == 2


def test_the_own_options_of_the_command_hide_no_argument_of_a_tool() -> None:
    own = {"json", "output", "session", "browser", "project", "help"}
    assert len(OWN_OPTIONS) == 6
    for tool in catalog.TOOLS:
        assert not own & set(tool.schema().get("properties", {})), tool.name


def test_the_help_tells_what_an_argument_means(capsys: pytest.CaptureFixture[str]) -> None:
    command = as_command(tool_options.with_options(ignore, TOOL, {}))
    with pytest.raises((typer.Exit, SystemExit)):
        command.main(["--help"])
    assert "What to type." in capsys.readouterr().out
