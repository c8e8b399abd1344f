r"""What a page says, made safe to stand beside our own words: nothing in it can look like a line of ours.

A mark is the code point written out, such as `\u{202E}`; a reader sees that something was there, and nothing is
dropped. White space is collapsed in `one_line` and kept in `block`.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable

# What moves, hides or ends text for a reader: the controls of C0 and C1 (tab and line feed are handled before), the
# bidirectional controls of UAX #9, the line and paragraph separators, what is invisible by itself (UTS #39 §5.4),
# halves of surrogate pairs (which JavaScript strings may hold and UTF-8 may not) and the non-characters. Soft hyphen,
# ZWNJ (Persian) and ZWJ (emoji) are part of words.
_INVISIBLE = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u034f\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164"
    "\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff\U0001d173-\U0001d17a"
)
_WITHIN_WORDS = "\u00ad\u200c\u200d\ufe00-\ufe0f"
# Tag characters and long runs of variation selectors can carry a whole hidden message. The flags of England, Scotland
# and Wales (UTS #51: black flag, up to six tags, the end tag) and one selector after a character are what they are for.
_FLAG = "\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,6}\U000e007f"
_SELECTOR = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
# `[ref_` also with look-alikes that NFKC folds to it, in capitals, or with something invisible between its letters.
_GAP = f"[{_INVISIBLE}{_WITHIN_WORDS}]*"
_REF = (
    "[\\[\uff3b](?="
    + "".join(f"{_GAP}[{letter}]" for letter in ("rR\uff52\uff32", "eE\uff45\uff25", "fF\uff46\uff26", "_\uff3f"))
    + ")"
)
# Text until it is needed: compiling it takes 0.003 s.
_MARKED = (
    f"({_FLAG})|{_REF}|(?<=[{_SELECTOR}])[{_SELECTOR}]+|[{_INVISIBLE}]|[\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]"
)
_SPACES = re.compile("[ \t\n\r\f\v\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_LINE_ENDS = re.compile("\r\n?")

ADDRESS = 2_000
"""How much of an address `short` leaves: it is read as a whole."""


def one_line(text: str) -> str:
    """Return a name or value of the page as one line.

    White space collapsed and trimmed, everything else of harm marked.
    """
    # The common case in one pass each in C; a page of 10,000 nodes goes through here twice a node.
    if text.isascii() and text.isprintable() and "[" not in text:
        return " ".join(text.split()) if "  " in text else text.strip()
    return mark(_SPACES.sub(" ", text).strip())


def block(text: str) -> str:
    """Return text of the page with its lines and spaces kept.

    Line ends become line feeds, everything else of harm is marked.
    """
    return mark(_LINE_ENDS.sub("\n", text))


def short(text: str, limit: int = 300) -> str:
    """Return a name of the page as `one_line` does, and of a long one its beginning: it stands among words of ours."""
    return shown_text(one_line(text), limit)


def shown_text(text: str, limit: int) -> str:
    """Return `text`, or its first `limit` characters and how many more there are."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}…(+{len(text) - limit} characters)"


def mark(text: str) -> str:
    """Write out the code points of `text` that could mislead a reader; tab and line feed stay."""
    if text.isascii() and text.isprintable() and "[" not in text:
        return text
    return re.sub(_MARKED, _written_out, text)


def boundary(kind: str, text: str, token: Callable[[], str] = lambda: secrets.token_hex(4)) -> str:
    """Put marked `text` between two lines with a random token, so that the page cannot write the end of its own text.

    `kind` is a word of ours, such as `page`; `token` draws a candidate and is drawn again while `text` contains it.
    """
    drawn = token()
    while drawn in text:
        drawn = token()
    return f"<{kind} {drawn}>\n{text}\n</{kind} {drawn}>"


def _written_out(match: re.Match[str]) -> str:
    if match[1]:
        return match[1]
    return "".join(f"\\u{{{ord(character):X}}}" for character in match[0])
