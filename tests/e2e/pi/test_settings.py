"""`freehold.json` as Pi's user meets it."""

from __future__ import annotations

import json

from freehold.app.pi.settings import PiSettings
from freehold.memory.project import project_of
from freehold.memory.store import Store
from tests.e2e.pi.host import WORKER, PiHost
from tests.e2e.pi.model_server import Model, Say, Use, text_of


def test_the_first_start_writes_the_defaults_for_the_user_to_see(pi: PiHost, model: Model) -> None:
    file = pi.agent / "freehold.json"
    file.unlink()
    pi.ask("Hello")
    assert set(json.loads(file.read_text())) == set(PiSettings.__struct_encode_fields__)
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_wrong_setting_is_said_and_the_defaults_are_in_effect(pi: PiHost, model: Model) -> None:
    pi.settings(command=WORKER, autoExtrakt=True)
    done = pi.ask("Hello")
    assert done.returncode == 0
    assert "autoExtrakt" in done.stderr
    assert "freehold_navigate" in model.requests[0].tools


def test_a_project_takes_tools_away_and_gives_none(pi: PiHost, model: Model) -> None:
    (pi.project / ".pi").mkdir()
    asked = {"tools": {"browser": "off"}, "recall": True, "browserPrefix": ""}
    (pi.project / ".pi" / "freehold.json").write_text(json.dumps(asked))
    done = pi.ask("Hello")
    assert "browserPrefix, recall left out" in done.stderr
    assert not any("navigate" in name for name in model.requests[0].tools)
    assert "<freehold-browser>" not in model.requests[0].system


def test_memory_tools_are_there_when_they_are_turned_on(pi: PiHost, model: Model) -> None:
    pi.settings(tools={"browser": "off", "memory": "on"})
    model.says(Use("pmem_save", title="Harbour", body="It opens at seven."), Say("Kept."))
    pi.ask("Keep it")
    assert "Saved the new topic" in model.last_result()
    assert {name for name in model.requests[0].tools if name.startswith("pmem_")} >= {"pmem_search", "pmem_save"}


def test_a_deferred_tool_is_found_by_pis_own_search_and_then_works(pi: PiHost, model: Model) -> None:
    pi.settings(deferred=["tabs_close"])
    model.says(
        Use("tool_search", query="close a tab of the browser"), Use("freehold_tabs_close", tabId=1), Say("Done.")
    )
    pi.ask("Close it")
    first, second, third = model.requests
    assert "freehold_tabs_close" not in first.tools
    assert "freehold_tabs_close" in second.tools
    assert third.result.startswith("[")  # there is no browser, which our tool says


def test_a_deferred_tool_is_declared_where_pis_search_is_turned_off(pi: PiHost, model: Model) -> None:
    pi.settings(deferred=["tabs_close"])
    pi.pi_settings(extensions=["-builtin:tool-search"])
    pi.ask("Hello")
    assert "tool_search" not in model.requests[0].tools
    assert "freehold_tabs_close" in model.requests[0].tools


def test_the_flags_of_the_command_line_hold_for_every_session(pi: PiHost, model: Model) -> None:
    with pi.rpc("--freehold-session", "errands") as rpc:
        rpc.run("Hello")
        rpc.call("new_session")
        rpc.run("Hello")
    log = (pi.home / "pi-worker.log").read_text()
    assert log.count("session errands") == 2


def test_a_search_of_the_memory_is_put_in_order_by_the_conversations_model(pi: PiHost, model: Model) -> None:
    pi.settings(tools={"memory": "on"})
    store = Store.open(project_of(pi.project), base=pi.agent)
    for number in range(3):
        store.save(f"Server {number}", f"The server {'server ' * number} number {number} listens.")
    model.says(Use("pmem_search", query="server"), Say("[2]"), Say("Found."))
    assert pi.ask("Where is the server?").returncode == 0
    _, asked, told = model.requests
    assert asked.tools == {}
    assert "server" in text_of(asked.messages[-1])
    assert sum(f"server-{number}" in told.result for number in range(3)) == 1
