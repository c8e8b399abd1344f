"""What a text says, whatever its layout: how the store knows that a fact was saved before."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass

# Shorter texts mean something only under their title: "8080" is the port of more than one server.
_TELLING = 40
_BREAK = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)])\s)|\n(?=#)|(?<=[^\n])\n(?=```)")
_MARK = re.compile(r"^\s*(?:[-*+]|\d+[.)]|#{1,6}|>)\s+")
_END = " .;,\u3002\uff1b\uff0c"


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Digests of a note: of title and body together, of the body alone (empty where it is short), and of its parts."""

    whole: str
    body: str
    parts: frozenset[str]


def fingerprint(title: str, body: str) -> Fingerprint:
    """Return the fingerprint of a note; case, spacing, list marks and a final full stop do not count."""
    parts = [part for piece in _BREAK.split(body) if not piece.lstrip().startswith("#") and (part := _normal(piece))]
    text = "\n".join(parts)
    telling = len(text) >= _TELLING
    return Fingerprint(
        _digest(f"{_normal(title)}\n{text}"),
        _digest(text) if telling else "",
        frozenset(_digest(part) for part in parts) if telling else frozenset(),
    )


def _normal(text: str) -> str:
    mark = _MARK.match(text)
    text = text[mark.end() :] if mark else text
    if not text.isascii():
        # Composed form only: NFKC would make x² and x2 one fact.
        text = unicodedata.normalize("NFC", text)
    return " ".join(text.split()).rstrip(_END).casefold()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
