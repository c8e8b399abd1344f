from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from freehold.browser.keys import Command, held, parse, press, type_commands
from freehold.errors import UsageError


def strokes(commands: list[Command]) -> list[tuple[str, str, int]]:
    return [(command.params["type"], command.params["key"], command.params["modifiers"]) for command in commands]


@pytest.mark.parametrize(
    ("names", "code"),
    [
        ("Enter Return return KP_Enter", "Enter"), ("ArrowDown Down down DOWN arrow_down", "ArrowDown"),
        ("Page_Down PageDown pgdn Next", "PageDown"),
        ("Escape esc", "Escape"), ("space Space spacebar", "Space"), ("BackSpace backspace", "Backspace"),
        ("F5 f5", "F5"), ("a KeyA", "KeyA"),
        ("slash /", "Slash"), ("Delete del", "Delete"),
    ],
)  # fmt: skip
def test_a_key_has_all_the_names_that_models_write(names: str, code: str) -> None:
    assert {chord.key.code.removeprefix("Numpad") for chord in parse(names)} == {code}


@pytest.mark.parametrize("chord", ["ctrl+a", "Control+A", "CTRL+a", "Control_L+a"])
def test_control_and_a_is_one_chord_however_written(chord: str) -> None:
    assert strokes(press(chord)) == [
        ("rawKeyDown", "Control", 2),
        ("rawKeyDown", "a", 2),
        ("keyUp", "a", 2),
        ("keyUp", "Control", 0),
    ]


def test_shift_changes_what_a_key_writes() -> None:
    commands = press("shift+a")
    assert strokes(commands) == [
        ("rawKeyDown", "Shift", 8),
        ("keyDown", "A", 8),
        ("keyUp", "A", 8),
        ("keyUp", "Shift", 0),
    ]
    assert commands[1].params["text"] == "A"


def test_a_shifted_character_holds_shift_by_itself() -> None:
    commands = press("?")
    assert strokes(commands)[1] == ("keyDown", "?", 8)
    assert commands[1].params["code"] == "Slash"


def test_a_chord_with_shift_and_command_writes_nothing() -> None:
    middle = press("cmd+shift+p")[2]
    assert (middle.params["key"], middle.params["modifiers"], middle.params.get("text")) == ("P", 12, None)


def test_plus_is_a_key_and_a_separator() -> None:
    assert [chord.key.key for chord in parse("+ ctrl++ ctrl+plus")] == ["+", "+", "+"]


def test_enter_carries_the_carriage_return_that_sends_a_form() -> None:
    down = press("Enter")[0].params
    assert (down["type"], down["text"], down["windowsVirtualKeyCode"]) == ("keyDown", "\r", 13)


def test_keys_of_the_keypad_say_so() -> None:
    assert press("KP_5")[0].params | {"isKeypad": True, "location": 3} == press("KP_5")[0].params


def test_several_chords_are_pressed_in_turn() -> None:
    assert [chord.key.code for chord in parse("Down Down Enter")] == ["ArrowDown", "ArrowDown", "Enter"]


def test_a_lone_space_is_the_space_key() -> None:
    assert parse(" ")[0].key.code == "Space"


def test_a_character_of_another_layout_is_inserted() -> None:
    assert press("ж") == [Command("Input.insertText", {"text": "ж"})]


@pytest.mark.parametrize(
    ("chord", "command"),
    [("cmd+a", "selectAll"), ("shift+cmd+z", "redo"), ("cmd+shift+z", "redo"), ("option+Left", "moveWordLeft")],
)
def test_on_macos_editing_shortcuts_name_their_command(chord: str, command: str) -> None:
    assert [c.params["commands"] for c in press(chord, mac=True) if "commands" in c.params] == [[command]]
    assert not [c for c in press(chord) if "commands" in c.params]


@pytest.mark.parametrize("chord", ["Entr", "a+b", "ctrl+Pagedwn", "", "hello world", "ctrl+"])
def test_an_unknown_key_is_refused_with_what_is_valid(chord: str) -> None:
    with pytest.raises(UsageError) as caught:
        press(chord)
    assert caught.value.code == "unknown_key"


def test_near_matches_are_named() -> None:
    with pytest.raises(UsageError) as caught:
        press("Entr")
    assert "Enter" in caught.value.data["near"]


def test_modifiers_held_during_a_click() -> None:
    assert (held("ctrl+shift"), held(""), held("cmd")) == (10, 0, 4)
    with pytest.raises(UsageError):
        held("ctrl+a")


def test_typing_presses_keys_and_inserts_the_rest_in_whole_runs() -> None:
    commands = type_commands("a!\n日本👩\u200d👧e\u0301b")
    assert [c.params.get("key") or c.params["text"] for c in commands if c.params.get("type") != "keyUp"] == [
        "a",
        "!",
        "Enter",
        "日本👩\u200d👧e\u0301",
        "b",
    ]


def test_a_typed_capital_reports_shift() -> None:
    assert type_commands("A")[0].params["modifiers"] == 8


@given(st.text())
def test_typing_loses_nothing(text: str) -> None:
    typed = "".join(c.params.get("text", "\t") for c in type_commands(text) if c.params.get("type") != "keyUp")
    assert typed.replace("\r", "\n") == text.replace("\r\n", "\n").replace("\r", "\n")


def test_a_long_text_is_inserted_line_by_line_and_whole() -> None:
    text = ("word \u06cc\u200c\U0001f600 " * 100 + "\n") * 2
    inserted = [command for command in type_commands(text) if command.method == "Input.insertText"]
    assert "\n".join(command.params["text"] for command in inserted) + "\n" == text
    pressed = [command.params["key"] for command in type_commands(text) if command.params.get("text") == "\r"]
    assert pressed == ["Enter", "Enter"]


@pytest.mark.parametrize("chord", ["cmd+c", "cmd+x", "cmd+v"])
def test_on_macos_no_key_names_a_command_that_would_reach_the_clipboard(chord: str) -> None:
    assert not [c for c in press(chord, mac=True) if "commands" in c.params]
