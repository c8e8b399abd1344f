"""Names of topics and sub-agents: what every file system, shell and person can bear."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

from freehold.errors import UsageError

# A file name takes 255 bytes in UTF-8 on Linux and macOS; `.md`, a number and the stamp of the trash go behind.
MAX_BYTES = 200
INDEX = "MEMORY"

_FORBIDDEN = re.compile(r'[/\\<>:"|?*]')
# Windows takes these for devices, whatever follows the first dot (learn.microsoft.com, "Naming Files").
_RESERVED = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])\s*(?:\..*)?"
)
_CATEGORIES = {
    "Cc": "a control character",
    "Cf": "an invisible character",
    "Cs": "half a character",
    "Zl": "a line separator",
    "Zp": "a paragraph separator",
    "Co": "a private character",
    "Cn": "no character",
}


def checked(name: str) -> str:
    """Return `name` in Unicode's composed form, without a final `.md`; raise `UsageError` (`name_not_allowed`)."""
    bare = unicodedata.normalize("NFC", name).removesuffix(".md")
    wrong = _wrong(bare)
    if wrong:
        shown = name.encode("unicode_escape").decode()[:80]
        valid = 'letters of any language, digits, "-", "_" and ".", such as "build-steps"'
        message = f'The name "{shown}" {wrong}. Valid: {valid}.'
        raise UsageError("name_not_allowed", message, {"name": shown})
    return bare


def folded(name: str) -> str:
    """Return what two names share that some file system takes for one."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def proposed(title: str, taken: Collection[str]) -> str:
    """Return a name for a topic titled `title`, other than those `taken` on every file system."""
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFKC", title).casefold())
    base = ""
    for word in words:
        longer = f"{base}-{word}" if base else word
        if len(longer.encode()) > 80:
            break
        base = longer
    base = base or (words[0][:20] if words else "note")
    if _wrong(base):
        base = f"note-{base}"
    occupied = {folded(name) for name in taken}
    number = 1
    while folded(candidate := base if number == 1 else f"{base}-{number}") in occupied:
        number += 1
    return checked(candidate)


def _wrong(name: str) -> str:
    """Return what is wrong with `name`, in words, or an empty text."""
    if len(name.encode("utf-8", "surrogatepass")) > MAX_BYTES:
        return f"is longer than {MAX_BYTES} bytes"
    return _wrong_signs(name) or _wrong_word(name)


def _wrong_signs(name: str) -> str:
    for character in name:
        category = unicodedata.category(character)
        if category in _CATEGORIES:
            return f"has {_CATEGORIES[category]} in it (U+{ord(character):04X})"
    if found := _FORBIDDEN.search(name):
        return f'has "{found[0]}" in it; a topic stands at the top of its store'
    return ""


def _wrong_word(name: str) -> str:
    if not name:
        return "is empty"
    if name[0] in ". " or name[-1] in ". ":
        return "begins or ends with a dot or a space"
    if name[0] == "-":
        return "begins with a dash, which commands take for an option"
    if _RESERVED.fullmatch(name.casefold()):
        return "is a device on Windows"
    return "is that of the index" if folded(name) == folded(INDEX) else ""
