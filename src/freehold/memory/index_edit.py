"""Changing `MEMORY.md` while others may write it: drafted before what it speaks of is touched, applied after."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from freehold.errors import UsageError
from freehold.memory import index
from freehold.memory.files import ChangedError, Draft
from freehold.memory.folder import Folder
from freehold.memory.name import INDEX
from freehold.memory.state import State

_TRIES = 20


class IndexEdit:
    """A change of the index of `folder`, whose lock must be held. Its draft is on the disk: a full disk shows early."""

    def __init__(self, folder: Folder, known: State, change: Callable[[str], str]) -> None:
        self._folder = folder
        self._known = known
        self._change = change
        self.text = ""
        self._draft: Draft | None = None
        self._prepare()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._draft is not None:
            self._draft.discard()

    def apply(self) -> None:
        """Put the draft in its place; where an editor wrote the index meanwhile, change that version instead."""
        for attempt in range(_TRIES):
            if self._draft is None:
                return
            try:
                if self._was is None:
                    self._draft.create()
                else:
                    self._draft.replace(self._was)
                return
            except ChangedError:
                time.sleep(0.001 * attempt)
                self._prepare()
        message = (
            "MEMORY.md is being rewritten all the time by another program. Close it, then run: freehold memory reindex"
        )
        raise UsageError("conflict", message, {"name": INDEX})

    def _prepare(self) -> None:
        self._was = self._folder.resting_index(self._known)
        # Bytes that are no UTF-8 come back as they were.
        before = (self._was or b"").decode("utf-8", "surrogateescape")
        self.text = self._change(before)
        file = self._folder.path / index.FILE
        same = self.text == before
        self._draft = None if same else Draft(file, self.text.encode("utf-8", "surrogateescape"))
