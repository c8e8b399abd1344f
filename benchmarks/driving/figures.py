"""What was measured, in milliseconds and tokens."""

from __future__ import annotations

from dataclasses import dataclass

from driving.coverage import Coverage


@dataclass(frozen=True, slots=True)
class Reading:
    """One page read by every server: medians, the tokens of the whole reading, and whether ours lacks controls."""

    page: str
    milliseconds: dict[str, float]
    tokens: dict[str, int]
    coverage: dict[str, Coverage]


@dataclass(frozen=True, slots=True)
class Figures:
    """All of it; `load` is the machine's load before, `starts` seconds until `tools/list` is answered."""

    versions: dict[str, str]
    load: float
    tasks: dict[str, dict[str, float]]
    calls: dict[str, float]
    readings: list[Reading]
    starts: dict[str, float]
