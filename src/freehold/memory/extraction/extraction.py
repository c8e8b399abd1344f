"""Memory that writes itself: watches a conversation's events and works through what has settled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import anyio
import msgspec
from anyio import to_thread

from freehold.errors import FreeholdError
from freehold.memory.extraction.clock import Clock, SystemClock, stamp
from freehold.memory.extraction.journal import Record
from freehold.memory.extraction.outcome import Outcome
from freehold.memory.extraction.passing import Passing
from freehold.memory.extraction.records import FOLDER, Records
from freehold.memory.extraction.schedule import Schedule
from freehold.memory.extraction.settings import ExtractionSettings
from freehold.memory.extraction.turns import Settled, TurnLedger
from freehold.memory.store import Store
from freehold.model.completer import Completer

DRAIN_SECONDS = 15.0
"""How long a pass that runs is waited for when its session ends."""

_UNKEPT = 50


class Extraction:
    """The extraction of one project in one process.

    `observe` takes Pi's events, `run` does the work and must be started by who makes this, `drain` ends it. `folder`:
    where jobs, journal and budget lie, in the store's folder unless said otherwise. `cache`: the folder of the search
    indexes. `remember`: called with the settings that `/pmem on` and `off` make, to keep them. `inputs_told`: as in
    `TurnLedger`. `takes_over`: what earlier sessions left is worked through when a session begins.
    """

    def __init__(
        self,
        store: Store,
        completer: Completer,
        settings: ExtractionSettings | None = None,
        *,
        clock: Clock | None = None,
        folder: Path | None = None,
        cache: Path | None = None,
        remember: Callable[[ExtractionSettings], None] | None = None,
        inputs_told: bool = False,
        takes_over: bool = True,
    ) -> None:
        self.store = store
        self.settings = settings or ExtractionSettings()
        self.cache = cache
        self.records = Records(folder or store.path / FOLDER, lambda: self.settings, clock or SystemClock())
        self._clock = self.records.clock
        self._remember = remember
        self._ledger = TurnLedger(inputs_told=inputs_told)
        self._takes_over = takes_over
        # What settled and has no job: of a conversation that is kept nowhere, or while the extraction is off.
        self._unkept: list[Settled] = []
        self._off: list[Settled] = []
        self._one = anyio.Lock()
        self._passing = Passing(store, completer, lambda: self.settings, self.records, cache)
        self._schedule = Schedule(
            self.work,
            every=lambda: self.settings.every,
            idle_seconds=lambda: self.settings.idle_seconds,
            clock=self._clock,
        )
        self.last: Outcome | None = None

    def observe(self, event: str, payload: Mapping[str, Any]) -> None:
        """Take in one of Pi's events. What settles with it is on the disk when this returns."""
        settled = self._ledger.observe(event, payload)
        if event in {"before_agent_start", "agent_start"}:
            self._schedule.talking(now=True)
        elif event in {"agent_settled", "session_start"}:
            self._schedule.talking(now=False)
        if settled is not None:
            self._take(settled)
        if event == "session_start" and self._takes_over and self.settings.auto_extract and self.records.jobs.waiting():
            self._schedule.request()

    async def run(self) -> None:
        """Work through what settles, until `drain`. Never raises but for cancellation."""
        await self._schedule.run()

    async def drain(self, seconds: float = DRAIN_SECONDS) -> bool:
        """End: wait for a pass that runs, `seconds` at most, and tell whether it could end by itself.

        What was not worked through stays a job for the next session.
        """
        return await self._schedule.drain(seconds)

    async def extract(self) -> Outcome:
        """Run a pass now, also while the extraction is off, for what settled in this session and what waits."""
        for settled in self._off:
            self._keep(settled)
        self._off.clear()
        return await self.work(asked=True)

    async def work(self, *, asked: bool = False) -> Outcome:
        """Run a pass as the schedule does; `asked`: the user wants it now, whatever failed before. One at a time."""
        if not (asked or self.settings.auto_extract):
            return Outcome(when=self.records.now(), result="skipped", why="autoExtract is off")
        async with self._one:
            unkept, self._unkept = self._unkept, []
            over = False
            try:
                outcome = await self._passing.run(unkept, asked=asked)
                over = outcome.result in {"written", "nothing", "failed"}
            finally:
                if not over:
                    self._unkept = [*unkept, *self._unkept]
            self.last = outcome
            await to_thread.run_sync(self._note, outcome)
            return outcome

    def undo(self, number: int | None = None) -> Record:
        """Take back a write, the last one without a `number`. Raises as `Journal.undo` says."""
        batch = self.store.batch()
        self.records.journal.recover(batch)
        record = self.records.journal.undo(batch, number)
        self.records.log.add(self.records.now(), f"undid {record.number}")
        return record

    def turn(self, *, on: bool) -> None:
        """Turn the extraction on or off; off, what settles is no longer noted, and what waits stays."""
        self.settings = msgspec.structs.replace(self.settings, auto_extract=on)
        if self._remember is not None:
            self._remember(self.settings)
        if on and self.records.jobs.waiting():
            self._schedule.request()

    def status(self) -> dict[str, Any]:
        """Return what a surface shows: settings, what runs and waits, the last pass, the budget and what is pending."""
        usage, last = self.records.budget.usage(), self.last or self.records.last()
        return {
            "autoExtract": self.settings.auto_extract,
            "extractModel": self.settings.extract_model,
            "mode": self.settings.mode,
            "busy": self._schedule.busy or self._one.locked(),
            "waiting": len(self.records.jobs.waiting()) + len(self._unkept),
            "pending": len(self.records.pending.all()),
            "last": msgspec.to_builtins(last) if last else None,
            "budget": {
                "passes": usage.passes,
                "dailyPasses": self.settings.daily_passes,
                "tokens": usage.tokens,
                "dailyTokens": self.settings.daily_tokens,
                "failures": usage.failures,
                "notBefore": stamp(usage.not_before) if usage.not_before > self._clock.now() else "",
                "fault": usage.fault,
            },
        }

    def _take(self, settled: Settled) -> None:
        if self.settings.auto_extract:
            self._keep(settled)
            self._schedule.settled()
        else:
            self._off = [*self._off, settled][-_UNKEPT:]

    def _keep(self, settled: Settled) -> None:
        if not settled.session_file:
            self._unkept = [*self._unkept, settled][-_UNKEPT:]
            return
        try:
            self.store.prepare()
            self.records.jobs.add(settled, self._clock.now())
        except (FreeholdError, OSError) as error:
            # The conversation goes on without; the user finds the reason in the status.
            self.last = Outcome(when=self.records.now(), result="failed", why=str(error))

    def _note(self, outcome: Outcome) -> None:
        try:
            self.records.note(outcome)
        except (FreeholdError, OSError) as error:
            self.last = msgspec.structs.replace(outcome, why=f"{outcome.why} (and the log: {error})")
