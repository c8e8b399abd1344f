from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from freehold.errors import FreeholdError
from freehold.memory.store import Store
from freehold.tools import catalog
from freehold.tools.memory.project_memory import ProjectMemory
from freehold.tools.result import ToolResult

pytestmark = pytest.mark.anyio


class Agent:
    """An agent's session: calls tools as the runtime does."""

    def __init__(self, folder: Path) -> None:
        self.memory = ProjectMemory(lambda: Store.open(folder))

    async def __call__(self, what: str, /, **arguments: Any) -> ToolResult:
        tool = catalog.named(f"pmem_{what}")
        given = (self.memory, tool.parse(arguments))
        return await (tool.handler(*given, None) if tool.uses_model else tool.handler(*given))


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Agent:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return Agent(tmp_path / "store")


async def test_what_is_saved_is_listed_read_and_found(agent: Agent) -> None:
    saved = await agent("save", title="Ports", body="The web server listens on 8080.", description="who listens where")
    assert saved.data["created"]
    listed = await agent("list")
    assert listed.data["topics"] == [{"name": "ports", "title": "Ports", "description": "who listens where"}]
    assert "8080" in (await agent("read", name="ports")).text
    assert [hit["name"] for hit in (await agent("search", query="server")).data["hits"]] == ["ports"]


async def test_an_empty_memory_and_a_search_without_hits_say_what_to_do(agent: Agent) -> None:
    assert "pmem_save" in (await agent("list")).text
    assert "pmem_list" in (await agent("search", query="anything")).text


async def test_the_same_fact_twice_is_answered_with_the_topic_that_has_it(agent: Agent) -> None:
    await agent("save", title="Ports", body="8080 for the web.")
    again = await agent("save", title="Ports", body="8080   for the web.\n")
    assert again.data["duplicate_of"] == "ports"


async def test_a_topic_that_was_read_can_be_replaced(agent: Agent) -> None:
    await agent("save", title="Ports", body="8080")
    await agent("read", name="ports")
    assert not (await agent("save", title="Ports", body="9090", name="ports")).data["created"]
    assert not (await agent("save", title="Ports", body="9191", name="ports.md")).data["created"]


async def test_a_topic_that_was_never_read_is_not_replaced(agent: Agent, tmp_path: Path) -> None:
    await agent("save", title="Ports", body="8080")
    with pytest.raises(FreeholdError) as caught:
        await Agent(tmp_path / "store")("save", title="Ports", body="9090", name="ports")
    assert caught.value.code == "conflict"


async def test_what_a_person_changed_since_it_was_read_is_not_overwritten(agent: Agent, tmp_path: Path) -> None:
    await agent("save", title="Ports", body="8080")
    file = tmp_path / "store" / "ports.md"
    file.write_text(file.read_text().replace("8080", "7070, says the user"))
    with pytest.raises(FreeholdError) as caught:
        await agent("save", title="Ports", body="9090", name="ports")
    assert caught.value.code == "conflict"
    assert "7070" in (await agent("read", name="ports")).text
    await agent("save", title="Ports", body="7070 and 9090", name="ports")
    assert "7070 and 9090" in file.read_text()


async def test_a_revision_told_by_hand_counts_as_having_read(agent: Agent, tmp_path: Path) -> None:
    await agent("save", title="Ports", body="8080")
    revision = (await agent("read", name="ports")).data["revision"]
    other = Agent(tmp_path / "store")
    saved = await other("save", title="Ports", body="9090", name="ports", expected_revision=revision)
    assert saved.data["name"] == "ports"


async def test_a_secret_is_refused(agent: Agent) -> None:
    with pytest.raises(FreeholdError) as caught:
        await agent("save", title="Keys", body="AKIA" + "ABCDEFGHIJKLMNOP")
    assert caught.value.code == "secret_found"


def test_the_argument_called_title_stands_in_the_schema() -> None:
    schema = catalog.named("pmem_save").schema()
    assert {"title", "body"} <= set(schema["properties"])
    assert schema["required"] == ["title", "body"]


def test_memory_tools_are_off_unless_asked_for() -> None:
    assert not [tool for tool in catalog.of_groups(["browser"]) if tool.name.startswith("pmem")]
    assert len(catalog.of_groups(["memory"])) == 4
