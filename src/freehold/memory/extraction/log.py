"""The extraction's log: a line for each pass, the newest kept."""

from __future__ import annotations

from pathlib import Path

from freehold.memory import files
from freehold.memory.redact import redact

MOST = 500
_LONGEST = 500


class Log:
    """Lines in `file`."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def lines(self) -> list[str]:
        """Return the lines, the oldest first."""
        data = files.read(self._file) or b""
        return data.decode("utf-8", "replace").splitlines()

    def add(self, when: str, line: str) -> None:
        """Add one line; secrets and line ends in it are taken out."""
        told = " ".join(redact(line).split())[:_LONGEST]
        with files.named_errors(self._file.parent):
            files.plain_folder(self._file.parent)
            kept = self.lines()
            with self._file.open("ab") as stream:
                stream.write(f"{when} {told}\n".encode("utf-8", "replace"))
            if len(kept) >= 2 * MOST:
                shorter = "".join(f"{one}\n" for one in self.lines()[-MOST:])
                scratch = self._file.with_name(f"{files.SCRATCH}log")
                scratch.write_text(shorter, encoding="utf-8")
                scratch.replace(self._file)
