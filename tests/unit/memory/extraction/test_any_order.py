from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from freehold.memory.extraction.turns import Signal, TurnLedger, signal_of

_EVENTS: list[tuple[str, dict[str, Any]]] = [
    ("session_start", {"reason": "startup"}),
    ("before_agent_start", {}),
    ("agent_start", {}),
    *[("turn_end", {"outcome": outcome}) for outcome in ("completed", "aborted", "error")],
    ("turn_end", {"outcome": "completed", "signal_aborted": True}),
    ("agent_end", {}),
    *[("agent_before_settle", {"outcome": outcome}) for outcome in ("completed", "aborted", "error")],
    ("agent_before_settle", {"outcome": "completed", "continue": True}),
    ("agent_settled", {"aborted": False}),
    ("agent_settled", {"aborted": True}),
    ("session_before_compact", {}),
    ("session_compact", {}),
    ("session_shutdown", {"reason": "quit"}),
]


def settled_by_hand(events: list[tuple[str, dict[str, Any]]]) -> list[list[int]]:
    """The turns that must be handed out, read from the rules backwards: from each settling to its beginning."""
    good: list[list[int]] = []
    for at, (event, payload) in enumerate(events):
        if event != "agent_settled" or payload["aborted"]:
            continue
        turns: list[int] = []
        ended = started = False
        for back in range(at - 1, -1, -1):
            name, told = events[back]
            signal = signal_of(name, told)
            if signal is None:
                continue
            if not ended:
                if signal is Signal.GOOD_END:
                    ended = True
                    continue
                break
            if signal is Signal.GOOD_END and not turns:
                continue
            if signal is Signal.GOOD_TURN:
                turns.append(back)
                continue
            started = signal in {Signal.START, Signal.PROMPT}
            break
        if ended and started and turns:
            good.append(turns[::-1])
    return good


_GOOD = [_EVENTS[1], _EVENTS[2], _EVENTS[3], _EVENTS[7], _EVENTS[8], _EVENTS[12]]


@st.composite
def _orders(draw: st.DrawFn) -> list[tuple[str, dict[str, Any]]]:
    """Good runs, with some events put in and some taken out: most orders are nearly right."""
    events = _GOOD * draw(st.integers(1, 3))
    for _ in range(draw(st.integers(0, 4))):
        events.insert(draw(st.integers(0, len(events))), draw(st.sampled_from(_EVENTS)))
    for _ in range(draw(st.integers(0, 2))):
        events.pop(draw(st.integers(0, len(events) - 1)))
    return events


@settings(max_examples=500)
@given(_orders())
def test_whatever_the_order_only_what_settled_is_handed_out(events: list[tuple[str, dict[str, Any]]]) -> None:
    ledger = TurnLedger()
    found: list[list[int]] = []
    for number, (event, payload) in enumerate(events):
        entries = [{"id": str(number), "role": "assistant", "text": "x"}] if event == "turn_end" else []
        settled = ledger.observe(event, {**payload, "session_id": "s", "entries": entries})
        if settled is not None:
            found.append([int(entry.id) for entry in settled.entries])
    assert found == settled_by_hand(events)
