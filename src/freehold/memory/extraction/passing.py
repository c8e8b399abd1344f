"""One pass: from what has settled to what stands in the store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

from anyio import to_thread

from freehold.errors import FreeholdError
from freehold.memory.extraction import call, fork, view, work
from freehold.memory.extraction.candidate import AnswerRefusedError
from freehold.memory.extraction.checks import checked
from freehold.memory.extraction.conversation import Conversation, conversation
from freehold.memory.extraction.keeping import Kept, StoreChangedError, keep
from freehold.memory.extraction.meter import Meter
from freehold.memory.extraction.outcome import Outcome, Result
from freehold.memory.extraction.records import Records
from freehold.memory.extraction.settings import ExtractionSettings
from freehold.memory.extraction.turns import Settled
from freehold.memory.extraction.view import View
from freehold.memory.extraction.work import Work
from freehold.memory.store import Store
from freehold.model.completer import Completer


class Passing:
    """Runs passes for one store; `cache` is the folder of the search indexes."""

    def __init__(
        self,
        store: Store,
        completer: Completer,
        settings: Callable[[], ExtractionSettings],
        records: Records,
        cache: Path | None = None,
    ) -> None:
        self._store = store
        self._completer = completer
        self._settings = settings
        self._records = records
        self._cache = cache

    async def run(self, unkept: Sequence[Settled], *, asked: bool) -> Outcome:
        """Work through the jobs that wait and through `unkept`; the outcome says what became of it, errors too.

        `asked`: the user wants it now, whatever failed before. Cancelled, it gives its jobs back as they were.
        """
        try:
            begun = await to_thread.run_sync(lambda: self._begun(unkept, asked=asked))
        except (FreeholdError, OSError) as error:
            return self._outcome("failed", str(error))
        if isinstance(begun, Outcome):
            return begun
        meter = Meter(self._completer)
        over = False
        try:
            outcome = await self._ended(begun, meter)
            over = True
            return outcome
        finally:
            if not over:
                self._records.jobs.release(begun.claims)

    def _begun(self, unkept: Sequence[Settled], *, asked: bool) -> Work | Outcome:
        """Claim the work within the budget, or say why there is no pass."""
        records = self._records
        records.journal.recover(self._store.batch())
        if not unkept and not records.jobs.waiting():
            return self._outcome("skipped", "nothing has settled since the last pass")
        if refusal := records.budget.begin(asked=asked):
            return self._outcome("skipped", refusal)
        taken = work.claimed(records.jobs, unkept, records.journal.jobs(), records.clock.now())
        records.jobs.finish(taken.over)
        if taken.entries:
            return taken
        records.budget.undo_begin()
        why = "the session that it came from is gone" if taken.over else "another process is at work on it"
        return self._outcome("skipped", why)

    async def _ended(self, taken: Work, meter: Meter) -> Outcome:
        try:
            return await self._worked(taken, meter)
        except Exception as error:  # noqa: BLE001 - the last boundary: no fault of a pass may end the conversation's worker
            return self._mishap(taken, meter, error)
        finally:
            with suppress(FreeholdError):
                # On a full disk the count stays behind; the pass was counted when it began.
                self._records.budget.spent(meter.tokens)

    async def _worked(self, taken: Work, meter: Meter) -> Outcome:
        try:
            kept = await self._extracted(taken, meter)
        except StoreChangedError:
            # Read again, and the model asked again, once.
            kept = await self._extracted(taken, meter)
        self._records.jobs.finish(taken.claims)
        self._records.budget.succeeded()
        if kept.wrote or kept.held:
            return self._outcome("written", kept=kept, meter=meter)
        return self._outcome("nothing", "nothing was worth keeping", kept=kept, meter=meter)

    async def _extracted(self, taken: Work, meter: Meter) -> Kept:
        propose = fork.propose if self._settings().mode == "fork" else call.propose
        seen, said = await to_thread.run_sync(self._read, taken)
        if not said.parts:
            return Kept()
        found = checked(await propose(meter, self._settings().model, said, seen), said, seen)
        write = partial(keep, self._store, self._records, found, seen, said, jobs=taken.job_ids(), model=meter.model)
        return await to_thread.run_sync(write)

    def _read(self, taken: Work) -> tuple[View, Conversation]:
        said = conversation(taken.entries, view.read(self._store).texts())
        return view.read(self._store, said, self._cache), said

    def _mishap(self, taken: Work, meter: Meter, error: Exception) -> Outcome:
        """Return the outcome of a pass that ended with `error`, and give its jobs back or up."""
        try:
            if isinstance(error, StoreChangedError):
                self._records.jobs.release(taken.claims)
                return self._outcome("skipped", "the memory was changed twice while the model was asked", meter=meter)
            if isinstance(error, FreeholdError) and error.code == "model_unavailable":
                return self._without_model(taken, error)
            why = _told(error)
            given_up = self._records.jobs.fail(taken.claims)
            self._records.budget.failed(why)
            tail = f"; {len(given_up)} given up after the last attempt" if given_up else ""
            return self._outcome("failed", why + tail, meter=meter)
        except (FreeholdError, OSError) as second:
            return self._outcome("failed", f"{_told(error)}; then {second}", meter=meter)

    def _without_model(self, taken: Work, error: FreeholdError) -> Outcome:
        """Leave everything as it was: a model that is not configured is no failure of the work."""
        self._records.jobs.release(taken.claims)
        self._records.budget.undo_begin()
        why = (
            f"the model {self._settings().extract_model} is not configured ({error.message}); configure it, "
            'or set "extractModel" to another one or to "session"'
        )
        return self._outcome("skipped", why)

    def _outcome(
        self, result: Result, why: str = "", *, kept: Kept | None = None, meter: Meter | None = None
    ) -> Outcome:
        kept = kept or Kept()
        return Outcome(
            when=self._records.now(),
            result=result,
            why=why,
            wrote=kept.wrote,
            held=kept.held,
            dropped=kept.dropped,
            tokens=meter.tokens if meter else 0,
            model=meter.model if meter else "",
            number=kept.number,
        )


def _told(error: Exception) -> str:
    if isinstance(error, AnswerRefusedError):
        return f"nothing was written of the model's answer: {error}"
    if isinstance(error, FreeholdError):
        return f"{error.code}: {error.message}"
    return f"{type(error).__name__}: {error}"
