"""Statements of a database that run one after the other while their caller prepares the next."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Self


class Writes:
    """Runs what is added in its order; at the end all has run, and the first error of them is raised.

    `threaded`: in a thread of its own. SQLite gives Python's lock up while it writes, which is a quarter of the time
    that indexing takes. Who adds must not use the connection meanwhile.
    """

    def __init__(self, *, threaded: bool) -> None:
        self._pool = ThreadPoolExecutor(1) if threaded else None
        self._futures: list[Future[None]] = []

    def add(self, write: Callable[..., None], *arguments: Any) -> None:
        """Run `write`, now or soon."""
        if self._pool is None:
            write(*arguments)
        else:
            self._futures.append(self._pool.submit(write, *arguments))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, failed: object, *_: object) -> None:
        if self._pool is None:
            return
        self._pool.shutdown(wait=True, cancel_futures=failed is not None)
        if failed is None:
            for future in self._futures:
                future.result()
