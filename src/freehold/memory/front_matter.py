"""The YAML block at the top of a topic: read without trusting it, changed without disturbing what else stands in it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast

# A block longer than this is not front matter; parsing it would only cost time.
MAX_CHARACTERS = 64_000

_OPENING = re.compile(r"\ufeff?---[ \t]*(?:\r\n|\n)")
# The blank line after the block is for people; it belongs to the block, so that a body starts with its first word.
_CLOSING = re.compile(r"^(?:---|\.\.\.)[ \t]*(?:(?:\r\n|\n)(?:\r\n|\n)?|\Z)", re.MULTILINE)
_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\dZ)?")
_OTHER_BREAK = re.compile("[\x85\u2028\u2029]")
# Lines of plain scalars (YAML 1.2.2, 7.3.3), which is what nearly every block is: taking them apart here spares YAML's
# parser a tenth of the time that a store's first index takes.
_PLAIN = re.compile(
    r"(?:[A-Za-z_][\w-]{0,60}: [\w(~./]"
    r"(?:[^\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff:#]|:(?=[^\s:])|(?<=[^\s:])#)*(?<=[^\s:])\n)+"
)
_LINE_END = re.compile(r"\r\n|\n")


def opens(text: str) -> bool:
    """Tell whether `text` begins as front matter does."""
    return _OPENING.match(text) is not None


def split(text: str) -> tuple[str, str]:
    """Return front matter and body of `text`; together they are `text`. The first is empty where there is no block."""
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end(), opening.end() + MAX_CHARACTERS) if opening else None
    return (text[: closing.end()], text[closing.end() :]) if closing else ("", text)


def load(front: str) -> dict[str, Any]:
    """Return the keys of the block `front`, every scalar as the text that stands there.

    Raises `ValueError`, in words for a person, where it is not a table of keys.
    """
    inside = _parts(front)[1]
    if _PLAIN.fullmatch(inside):
        return dict(line.split(": ", 1) for line in inside.splitlines())
    yaml = _yaml()
    try:
        # Scalars stay text: a date is what was written, and no tag makes an object.
        loaded: Any = yaml.load(inside, Loader=_loader(yaml))
    except (yaml.YAMLError, RecursionError, UnicodeError) as error:
        raise ValueError(f"its front matter is not YAML: {_told(error)}") from error
    if not isinstance(loaded, dict):
        if loaded in (None, ""):
            return {}
        raise ValueError("its front matter is not a list of `key: value` lines")
    return cast("dict[str, Any]", loaded)


def changed(front: str, values: Mapping[str, str]) -> str:
    """Return `front` with `values` set: other keys, their order and comments stay. An empty text takes a key away.

    An empty `front` makes a new block.
    """
    if not front:
        return f"---\n{_lines(values)}---\n\n"
    edited = _edited(front, values)
    return edited if edited is not None and _holds(edited, front, values) else _rewritten(front, values)


def _parts(front: str) -> tuple[str, str, str]:
    """Return the opening line, what stands between, and the closing line of `front`."""
    opening = _OPENING.match(front)
    start = opening.end() if opening else 0
    closing = _CLOSING.search(front, start)
    stop = closing.start() if closing else len(front)
    return front[:start], front[start:stop], front[stop:]


def _edited(front: str, values: Mapping[str, str]) -> str | None:
    """Return `front` with only the lines of `values` changed, or None where the block is not one key a line."""
    opening, inside, closing = _parts(front)
    starts = _starts(inside)
    if starts is None:
        return None
    lines = inside.splitlines(keepends=True)
    end_of_line = "\r\n" if opening.endswith("\r\n") else "\n"
    added = dict(values)
    stops = [line for _, line in starts[1:]] + [len(lines)]
    for (key, start), stop in reversed(list(zip(starts, stops, strict=True))):
        if key in values:
            lines[start : _last(lines, start, stop)] = [_line(key, values[key], end_of_line)]
            added.pop(key, None)
    return "".join([opening, *lines, *(_line(key, value, end_of_line) for key, value in added.items()), closing])


def _starts(inside: str) -> list[tuple[str, int]] | None:
    """Return each key with its line, or None where lines are not what sets the keys apart."""
    yaml = _yaml()
    node = yaml.compose(inside, Loader=_loader(yaml))
    if node is None:
        return []
    if not isinstance(node, yaml.MappingNode) or node.flow_style:
        return None
    starts = [(str(key.value), int(key.start_mark.line)) for key, _ in node.value]
    return starts if len({line for _, line in starts}) == len(starts) else None


def _last(lines: list[str], start: int, stop: int) -> int:
    """Return where the entry from `start` ends: comments and blank lines before the next key belong to that key."""
    while stop > start + 1 and (not lines[stop - 1].strip() or lines[stop - 1].startswith("#")):
        stop -= 1
    return stop


def _holds(edited: str, front: str, values: Mapping[str, str]) -> bool:
    kept = {key: value for key, value in load(front).items() if key not in values}
    try:
        return split(edited) == (edited, "") and load(edited) == kept | {
            key: text for key, text in values.items() if text
        }
    except ValueError:
        return False


def _rewritten(front: str, values: Mapping[str, str]) -> str:
    """Return a block written anew: what stood there keeps its types, not its layout."""
    yaml = _yaml()
    try:
        kept: Any = yaml.load(_parts(front)[1], Loader=yaml.SafeLoader)
    except (yaml.YAMLError, ValueError, RecursionError):
        kept = load(front)
    table: dict[Any, Any] = cast("dict[Any, Any]", kept) if isinstance(kept, dict) else {}
    rest = {key: value for key, value in table.items() if key not in values}
    return f"---\n{_lines(values)}{_dump(rest) if rest else ''}---\n\n"


def _lines(values: Mapping[str, str]) -> str:
    return "".join(_line(key, value, "\n") for key, value in values.items())


def _line(key: str, value: str, end_of_line: str) -> str:
    if not value:
        return ""
    if _DATE.fullmatch(value):
        return f"{key}: {value}{end_of_line}"
    return _LINE_END.sub(end_of_line, _dump({key: value}))


def _dump(table: Mapping[Any, Any]) -> str:
    # YAML 1.1 ends lines at these too, and would read them back as a space: they are written as escapes.
    plain = not any(isinstance(value, str) and _OTHER_BREAK.search(value) for value in table.values())
    dump = _yaml().safe_dump
    return dump(dict(table), allow_unicode=plain, width=1_000_000, sort_keys=False, default_flow_style=False)


def _told(error: Exception) -> str:
    problem: Any = getattr(error, "problem", None)
    mark: Any = getattr(error, "problem_mark", None)
    # Line 1 of the file is the opening `---`, and YAML counts from 0.
    return f"line {mark.line + 2}: {problem}" if problem and mark else " ".join(str(error).split())[:120]


def _yaml() -> Any:
    import yaml  # noqa: PLC0415 - takes 0.017 s to import, and a search where nothing changed reads no front matter

    return yaml


def _loader(yaml: Any) -> Any:
    """Return the loader that makes only text and lists, in C where it was built."""
    return getattr(yaml, "CBaseLoader", yaml.BaseLoader)
