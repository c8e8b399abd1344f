"""What killed writers left in a store: taken away, put right, or kept where it is nobody's to throw away."""

from __future__ import annotations

import os
from pathlib import Path

from freehold.memory import files
from freehold.memory.exchange import exchange

TRASH = ".trash"


def clear(folder: Path) -> None:
    """Undo what a kill left half done in `folder`, whose lock must be held."""
    left = [Path(entry.path) for entry in os.scandir(folder) if entry.name.startswith((files.SCRATCH, files.SWAP))]
    for file in left:
        if file.name.startswith(files.SCRATCH):
            # A draft that never came to its place: nobody was told that it is saved.
            file.unlink()
        else:
            _clear_swap(file)


def _clear_swap(file: Path) -> None:
    """Take away the draft or the replaced version; an editor's version that a kill left swapped out goes back."""
    target_name, ours, replaced = file.name.removeprefix(files.SWAP).split("-")[:3]
    there = files.digest(files.read(file) or b"")
    if there in {ours, replaced}:
        file.unlink()
        return
    targets = [entry for entry in os.scandir(file.parent) if files.digest(os.fsencode(entry.name)) == target_name]
    target = Path(targets[0].path) if targets else None
    if target is not None and files.digest(files.read(target) or b"") == ours and exchange(file, target):
        file.unlink()
        return
    files.plain_folder(file.parent / TRASH)
    file.rename(file.parent / TRASH / f"{file.name.removeprefix('.')}.leftover")
