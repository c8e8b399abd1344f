"""The numbers that every list of the archive carries."""

from __future__ import annotations

from typing import Any

from freehold.archive.schemas import Page


def totals(page: Page[Any]) -> dict[str, Any]:
    """Return how many came, how many there are, and whether there are more; `total_is_lower_bound` where it is one."""
    counts = {"returned": len(page.items), "total": page.total, "has_more": page.has_more}
    return counts if page.exact else {**counts, "total_is_lower_bound": True}
