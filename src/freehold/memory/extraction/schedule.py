"""When a pass runs: one at a time, after so many prompts or so long without one, requests in between made one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import anyio

from freehold.memory.extraction.clock import Clock, happened


class Schedule:
    """Runs `work` when it is due. `run` must run for anything to happen; `drain` ends it.

    `every`: prompts until a pass; `idle_seconds`: until what waits is worked through without more of them.
    """

    def __init__(
        self,
        work: Callable[[], Awaitable[object]],
        *,
        every: Callable[[], int],
        idle_seconds: Callable[[], float],
        clock: Clock,
    ) -> None:
        self._work = work
        self._every = every
        self._idle_seconds = idle_seconds
        self._clock = clock
        self._waiting = 0
        self._talking = False
        self._last = 0.0
        self._due = False
        self._closing = False
        self._stirred = anyio.Event()
        self._finished: anyio.Event | None = None
        # Made by `run`: a scope belongs to an event loop, and this may be made before there is one.
        self._scope: anyio.CancelScope | None = None

    @property
    def busy(self) -> bool:
        """Whether a pass runs now."""
        return self._finished is not None

    @property
    def waiting(self) -> int:
        """How many settled prompts have had no pass yet."""
        return self._waiting

    def talking(self, *, now: bool) -> None:
        """Note that the conversation goes on, or rests: only rest counts as idle."""
        self._talking = now
        self._stir()

    def settled(self) -> None:
        """Count a prompt that has settled; the last one of `every` makes a pass due."""
        self._waiting += 1
        self._due = self._due or self._waiting >= self._every()
        self._stir()

    def request(self) -> None:
        """Make a pass due now; during one, one more after it, however often this is called."""
        self._due = True
        self._stir()

    async def run(self) -> None:
        """Run passes until `drain`."""
        with anyio.CancelScope() as self._scope:
            while await self._is_due():
                self._waiting, self._due = 0, False
                self._finished = anyio.Event()
                try:
                    await self._work()
                finally:
                    self._finished.set()
                    self._finished = None

    async def drain(self, seconds: float) -> bool:
        """Begin nothing more, and wait for a pass that runs, `seconds` at most; then cancel it.

        Tells whether nothing had to be cancelled. Without a pass it returns at once.
        """
        self._closing = True
        self._stir()
        finished = self._finished
        done = finished is None or await happened(finished, self._clock, seconds)
        if self._scope is not None:
            self._scope.cancel()
        if not done and finished is not None:
            # What is being written is written to its end; that takes no model.
            await finished.wait()
        return done

    async def _is_due(self) -> bool:
        while not (self._closing or self._due):
            stirred = self._stirred
            if self._waiting == 0 or self._talking:
                await stirred.wait()
                continue
            left = self._last + self._idle_seconds() - self._clock.now()
            if left <= 0 or not await happened(stirred, self._clock, left):
                return not self._closing
        return not self._closing

    def _stir(self) -> None:
        self._last = self._clock.now()
        self._stirred.set()
        self._stirred = anyio.Event()
