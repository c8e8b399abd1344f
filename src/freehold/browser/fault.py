"""Errors that come from the browser: a page has a hand in their words."""

from __future__ import annotations

from freehold.browser.marks import short
from freehold.errors import FreeholdError

_LIMIT = 2_000


def marked(error: FreeholdError) -> FreeholdError:
    """Return `error` with its message on one line and marked, since it may quote a page; its data stay as they are."""
    return type(error)(error.code, short(error.message, _LIMIT), error.data)
