"""Secrets in a text: recognised before anything is written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from freehold.memory import secret_kinds as kinds

# What stands where a secret would: a variable, a template, dots and stars, a word that says so.
_PLACEHOLDER = re.compile(
    r"""(?ix)
    [<\[{(] .* | [$@] .* | %\w+% | .* (?:\$\{ | \{\{ | \.\.\.) .* | [*.x_#\u2022\u2026-]+
    | (?:your|my|the|some|new|old|insert|enter|replace|put)[_-]? .* (?:key|token|secret|password|here) .*
    | null|none|nil|true|false|undefined|required|optional|string|redacted|removed|hidden|change-?me|placeholder
    | example|dummy|empty|unset|missing
    """
)
# Code that fetches one: os.environ["X"], process.env.X, getenv(...), settings.api_key.
_CODE = re.compile(r"[A-Za-z_][\w]*(?:\.[A-Za-z_]\w*)+(?:[\[(].*)?|[A-Za-z_][\w.]*[\[(].*")
# Small letters only in a path of several parts: a base64 key has slashes too.
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://.*|[~.]{0,2}/[\w./~-]*|[A-Za-z]:\\.*|[a-z0-9._-]+(?:/[a-z0-9._-]+)+")
_DATE_OR_VERSION = re.compile(r"v?\d+(?:[.:T/-]\d+)*Z?")
_TRAILING = ".,:!?)]}>\u3002\uff0c*_"
_LOGIN = "password"
_LONGEST_KEY = 20_000
_SYMBOL = re.compile(r"[!@#$%^&*+=~?]")


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret: its line counted from 1, what it is, and where it stands in the text."""

    line: int
    kind: str
    start: int
    end: int


def find_secrets(text: str) -> list[Secret]:
    """Return the secrets in `text`, in order and without overlap: what a commit id, digest or UUID is not."""
    found: list[Secret] = []
    line, seen, end = 1, 0, 0
    for start, stop, kind in sorted(_spans(text), key=lambda span: (span[0], -span[1])):
        if start >= end:
            line += text.count("\n", seen, start)
            seen = start
            found.append(Secret(line, kind, start, stop))
        elif stop > end:
            found[-1] = replace(found[-1], end=stop)
        end = max(end, stop)
    return found


def redact(text: str) -> str:
    """Return `text` with each secret replaced by `[KIND removed]`."""
    for secret in reversed(find_secrets(text)):
        text = f"{text[: secret.start]}[{secret.kind} removed]{text[secret.end :]}"
    return text


def _spans(text: str) -> Iterator[tuple[int, int, str]]:
    yield from _private_keys(text)
    for kind, signs, pattern in kinds.PREFIXED:
        if any(sign in text for sign in signs):
            for match in re.finditer(pattern, text):
                yield match.start(), match.end(), kind
    for pattern, kind, passes in _CREDENTIALS:
        for match in re.finditer(pattern, text):
            if passes(match["bare"]):
                yield *match.span("bare"), kind
    # Most texts have none of the words, and looking for them one by one takes a hundredth of the pattern's time.
    folded = text.casefold()
    if any(word in folded for word in kinds.PASSWORD_WORDS):
        yield from _named(text, kinds.PASSWORD, _LOGIN)
    if any(word in folded for word in kinds.TOKEN_WORDS):
        yield from _named(text, kinds.TOKEN, "token or key")


def _private_keys(text: str) -> Iterator[tuple[int, int, str]]:
    end = closing = 0
    for match in re.finditer(kinds.PRIVATE_KEY, text):
        if match.start() < end:
            continue
        if 0 <= closing < match.end():
            closing = text.find("-----END ", match.end())
        whole = text.find("-----", closing + 9, closing + 80) if 0 <= closing < match.end() + _LONGEST_KEY else -1
        end = whole + 5 if whole >= 0 else match.end()
        yield match.start(), end, "private key"


def _named(text: str, pattern: str, kind: str) -> Iterator[tuple[int, int, str]]:
    for match in re.finditer(pattern, text):
        if match["quoted"] is not None:
            if _is_quoted(match["quoted"], kind):
                yield *match.span("quoted"), kind
            continue
        value = match["bare"].rstrip(_TRAILING)
        if _is_named(value, kind):
            yield match.start("bare"), match.start("bare") + len(value), kind


def _is_credential(value: str) -> bool:
    return not _PLACEHOLDER.fullmatch(value)


def _is_random(value: str) -> bool:
    return _is_credential(value) and bool(re.search(r"\d", value)) and bool(re.search(r"[A-Za-z]", value))


def _is_literal(value: str) -> bool:
    return _is_credential(value) and not any(one.fullmatch(value) for one in (_ADDRESS, _CODE))


def _is_login(value: str) -> bool:
    return _is_named(value, _LOGIN)


def _is_quoted(value: str, kind: str) -> bool:
    """Tell whether a quoted value is a secret: what is quoted after `password` is meant literally."""
    if _PLACEHOLDER.fullmatch(value) or _ADDRESS.fullmatch(value) or _CODE.fullmatch(value):
        return False
    return kind == _LOGIN or _is_named(value, kind)


def _is_named(value: str, kind: str) -> bool:
    """Tell whether the bare word after `password` or `token` is one: words of prose have neither digits nor signs."""
    if len(value) < 6 or any(pattern.fullmatch(value) for pattern in (_PLACEHOLDER, _ADDRESS, _CODE)):
        return False
    if kind == _LOGIN and value.isdigit():
        return True
    if _DATE_OR_VERSION.fullmatch(value):
        return False
    letters, digits = re.search(r"[A-Za-z]", value), re.search(r"\d", value)
    if kind == _LOGIN:
        return bool(letters and (digits or _SYMBOL.search(value)))
    return bool(letters and digits and len(value) >= 8)


_CREDENTIALS = (
    (kinds.CONNECTION, "password in an address", _is_credential),
    (kinds.CURL, _LOGIN, _is_credential),
    (kinds.NETRC, _LOGIN, _is_credential),
    (kinds.COMMAND, _LOGIN, _is_credential),
    (kinds.ASSIGNED, _LOGIN, _is_literal),
    (kinds.ROW, _LOGIN, _is_login),
    (kinds.PHRASE, _LOGIN, _is_credential),
    (kinds.DOCKER, _LOGIN, _is_credential),
    (kinds.PUTTY, "private key", _is_credential),
    (kinds.HEADER, "authorization", _is_random),
    (kinds.BEARER, "authorization", _is_random),
)
