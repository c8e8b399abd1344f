"""The whole run in one value: what the report and `--json` are made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from freehold.surfaces.cli.tour.step import Outcome


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of every step; `browser` is its own name and version, `began` an ISO 8601 time, `seconds` the run."""

    outcomes: Sequence[Outcome]
    version: str
    browser: str
    began: str
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether every step passed, and there was one."""
        return bool(self.outcomes) and all(outcome.passed for outcome in self.outcomes)

    @property
    def summary(self) -> str:
        """One line for a person."""
        failed = sum(not outcome.passed for outcome in self.outcomes)
        count = len(self.outcomes)
        return f"{failed} of {count} steps failed" if failed else f"All {count} steps passed"

    def to_data(self) -> dict[str, Any]:
        """Return the facts for machines; pictures are only in the report."""
        return {
            "passed": self.passed,
            "freehold": self.version,
            "browser": self.browser,
            "began": self.began,
            "seconds": round(self.seconds, 3),
            "steps": [_of_step(outcome) for outcome in self.outcomes],
        }


def _of_step(outcome: Outcome) -> dict[str, Any]:
    return {
        "title": outcome.title,
        "passed": outcome.passed,
        "seconds": round(outcome.seconds, 3),
        "error": outcome.error or None,
        "checks": [
            {"sentence": check.sentence, "passed": check.passed, "expected": check.expected, "got": check.got}
            for check in outcome.notes.checks
        ],
        "calls": [
            {
                "tool": call.tool,
                "arguments": call.arguments,
                "is_error": call.is_error,
                "seconds": round(call.seconds, 3),
                "text": call.text,
            }
            for call in outcome.notes.calls
        ],
    }
