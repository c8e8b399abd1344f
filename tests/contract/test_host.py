"""The real native host between a fake extension and real clients."""

from __future__ import annotations

from pathlib import Path

import pytest

from freehold.bridge import endpoint, pairing
from freehold.bridge.client import connect
from tests.contract.fake_extension import HELLO, extension, make_home

pytestmark = pytest.mark.anyio


async def test_a_call_reaches_the_extension_and_its_answer_returns(tmp_path: Path) -> None:
    home = make_home(tmp_path)
    async with extension(home) as fake, connect(fake.socket, pairing.read(home / "pairing.key")) as client:
        assert client.extension == HELLO
        assert await client.call("tabs.list", {"a": 1}) == {"agent": 1, "method": "tabs.list", "params": {"a": 1}}
        assert endpoint.sockets(home / "run") == [fake.socket]
