"""Whole files of a store: read and written as sharing and editors do, past the rules for single topics."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from freehold.errors import UsageError
from freehold.memory import files, index
from freehold.memory.files import ChangedError, Draft
from freehold.memory.folder import Folder
from freehold.memory.store import Store


class StoreFiles:
    """The Markdown files of `store`, by file name."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._folder = Folder(store.path, store.agent)

    @property
    def path(self) -> Path:
        """Return the store's folder."""
        return self._folder.path

    def read(self, name: str) -> str | None:
        """Return the text of a file, None when it is not there; bytes that are no UTF-8 survive `take_in`."""
        with files.named_errors(self.path):
            data = files.read(self.path / name)
        return None if data is None else data.decode("utf-8", "surrogateescape")

    def take_in(self, changes: Mapping[str, str | None], read: Mapping[str, str]) -> bool:
        """Write files (None: to the trash). `read` is what they said when the changes were made.

        False when one of them says something else by now: nothing of that one is written, others may have been, and
        the caller begins anew with what stands there.
        """
        if not changes:
            return True
        with self._folder.writing():
            if any(self.read(name) != read.get(name) for name in changes):
                return False
            # The index last: it never lists what is not there.
            for name in sorted(changes, key=lambda name: name == index.FILE):
                text = changes[name]
                if text is not None and not self._write(name, text, read.get(name)):
                    return False
        for name, text in changes.items():
            if text is None:
                self._forget(name)
        return True

    def reindex(self) -> object:
        """Bring MEMORY.md in line with the topics."""
        return self._store.reindex()

    def _write(self, name: str, text: str, was: str | None) -> bool:
        with files.named_errors(self.path):
            draft = Draft(self.path / name, text.encode("utf-8", "surrogateescape"))
            try:
                if was is None:
                    draft.create()
                else:
                    draft.replace(was.encode("utf-8", "surrogateescape"))
            except ChangedError:
                return False
        return True

    def _forget(self, name: str) -> None:
        if name == index.FILE:
            return
        try:
            self._store.forget(name)
        except UsageError as error:
            if error.code != "unknown_topic":
                raise
