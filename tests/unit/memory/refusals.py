"""What a call is refused with."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from freehold.errors import FAMILIES, FreeholdError

# A fact long enough to be known under any title.
LONG = "The nightly build needs PostgreSQL 16 and the variable CI_REGION.\n"


def refused(call: Callable[[], object]) -> FreeholdError:
    """Return the error of `call`, which must be of the family of its code."""
    with pytest.raises(FreeholdError) as caught:
        call()
    assert isinstance(caught.value, FAMILIES[caught.value.code])
    return caught.value
