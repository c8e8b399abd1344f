"""A process that saves into a store until it is killed, and says on stdout what it was told is saved.

`memory_writer.py STORE NAME`: one line a save, `new ID` for a topic of its own, `joint ID` for a line of the topic that
all writers share.
"""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path

from freehold.errors import UsageError
from freehold.memory.store import Store

# Long enough that a torn write would show.
FILLER = "".join(f"- point {number} of what was learned\n" for number in range(60))


def main() -> None:
    store = Store.open(Path(sys.argv[1]), deadline=60)
    for number in count():
        mark = f"{sys.argv[2]}-{number}"
        store.save(f"Note {mark}", f"begin {mark}\n{FILLER}end {mark}\n")
        print("new", mark, flush=True)
        if number % 3 == 0:
            join(store, mark)
            print("joint", mark, flush=True)


def join(store: Store, mark: str) -> None:
    while True:
        shared = store.topic("shared")
        try:
            store.save("Shared", f"{shared.body}- joint {mark}.\n", name="shared", expected_revision=shared.revision)
            return
        except UsageError as error:
            if error.code != "conflict":
                raise


if __name__ == "__main__":
    main()
