"""Moments and days as they are stored and compared: UTC, ISO 8601, so that their order is that of their text."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> str:
    """Return this moment."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def today() -> str:
    """Return the day of this moment."""
    return datetime.now(UTC).date().isoformat()


def readable(moment: str) -> str:
    """Return the day of a moment as nmem's lists show it, such as `Jul 18, 2026`."""
    try:
        day = datetime.fromisoformat(moment)
    except ValueError:
        return moment
    return f"{day:%b} {day.day}, {day.year}"
