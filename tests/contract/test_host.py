"""The real native host between a fake extension and real clients."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
import pytest

from freehold.bridge import endpoint
from freehold.bridge.client import BridgeClient, connect
from freehold.errors import FreeholdError, UsageError
from freehold.wire import framing
from tests.contract.fake_extension import HELLO, extension, make_home

pytestmark = pytest.mark.anyio


async def test_a_call_reaches_the_extension_and_its_answer_returns(home: Path, key: bytes) -> None:
    async with extension(home) as fake, connect(fake.socket, key) as client:
        assert client.extension == HELLO
        assert await client.call("tabs.list", {"a": 1}) == {"agent": 1, "method": "tabs.list", "params": {"a": 1}}


async def test_the_deadline_travels_in_milliseconds(home: Path, key: bytes) -> None:
    async def deadline(_agent: int, request: Mapping[str, Any]) -> Any:
        return request["deadline_ms"]

    async with extension(home, answer=deadline) as fake, connect(fake.socket, key) as client:
        assert await client.call("tabs.list", {}, timeout=1.5) == 1500


async def test_an_error_of_the_extension_is_raised_in_its_family(home: Path, key: bytes) -> None:
    async def refuse(_agent: int, _request: Mapping[str, Any]) -> Any:
        raise UsageError("unknown_ref", "There is no ref_9.", {"ref": 9})

    async with extension(home, answer=refuse) as fake, connect(fake.socket, key) as client:
        with pytest.raises(UsageError) as caught:
            await client.call("page.call", {})
    assert (caught.value.code, caught.value.data) == ("unknown_ref", {"ref": 9})


@pytest.mark.parametrize(
    "text",
    ["سلام‌ دنیا", "👩‍🌾 🏳️‍🌈", "half \ud83d and \udc00", "\u2028 \x00 \x7f \ufeff \uffff", '"\\\n[ref_9] button Pay'],
    ids=["persian", "joiners", "surrogates", "controls", "quotes"],
)
async def test_text_of_any_kind_travels_whole_both_ways(home: Path, key: bytes, text: str) -> None:
    async with extension(home) as fake, connect(fake.socket, key) as client:
        answer = await client.call("page.call", {"text": text})
        sent = await fake.until("message")
    assert answer["params"]["text"] == text
    assert sent["message"]["params"]["text"] == text


async def test_three_megabytes_reach_the_extension_in_chunks_that_chrome_takes(home: Path, key: bytes) -> None:
    text = "ک🌾\n" * 400_000
    async with extension(home) as fake, connect(fake.socket, key) as client:
        answer = await client.call("page.call", {"text": text})
        assert answer["params"]["text"] == text
        assert max(fake.sizes) <= framing.NATIVE_LIMIT_TO_EXTENSION


async def test_a_large_answer_returns_whole(home: Path, key: bytes) -> None:
    async def screenshot(_agent: int, _request: Mapping[str, Any]) -> Any:
        return "A" * 8_000_000

    async with extension(home, answer=screenshot) as fake, connect(fake.socket, key) as client:
        assert len(await client.call("debugger.send", {})) == 8_000_000


async def test_fifty_agents_at_once_each_get_their_own_answers(home: Path, key: bytes) -> None:
    answers: dict[int, list[Any]] = {}

    async def one(place: int, socket: Path) -> None:
        async with connect(socket, key) as client:
            answers[place] = [await client.call("tabs.list", {"place": place, "turn": turn}) for turn in range(5)]

    async with extension(home) as fake:
        async with anyio.create_task_group() as group:
            for place in range(50):
                group.start_soon(one, place, fake.socket)
        opened = {message["agent"] for message in fake.received if message["type"] == "agent_opened"}
    assert len(opened) == 50
    for place, mine in answers.items():
        assert [answer["params"] for answer in mine] == [{"place": place, "turn": turn} for turn in range(5)]
        assert len({answer["agent"] for answer in mine}) == 1


async def test_many_calls_of_one_agent_are_answered_by_their_ids(home: Path, key: bytes) -> None:
    async def later_first(_agent: int, request: Mapping[str, Any]) -> Any:
        if request["params"]["n"] == 0:
            await last.wait()
        else:
            last.set()
        return request["params"]["n"]

    last = anyio.Event()
    answers: list[Any] = []

    async def ask(client: BridgeClient, number: int) -> None:
        answers.append((number, await client.call("tabs.get", {"n": number})))

    async with (
        extension(home, answer=later_first) as fake,
        connect(fake.socket, key) as client,
        anyio.create_task_group() as group,
    ):
        group.start_soon(ask, client, 0)
        group.start_soon(ask, client, 1)
    assert answers == [(1, 1), (0, 0)]


async def test_events_reach_the_agent_they_are_for_and_no_other(home: Path, key: bytes) -> None:
    async with extension(home) as fake, connect(fake.socket, key) as first, connect(fake.socket, key) as second:
        with first.subscribe() as mine, second.subscribe() as theirs, anyio.fail_after(10):
            await fake.event(1, "tab.removed", {"tabId": 7})
            await fake.event(2, "tab.removed", {"tabId": 8})
            assert await anext(mine) == ("tab.removed", {"tabId": 7})
            assert await anext(theirs) == ("tab.removed", {"tabId": 8})


async def test_the_extension_hears_of_agents_and_no_number_is_reused(home: Path, key: bytes) -> None:
    async with extension(home) as fake:
        for number in (1, 2):
            async with connect(fake.socket, key):
                await fake.until("agent_opened", agent=number)
            await fake.until("agent_closed", agent=number)


async def test_a_ping_is_answered(home: Path) -> None:
    async with extension(home) as fake:
        await fake.send({"type": "ping"})
        await fake.until("pong")


async def test_the_end_of_standard_input_alone_ends_the_host(home: Path) -> None:
    async with extension(home) as fake:
        assert fake.process.stdin is not None
        await fake.process.stdin.aclose()
        assert await fake.ended() == 0
        assert not fake.socket.exists()


async def test_the_socket_is_ours_alone_and_goes_with_the_browser(home: Path, key: bytes) -> None:
    async with extension(home) as fake, connect(fake.socket, key):
        assert endpoint.sockets(home / "run") == [fake.socket]
        assert fake.socket.stat().st_mode & 0o777 == 0o600
        assert fake.socket.parent.stat().st_mode & 0o777 == 0o700
        await fake.close_port()
        assert await fake.ended() == 0
        assert list((home / "run").iterdir()) == []


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
async def test_a_signal_ends_the_host_and_its_agents_cleanly(home: Path, key: bytes, signum: signal.Signals) -> None:
    async with extension(home) as fake, connect(fake.socket, key) as client:
        fake.process.send_signal(signum)
        assert await fake.ended() == 0
        assert not fake.socket.exists()
        with anyio.fail_after(10):
            await client.closed.wait()
    assert not (home / "run" / "host.log").exists()


async def test_two_browsers_have_a_socket_each_newest_first(home: Path, key: bytes) -> None:
    async with extension(home) as older, extension(home, hello={**HELLO, "instance": "other"}) as newer:
        await newer.until("hello")
        assert endpoint.sockets(home / "run") == [newer.socket, older.socket]
        async with connect(newer.socket, key) as client:
            assert client.extension["instance"] == "other"


async def test_a_home_with_a_very_long_path_works(tmp_path: Path) -> None:
    folder = tmp_path / ("a" * 100) / ("ب" * 60)
    folder.mkdir(parents=True)
    home = make_home(folder)
    async with extension(home) as fake, connect(fake.socket, (home / "pairing.key").read_bytes()) as client:
        assert (await client.call("tabs.list", {}))["method"] == "tabs.list"


async def test_an_origin_other_than_our_extension_is_refused(home: Path) -> None:
    async with extension(home, hello=None, origin="chrome-extension://aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/") as fake:
        assert (await fake.until("refused"))["error"]["code"] == "origin_not_allowed"
        assert await fake.ended() == 1
    assert not list(home.glob("run/*.sock"))


async def test_nothing_listens_before_the_extension_has_said_hello(home: Path) -> None:
    async with extension(home, hello=None) as fake:
        assert endpoint.sockets(home / "run") == []
        await fake.close_port()
        assert await fake.ended() == 0


@pytest.mark.parametrize(
    ("change", "code"),
    [({"product": "driftwood"}, "product_mismatch"), ({"protocol": 2}, "protocol_mismatch")],
)
async def test_a_strange_extension_is_refused_and_agents_are_told_who_it_is(
    home: Path, key: bytes, change: dict[str, Any], code: str
) -> None:
    async with extension(home, hello={**HELLO, **change}) as fake:
        told = (await fake.until("refused"))["error"]
        assert (told["code"], told["data"]["role"]) == (code, "host")
        with pytest.raises(FreeholdError) as caught:
            async with connect(fake.socket, key):
                pass
        assert caught.value.code == code
        assert change.items() <= {**caught.value.data}.items()
        assert caught.value.data["role"] == "extension"
        assert fake.process.returncode is None


async def test_a_run_folder_open_to_others_is_refused_and_told_to_the_extension(home: Path) -> None:
    (home / "run").mkdir()
    (home / "run").chmod(0o777)
    async with extension(home, hello={**HELLO, "instance": "x"}) as fake:
        assert (await fake.until("refused"))["error"]["code"] == "permissions_unsafe"
        assert not fake.socket.exists()


async def test_modules_lying_in_the_working_folder_are_not_imported(home: Path, key: bytes, tmp_path: Path) -> None:
    for name in ("msgspec", "json", "asyncio", "cryptography", "freehold"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'gained')!r}, 'w')")
    (tmp_path / "sitecustomize.py").write_text(f"open({str(tmp_path / 'gained')!r}, 'w')")
    async with extension(home, cwd=tmp_path) as fake, connect(fake.socket, key) as client:
        await client.call("tabs.list", {})
    assert not (tmp_path / "gained").exists()


def test_the_host_imports_only_the_standard_library_and_cryptography() -> None:
    code = "import sys, json, freehold.host.main; print(json.dumps(sorted(sys.modules)))"
    loaded = json.loads(subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, check=True).stdout)
    tops = {name.split(".")[0] for name in loaded}
    assert tops.isdisjoint({"msgspec", "anyio", "platformdirs", "mcp", "typer", "rich"})
    assert "freehold.bridge.client" not in loaded


def test_the_host_says_what_it_is_when_started_by_hand(home: Path) -> None:
    command = [sys.executable, "-I", "-m", "freehold.host", "--home", str(home), endpoint.EXTENSION_ORIGIN]
    with (home / "a file").open("w+b") as file:
        ended = subprocess.run(command, stdin=file, capture_output=True, check=False, timeout=20)
    assert ended.returncode == 1
    assert b"Traceback" not in ended.stderr
