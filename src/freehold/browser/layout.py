"""The US keyboard.

For every key its `key`, `code` and `location` (UI Events), its Windows virtual key code, and what it writes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Key:
    """One key.

    `number` is its Windows virtual key code, `bit` its place in CDP's modifiers, `shift_key` what it is with Shift.
    """

    key: str
    code: str
    number: int
    text: str = ""
    location: int = 0
    bit: int = 0
    shifted: bool = False
    shift_key: str = ""


_LEFT, _RIGHT, _KEYPAD = 1, 2, 3

MODIFIERS = {
    "Alt": Key("Alt", "AltLeft", 18, location=_LEFT, bit=1),
    "Control": Key("Control", "ControlLeft", 17, location=_LEFT, bit=2),
    "Meta": Key("Meta", "MetaLeft", 91, location=_LEFT, bit=4),
    "Shift": Key("Shift", "ShiftLeft", 16, location=_LEFT, bit=8),
}

_NAMED = {
    "Backspace": 8, "Tab": 9, "Pause": 19, "CapsLock": 20, "Escape": 27, "PageUp": 33, "PageDown": 34, "End": 35,
    "Home": 36,
    "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "PrintScreen": 44, "Insert": 45, "Delete": 46,
    "ContextMenu": 93,
    "NumLock": 144, "ScrollLock": 145, "AudioVolumeMute": 173, "AudioVolumeDown": 174, "AudioVolumeUp": 175,
    "MediaTrackNext": 176,
    "MediaTrackPrevious": 177, "MediaStop": 178, "MediaPlayPause": 179,
}  # fmt: skip

# Unshifted, shifted, code, number: the keys that write.
_WRITING = (
    *((letter, letter.upper(), f"Key{letter.upper()}", ord(letter.upper())) for letter in "abcdefghijklmnopqrstuvwxyz"),
    *((digit, shifted, f"Digit{digit}", ord(digit)) for digit, shifted in zip("0123456789", ")!@#$%^&*(", strict=True)),
    (";", ":", "Semicolon", 186), ("=", "+", "Equal", 187), (",", "<", "Comma", 188), ("-", "_", "Minus", 189),
    (".", ">", "Period", 190),
    ("/", "?", "Slash", 191), ("`", "~", "Backquote", 192), ("[", "{", "BracketLeft", 219),
    ("\\", "|", "Backslash", 220),
    ("]", "}", "BracketRight", 221), ("'", '"', "Quote", 222),
)  # fmt: skip

_NUMPAD = {
    **{f"Numpad{digit}": (str(digit), 96 + digit) for digit in range(10)},
    "NumpadMultiply": ("*", 106), "NumpadAdd": ("+", 107), "NumpadSubtract": ("-", 109), "NumpadDecimal": (".", 110),
    "NumpadDivide": ("/", 111),
}  # fmt: skip

# xdotool's keysyms and what people call keys, without case and underscores.
_OTHER_NAMES = {
    "ctrl": "Control", "controll": "Control", "controlleft": "Control", "controlr": "ControlRight", "ctrll": "Control",
    "ctrlr": "ControlRight",
    "option": "Alt", "opt": "Alt", "altl": "Alt", "altleft": "Alt", "altr": "AltRight", "altgr": "AltRight",
    "isolevel3shift": "AltRight",
    "cmd": "Meta", "command": "Meta", "super": "Meta", "superl": "Meta", "superr": "MetaRight", "win": "Meta",
    "windows": "Meta",
    "metal": "Meta", "metaleft": "Meta", "os": "Meta", "shiftl": "Shift", "shiftleft": "Shift", "shiftr": "ShiftRight",
    "return": "Enter", "linefeed": "Enter", "kpenter": "NumpadEnter", "esc": "Escape", "bksp": "Backspace",
    "back": "Backspace",
    "del": "Delete", "ins": "Insert", "spacebar": "Space", "pgup": "PageUp", "pgdn": "PageDown", "pgdown": "PageDown",
    "prior": "PageUp",
    "next": "PageDown", "up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight",
    "uparrow": "ArrowUp",
    "downarrow": "ArrowDown", "leftarrow": "ArrowLeft", "rightarrow": "ArrowRight", "menu": "ContextMenu",
    "apps": "ContextMenu",
    "caps": "CapsLock", "print": "PrintScreen", "sysreq": "PrintScreen", "begin": "Home",
    "plus": "+", "minus": "-", "equal": "=", "equals": "=", "comma": ",", "period": ".", "dot": ".", "slash": "/",
    "backslash": "\\",
    "semicolon": ";", "colon": ":", "apostrophe": "'", "quote": "'", "quotedbl": '"', "grave": "`", "backquote": "`",
    "asciitilde": "~",
    "bracketleft": "[", "bracketright": "]", "braceleft": "{", "braceright": "}", "bar": "|", "underscore": "_",
    "exclam": "!", "at": "@",
    "numbersign": "#", "dollar": "$", "percent": "%", "asciicircum": "^", "ampersand": "&", "asterisk": "*",
    "parenleft": "(",
    "parenright": ")", "less": "<", "greater": ">", "question": "?",
    "kpadd": "NumpadAdd", "kpsubtract": "NumpadSubtract", "kpmultiply": "NumpadMultiply", "kpdivide": "NumpadDivide",
    "kpdecimal": "NumpadDecimal", **{f"kp{digit}": f"Numpad{digit}" for digit in range(10)},
}  # fmt: skip


def _characters() -> dict[str, Key]:
    keys = {" ": Key(" ", "Space", 32, " ")}
    for plain, shifted, code, number in _WRITING:
        keys[plain] = Key(plain, code, number, plain, shift_key=shifted)
        keys[shifted] = Key(shifted, code, number, shifted, shifted=True)
    return keys


def _keys() -> dict[str, Key]:
    # `\r` is what Chrome expects of Enter: without it neither a form is sent nor a line begun.
    keys = {name: Key(name, name, number) for name, number in _NAMED.items()}
    keys |= MODIFIERS
    keys |= {f"{name}Right": replace(key, code=f"{name}Right", location=_RIGHT) for name, key in MODIFIERS.items()}
    keys["MetaRight"] = replace(keys["MetaRight"], number=92)
    keys |= {"Enter": Key("Enter", "Enter", 13, "\r"), "NumpadEnter": Key("Enter", "NumpadEnter", 13, "\r", _KEYPAD)}
    keys |= {name: Key(text, name, number, text, _KEYPAD) for name, (text, number) in _NUMPAD.items()}
    keys |= {f"F{number}": Key(f"F{number}", f"F{number}", 111 + number) for number in range(1, 25)}
    keys |= {key.code: key for key in CHARACTERS.values() if not key.shifted}
    return keys


CHARACTERS = _characters()
"""By what they write: every printable ASCII character."""

KEYS = _keys()
"""By their DOM names, both `key` and `code`."""

ALIASES = {
    **{name.casefold(): key for name, key in KEYS.items()},
    **{name: KEYS.get(target) or CHARACTERS[target] for name, target in _OTHER_NAMES.items()},
}
"""By every other name, in small letters and without underscores."""
