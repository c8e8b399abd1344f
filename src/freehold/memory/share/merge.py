"""Two versions of one topic become one: changes to different lines are joined, those to the same stand twice, marked.

The marks are HTML comments, so that the page still renders, and both texts between them stay searchable.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from freehold.errors import UnavailableError
from freehold.memory import front_matter
from freehold.memory.git import program_path
from freehold.memory.index import linked
from freehold.memory.share import keys

MARK = re.compile(r"^<!-- conflict: .*-->$", re.MULTILINE)
"""A line that a merge left for a person to settle."""

_END = "<!-- conflict: end; keep what is right and delete these three marks -->"
_SIZE = 61
"""Length of Git's own markers while they are read: longer than any line that people draw in Markdown."""

_SECONDS = 20
_LINES = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True, slots=True)
class Names:
    """Who wrote the two versions, as the marks say it."""

    ours: str
    theirs: str


@dataclass(frozen=True, slots=True)
class Merged:
    """The joined text; `conflict` when both sides stand in it, marked."""

    text: str
    conflict: bool = False


def topic(base: str, ours: str, theirs: str, names: Names) -> Merged:
    """Join two versions of a topic that both came from `base` (empty: there was none)."""
    before, mine, other = (front_matter.split(text) for text in (base, ours, theirs))
    head, notes = keys.merge(before[0], mine[0], other[0])
    body, conflict = _lines(before[1], mine[1], other[1], names)
    if notes:
        marked = "".join(f"<!-- conflict: {key} was also: {_quiet(value)} -->\n" for key, value in notes)
        body = f"{body}{'' if body.endswith(chr(10)) or not body else chr(10)}{marked}"
    return Merged(head + body, conflict or bool(notes))


def index(base: str, ours: str, theirs: str) -> str:
    """Join two versions of MEMORY.md: the lines of both, one for each topic, ours where both changed one."""
    joined = _merge_file(base, ours, theirs, "--union")[0]
    seen: set[str] = set()

    def first(line: str) -> bool:
        target = linked(line)
        known = target in seen
        seen.add(target)
        return not target or not known

    return "".join(line for line in _LINES.findall(joined) if first(line))


def without(text: str, absent: Callable[[str], bool]) -> str:
    """Return an index without the lines of topics whose file is `absent`."""
    lines = _LINES.findall(text)
    return "".join(line for line in lines if not (name := linked(line)) or not absent(f"{name}.md"))


def _lines(base: str, ours: str, theirs: str, names: Names) -> tuple[str, bool]:
    if ours in {theirs, base}:
        return theirs, False
    if theirs == base:
        return ours, False
    if MARK.search(ours) and set(_LINES.findall(theirs)) <= set(_LINES.findall(ours)):
        # Joined already, by a synchronisation that did not come to its commit.
        return ours, True
    text, conflicts = _merge_file(base, ours, theirs)
    return (_marked(text, names), True) if conflicts else (text, False)


def _merge_file(base: str, ours: str, theirs: str, *options: str) -> tuple[str, int]:
    """Run git-merge-file(1), which knows how to align lines; return the text and the number of conflicts."""
    with tempfile.TemporaryDirectory(prefix="freehold-merge-") as folder:
        files = [Path(folder, name) for name in ("ours", "base", "theirs")]
        for file, text in zip(files, (ours, base, theirs), strict=True):
            # A last line without an end would be glued to the next one.
            file.write_bytes(
                (text + "\n" if text and not text.endswith("\n") else text).encode("utf-8", "surrogateescape")
            )
        # The user's own merge.conflictStyle would add a third text to each conflict.
        command = [
            program_path(),
            "-c",
            "merge.conflictStyle=merge",
            "merge-file",
            "-p",
            "-q",
            f"--marker-size={_SIZE}",
        ]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        done = subprocess.run(
            [*command, *options, *map(str, files)],
            cwd=folder,
            env=environment,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    # 255 is an error; up to 127 it is the number of conflicts, cut off there.
    if done.returncode > 127 or done.returncode < 0:
        said = done.stderr.decode("utf-8", "replace").strip()
        raise UnavailableError("git_failed", f"Two versions of a topic cannot be joined: {said}. Sync again.")
    return done.stdout.decode("utf-8", "surrogateescape"), done.returncode


def _marked(text: str, names: Names) -> str:
    """Put our marks where Git's stand."""
    said = {
        "<": f"<!-- conflict: {_quiet(names.ours)} wrote -->",
        "=": f"<!-- conflict: {_quiet(names.theirs)} wrote -->",
        ">": _END,
    }
    marker = re.compile(rf"^(?:<{{{_SIZE}}}|={{{_SIZE}}}|>{{{_SIZE}}})(?: .*)?$", re.MULTILINE)
    return marker.sub(lambda match: said[match[0][0]], text)


def _quiet(words: str) -> str:
    """Return words that cannot end the comment they stand in."""
    return re.sub(r"[-<>]{2,}|[<>]", "-", " ".join(words.split()))[:300]
