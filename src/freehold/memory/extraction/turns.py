"""Which turns of a conversation count: those that nothing can take back any more.

The order of Pi's events decides, and it was measured: a turn that ends "completed" under an aborted signal was
cancelled, "settled" comes after errors too, and an extension may go on after the run has ended. The table says what
each event does in each state; whatever it does not name changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from pathlib import Path
from typing import Any

import msgspec

from freehold.memory.extraction.entry import Entry, entries_of
from freehold.memory.extraction.typed import Typed


class State(Enum):
    """Where the run stands.

    `IDLE`: no run. `OPEN`: it goes on. `HELD`: an attempt failed or another run is to follow; only a new start may go
    on. `PROVISIONAL`: it ended well and is not settled. `DEAD`: it was cancelled or failed, and is not settled.
    """

    IDLE = auto()
    OPEN = auto()
    HELD = auto()
    PROVISIONAL = auto()
    DEAD = auto()


class Signal(Enum):
    """What an event means for the run."""

    PROMPT = auto()
    START = auto()
    GOOD_TURN = auto()
    BAD_TURN = auto()
    GOOD_END = auto()
    BAD_END = auto()
    GOING_ON = auto()
    SETTLED = auto()
    CANCEL = auto()
    LEAVE = auto()


class Step(Enum):
    """What is done with what was gathered.

    `PREPARE`: the turn's entries become a candidate. `HOLD`: the agent's part is dropped, the user's words wait for
    the attempt that succeeds. `COMMIT`: it is handed out. `DROP`: all of it goes.
    """

    NOTHING = auto()
    PREPARE = auto()
    HOLD = auto()
    COMMIT = auto()
    DROP = auto()


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    """What a settled run said; `session_file` is empty where the conversation is kept nowhere (`--no-session`)."""

    session_id: str
    session_file: str
    entries: tuple[Entry, ...]


_S, _T, _G = State, Step, Signal
_FRESH = {_G.PROMPT: (_S.OPEN, _T.DROP), _G.START: (_S.OPEN, _T.DROP)}
_GONE = {_G.CANCEL: (_S.DEAD, _T.DROP), _G.BAD_END: (_S.DEAD, _T.DROP), _G.LEAVE: (_S.IDLE, _T.DROP)}
_OVER = {_G.SETTLED: (_S.IDLE, _T.DROP), _G.LEAVE: (_S.IDLE, _T.DROP)}

TABLE: Mapping[State, Mapping[Signal, tuple[State, Step]]] = {
    # A worker that was started in the middle of a run has not seen its beginning: it waits for the next one.
    _S.IDLE: {**_FRESH, _G.LEAVE: (_S.IDLE, _T.DROP)},
    _S.OPEN: {
        **_GONE,
        _G.PROMPT: (_S.OPEN, _T.DROP),
        _G.START: (_S.OPEN, _T.HOLD),
        _G.GOOD_TURN: (_S.OPEN, _T.PREPARE),
        _G.BAD_TURN: (_S.HELD, _T.HOLD),
        _G.GOOD_END: (_S.PROVISIONAL, _T.NOTHING),
        _G.GOING_ON: (_S.HELD, _T.HOLD),
        # Settled without the event that ends a run well, as after an abort in the delay before a retry.
        _G.SETTLED: (_S.IDLE, _T.DROP),
    },
    _S.HELD: {
        **_GONE,
        **_OVER,
        _G.PROMPT: (_S.OPEN, _T.DROP),
        _G.START: (_S.OPEN, _T.HOLD),
        _G.GOOD_TURN: (_S.DEAD, _T.DROP),
        _G.GOOD_END: (_S.DEAD, _T.DROP),
    },
    _S.PROVISIONAL: {
        **_GONE,
        _G.PROMPT: (_S.OPEN, _T.DROP),
        _G.START: (_S.OPEN, _T.HOLD),
        _G.GOING_ON: (_S.HELD, _T.HOLD),
        _G.GOOD_TURN: (_S.DEAD, _T.DROP),
        _G.BAD_TURN: (_S.HELD, _T.HOLD),
        _G.SETTLED: (_S.IDLE, _T.COMMIT),
    },
    _S.DEAD: {**_FRESH, **_OVER},
}


class TurnLedger:
    """Watches one conversation after the other; `observe` returns what has settled.

    `inputs_told`: an event `input` comes before each message of the user, with what was typed.
    """

    def __init__(self, *, inputs_told: bool = False) -> None:
        self.state = State.IDLE
        self._session = ("", "")
        self._gathered: list[Entry] = []
        self._prepared: list[Entry] = []
        # What the context held before the first event is unknown: a page may have had its say already.
        self._tools_seen = True
        self._typed = Typed(told=inputs_told)

    def observe(self, event: str, payload: Mapping[str, Any]) -> Settled | None:
        """Take in one of Pi's events; return the run that has settled with it, where it has something to say."""
        signal = signal_of(event, payload)
        if event == "input":
            self._typed.hear(payload)
        self._enter(event, payload)
        self._gather(payload)
        return self._move(signal) if signal is not None else None

    def _enter(self, event: str, payload: Mapping[str, Any]) -> None:
        """Note which conversation the event belongs to; what another one had not settled is dropped."""
        known, file = self._session
        told = _told(payload, "session_id", known)
        if event == "session_start" or (known and told != known):
            self._move(Signal.LEAVE)
            known, file = told, ""
            self._tools_seen = True
        self._session = (told, _told(payload, "session_file", file))
        if event == "session_start" and payload.get("reason") in {"startup", "new"}:
            # A conversation that is continued has its file already, and whatever stands in it.
            self._tools_seen = bool(self._session[1]) and Path(self._session[1]).exists()

    def _gather(self, payload: Mapping[str, Any]) -> None:
        for entry in entries_of(payload.get("entries")):
            typed = self._typed.has(entry)
            self._tools_seen = self._tools_seen or not (typed or entry.role == "assistant")
            clean = typed or (entry.role == "assistant" and not self._tools_seen)
            self._gathered.append(msgspec.structs.replace(entry, clean=clean))

    def _move(self, signal: Signal) -> Settled | None:
        self.state, step = TABLE[self.state].get(signal, (self.state, Step.NOTHING))
        if step is Step.PREPARE:
            self._prepared += self._gathered
            self._gathered = []
        elif step is Step.HOLD:
            said = (*self._prepared, *self._gathered)
            self._prepared, self._gathered = [], [entry for entry in said if entry.role == "user"]
        elif step in {Step.DROP, Step.COMMIT}:
            entries, self._prepared, self._gathered = tuple(self._prepared), [], []
            if step is Step.COMMIT and entries:
                return Settled(session_id=self._session[0], session_file=self._session[1], entries=entries)
        return None


def signal_of(event: str, payload: Mapping[str, Any]) -> Signal | None:
    """Return what `event` means for the run, None where it means nothing (a compaction in the middle, for instance)."""
    if event not in {"agent_settled", "turn_end", "agent_before_settle"}:
        return _PLAIN.get(event)
    cancelled = payload.get("aborted") is True or payload.get("outcome") == "aborted"
    if event == "agent_settled":
        # Where the event does not say that it was not aborted, it does not count as success.
        return Signal.SETTLED if payload.get("aborted") is False and not cancelled else Signal.LEAVE
    if cancelled or payload.get("signal_aborted") is True:
        return Signal.CANCEL
    completed = payload.get("outcome") == "completed"
    if event == "turn_end":
        return Signal.GOOD_TURN if completed else Signal.BAD_TURN
    if payload.get("continue"):
        return Signal.GOING_ON
    return Signal.GOOD_END if completed else Signal.BAD_END


_PLAIN: Mapping[str, Signal] = {
    "before_agent_start": Signal.PROMPT,
    "agent_start": Signal.START,
    "session_start": Signal.LEAVE,
    "session_shutdown": Signal.LEAVE,
    "session_tree": Signal.LEAVE,
}


def _told(payload: Mapping[str, Any], key: str, known: str) -> str:
    value = payload.get(key)
    return value if isinstance(value, str) else known
