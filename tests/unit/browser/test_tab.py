from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from freehold.browser.tab import Tab
from freehold.errors import FreeholdError, UnavailableError

pytestmark = pytest.mark.anyio


class Channel:
    """Answers every call with one error."""

    def __init__(self, code: str) -> None:
        self.code = code

    async def client(self) -> Any:
        raise NotImplementedError

    async def call(self, method: str, params: Mapping[str, Any], *, timeout: float = 30.0) -> Any:
        raise UnavailableError(self.code, "Gone.")


async def test_input_that_closes_its_tab_is_no_error() -> None:
    await Tab(Channel("tab_closed"), 7).press([("Input.dispatchMouseEvent", {})])


async def test_input_that_meets_anything_else_is_one() -> None:
    with pytest.raises(FreeholdError) as met:
        await Tab(Channel("tab_crashed"), 7).press([("Input.dispatchMouseEvent", {})])
    assert met.value.code == "tab_crashed"
