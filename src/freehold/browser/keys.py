"""Keys by the names models write, as parameters of CDP's `Input.dispatchKeyEvent`.

Names of xdotool (`ctrl+a`, `Return`, `Page_Down`), of Playwright (`Control+A`, `ArrowDown`), of DOM (`KeyA`) and single
characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from freehold.browser.layout import ALIASES, CHARACTERS, KEYS, MODIFIERS, Key
from freehold.errors import UsageError

_KEYPAD = 3

_LONG = 1_000
"""Beyond this many characters a text is not typed key by key."""

_SHIFT = MODIFIERS["Shift"].bit
_CONTROL_OR_META = MODIFIERS["Control"].bit | MODIFIERS["Meta"].bit
_ALT = MODIFIERS["Alt"].bit
# On macOS Chrome leaves editing shortcuts to the system's key bindings, which synthetic events never reach; `commands`
# names what they do. Copy, cut and paste are left out: the extension refuses what reaches the user's clipboard.
_MAC_COMMANDS = {
    "Meta+KeyA": "selectAll", "Meta+KeyZ": "undo", "Shift+Meta+KeyZ": "redo",
    "Meta+ArrowLeft": "moveToLeftEndOfLine", "Meta+ArrowRight": "moveToRightEndOfLine",
    "Meta+ArrowUp": "moveToBeginningOfDocument",
    "Meta+ArrowDown": "moveToEndOfDocument", "Shift+Meta+ArrowLeft": "moveToLeftEndOfLineAndModifySelection",
    "Shift+Meta+ArrowRight": "moveToRightEndOfLineAndModifySelection",
    "Shift+Meta+ArrowUp": "moveToBeginningOfDocumentAndModifySelection",
    "Shift+Meta+ArrowDown": "moveToEndOfDocumentAndModifySelection", "Alt+ArrowLeft": "moveWordLeft",
    "Alt+ArrowRight": "moveWordRight",
    "Shift+Alt+ArrowLeft": "moveWordLeftAndModifySelection", "Shift+Alt+ArrowRight": "moveWordRightAndModifySelection",
    "Alt+Backspace": "deleteWordBackward", "Meta+Backspace": "deleteToBeginningOfLine",
    "Alt+Delete": "deleteWordForward",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Command:
    """One CDP command to send: `Input.dispatchKeyEvent` or `Input.insertText`, with its parameters."""

    method: str
    params: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Chord:
    """A key with the modifiers held while it is pressed."""

    modifiers: tuple[Key, ...]
    key: Key

    @property
    def bits(self) -> int:
        """The modifiers as CDP's bit field: Alt 1, Control 2, Meta 4, Shift 8."""
        return sum(modifier.bit for modifier in self.modifiers)


def parse(text: str) -> list[Chord]:
    """Read one or more chords separated by white space, such as `ctrl+a Delete`.

    Raises `UsageError` (`unknown_key`) that names near matches and what is valid.
    """
    if text and not text.strip():
        return [_chord(text[0])]
    return [_chord(word) for word in text.split()] or [_chord("")]


def press(text: str, *, mac: bool = False) -> list[Command]:
    """Return the commands that press the chords in `text`, one after the other.

    `mac` says that the browser runs on macOS.
    """
    return [command for chord in parse(text) for command in _commands(chord, mac=mac)]


def type_commands(text: str) -> list[Command]:
    """Return the commands that type `text`.

    Real key events where a US keyboard has the character, one insertion for every other run. Line feeds press Enter,
    tabs press Tab. A run is never cut inside a grapheme, since a base character goes with its
    combining ones. A long text is inserted line by line, as an input method does: each key costs a page some 3 ms.
    """
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    runs = _RUN if len(plain) <= _LONG else _LINE
    return [command for run in runs.findall(plain) for command in _typed(run)]


def held(modifiers: str) -> int:
    """Return CDP's bit field for modifiers held during a click, such as `ctrl+shift`; raises as `parse` does."""
    bits = 0
    for name in filter(None, (part.strip() for part in modifiers.split("+"))):
        key = _lookup(name, modifiers)
        if not key.bit:
            raise _unknown(name, modifiers, tuple(MODIFIERS))
        bits |= key.bit
    return bits


def _typed(run: str) -> Iterator[Command]:
    key = CHARACTERS.get(run) or {"\n": KEYS["Enter"], "\t": KEYS["Tab"]}.get(run)
    if key is None:
        yield Command("Input.insertText", {"text": run})
    else:
        shift = _SHIFT if key.shifted and run == key.key else 0
        yield from _stroke(key, shift, typed=True)


# One key of the keyboard at a time; anything else, with the US characters that carry a combining mark or joiner, in one
# run.
_COMBINING = "\u0300-\u036f\u200c\u200d\u20d0-\u20ff\ufe00-\ufe0f\U000e0020-\U000e007f"
_RUN = re.compile(f"[\n\t]|[ -~](?![{_COMBINING}])|(?:[^\n\t -~]|[ -~](?=[{_COMBINING}]))+")
_LINE = re.compile("[\n\t]|[^\n\t]+")


def _chord(text: str) -> Chord:
    names = _split(text)
    modifiers: list[Key] = []
    for name in names[:-1]:
        key = _lookup(name, text)
        if not key.bit:
            raise _unknown(name, text, tuple(MODIFIERS))
        if key not in modifiers:
            modifiers.append(key)
    key = _lookup(names[-1], text)
    held_bits = sum(modifier.bit for modifier in modifiers)
    if held_bits & _SHIFT and key.shift_key:
        key = CHARACTERS[key.shift_key]
    elif key.shifted and held_bits & (_CONTROL_OR_META | _ALT) and len(names[-1]) == 1 and names[-1].isalpha():
        # `ctrl+A` means the key A; who wants Shift as well says so.
        key = CHARACTERS[names[-1].lower()]
    elif key.shifted and not held_bits & _SHIFT:
        modifiers.append(KEYS["Shift"])
    return Chord(tuple(modifiers), key)


def _split(text: str) -> list[str]:
    # `+` separates and is a key itself: `ctrl++`, `+`.
    if text == "+" or text.endswith("++"):
        return [*filter(None, text[:-1].split("+")), "+"]
    return text.split("+")


def _lookup(name: str, text: str) -> Key:
    if key := CHARACTERS.get(name) or KEYS.get(name):
        return key
    if len(name) == 1 and name.isprintable():
        return Key(name, "", 0, text=name)
    folded = name.casefold().replace("_", "").replace("-", "").replace(" ", "")
    if key := ALIASES.get(folded):
        return key
    raise _unknown(name, text, (*ALIASES, *KEYS))


def _unknown(name: str, text: str, among: tuple[str, ...]) -> UsageError:
    folded = {candidate.casefold(): candidate for candidate in among}
    near = list(dict.fromkeys(folded[match] for match in get_close_matches(name.casefold(), folded, n=3, cutoff=0.6)))
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    message = (
        f"There is no key {name!r} in {text!r}.{hint} Valid: single characters, {', '.join(_SHOWN)}, F1 to F24, "
        "with Control, Alt, Shift or Meta before them, such as Control+a. To write text use the action type."
    )
    return UsageError("unknown_key", message, {"key": name, "near": near})


_SHOWN = (
    "Enter", "Tab", "Escape", "Backspace", "Delete", "Space", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home",
    "End", "PageUp",
    "PageDown", "Insert",
)  # fmt: skip


def _commands(chord: Chord, *, mac: bool) -> Iterator[Command]:
    bits = 0
    for modifier in chord.modifiers:
        bits |= modifier.bit
        yield _event("rawKeyDown", modifier, bits)
    name = "+".join([*(m.key for m in sorted(chord.modifiers, key=lambda m: -m.bit)), chord.key.code])
    command = _MAC_COMMANDS.get(name) if mac else None
    yield from _stroke(chord.key, bits, command=command)
    for modifier in reversed(chord.modifiers):
        bits &= ~modifier.bit
        yield _event("keyUp", modifier, bits)


def _stroke(key: Key, bits: int, *, typed: bool = False, command: str | None = None) -> Iterator[Command]:
    if not key.code and not bits & (_CONTROL_OR_META | _ALT):
        # A character of another layout has no physical key here; an insertion is what an input method would do.
        yield Command("Input.insertText", {"text": key.text})
        return
    # With Control or Meta a key writes nothing, and Chrome would insert any text given; Alt alone is an accelerator
    # too.
    writes = key.text if typed or not bits & (_CONTROL_OR_META | _ALT) else ""
    down = _event("keyDown" if writes else "rawKeyDown", key, bits)
    if writes:
        down.params.update(text=writes, unmodifiedText=writes)
    if command:
        down.params["commands"] = [command]
    yield down
    yield _event("keyUp", key, bits & ~key.bit)


def _event(kind: str, key: Key, bits: int) -> Command:
    params: dict[str, Any] = {
        "type": kind,
        "modifiers": bits,
        "key": key.key,
        "code": key.code,
        "windowsVirtualKeyCode": key.number,
    }
    if key.location:
        params["location"] = key.location
    if key.location == _KEYPAD:
        params["isKeypad"] = True
    return Command("Input.dispatchKeyEvent", params)
