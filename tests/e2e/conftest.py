"""One real Chromium for all end-to-end tests of a process, a session of its own for each test."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from freehold.app.runtime import open_runtime
from freehold.browser.launch import LaunchedBrowser, launched
from tests.e2e.agent import Agent
from tests.e2e.display import display
from tests.e2e.site import Site, serving


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run every test of a browser without a window; among the long runs, all of them with one as well."""
    if "chromium" in metafunc.fixturenames:
        windows = ["headless", pytest.param("headed", marks=pytest.mark.long)]
        metafunc.parametrize("chromium", windows, indirect=True, scope="session")


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FREEHOLD_HOME", str(folder))
        yield folder


@pytest.fixture(scope="session")
async def chromium(home: Path, request: pytest.FixtureRequest) -> AsyncIterator[LaunchedBrowser]:
    headless = request.param == "headless"
    with nullcontext() if headless else display():
        async with launched(headless=headless, home=home) as browser:
            yield browser


@pytest.fixture
def site() -> Iterator[Site]:
    with serving() as running:
        yield running


@pytest.fixture
async def agent(chromium: LaunchedBrowser) -> AsyncIterator[Agent]:
    del chromium
    async with open_runtime(session=f"test-{uuid.uuid4().hex[:8]}") as runtime:
        agent = Agent(runtime)
        yield agent
        for tab in (await agent.call("tabs_context")).data["tabs"]:
            await runtime.call("tabs_close", {"tabId": tab["tabId"]})
