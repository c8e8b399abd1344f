"""One session end to end: Pi opens a page, finds, clicks and reads in a real browser, and keeps what it learned."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from freehold.bridge import endpoint
from tests.command import COMMAND
from tests.e2e.pi.host import PiHost
from tests.e2e.pi.model_server import Answer, Model, Request, Say, Use
from tests.e2e.site import Site, serving

DEADLINE = 60.0
ORDER = '<form method="post" action="/order"><label>Coffee <input name="kind"></label><button>Order it</button></form>'
TOPIC = "---\ntitle: Ordering coffee\ndescription: how the shop takes orders\n---\n\nOrders go to /order by POST.\n"
LINE = "- [Ordering coffee](ordering-coffee.md) — how the shop takes orders\n"


@pytest.fixture
def site() -> Iterator[Site]:
    with serving() as running:
        yield running


@contextmanager
def browser(pi: PiHost) -> Generator[None]:
    """Run a browser of Freehold's own for this Pi."""
    command = [str(COMMAND), "browser", "launch", "--headless"]
    environment = dict(os.environ) | {"FREEHOLD_HOME": str(pi.home)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as launched:
        try:
            deadline = time.monotonic() + DEADLINE
            while not endpoint.sockets(pi.home / "run"):
                assert launched.poll() is None, launched.stderr and launched.stderr.read()
                assert time.monotonic() < deadline
                time.sleep(0.05)
            yield
        finally:
            launched.terminate()


def ref(request: Request) -> str:
    """Return the first ref of the newest tool result."""
    found = re.search(r"ref_\d+", request.result)
    assert found, request.result
    return found[0]


def memory_folder(request: Request) -> str:
    """Return the memory's folder, as the system prompt names it."""
    found = re.search(r"stands as Markdown in:\s+(\S+)", request.system)
    assert found, request.system
    return found[1]


def kept(name: str, content: str) -> Callable[[Request], Answer]:
    return lambda request: Use("write", path=f"{memory_folder(request)}/{name}", content=content)


def journey(site: Site) -> list[Answer | Callable[[Request], Answer]]:
    """Return the model's part of a session that orders coffee and keeps how that is done."""
    return [
        Use("freehold_navigate", url=site.page("/shop", ORDER, title="Shop")),
        Use("freehold_find", query="coffee field"),
        lambda request: Use("freehold_form_input", ref=ref(request), value="Harbour"),
        Use("freehold_find", query="order button"),
        lambda request: Use("freehold_computer", action="left_click", ref=ref(request)),
        Use("freehold_get_page_text"),
        kept("ordering-coffee.md", TOPIC),
        kept("MEMORY.md", LINE),
        Say("Ordered."),
    ]


def print_mode(pi: PiHost, prompt: str, expected: str) -> None:
    assert expected in pi.ask(prompt).stdout


def json_mode(pi: PiHost, prompt: str, expected: str) -> None:
    assert any(expected in str(event) for event in pi.events(prompt) if event["type"] == "agent_end")


def rpc_mode(pi: PiHost, prompt: str, expected: str) -> None:
    with pi.rpc() as rpc:
        rpc.run(prompt)
        assert rpc.call("get_last_assistant_text")["text"] == expected


def terminal(pi: PiHost, prompt: str, expected: str) -> None:
    with pi.tui() as tui:
        tui.see("fake-main")
        tui.type(prompt)
        tui.see(expected)
        tui.see("browser connected")
        tui.press("C-c")
        tui.press("C-c")
        tui.ended()


@pytest.mark.parametrize("run", [print_mode, json_mode, rpc_mode, terminal])
def test_pi_orders_in_a_real_browser_and_the_next_session_knows_how(
    pi: PiHost, model: Model, site: Site, run: Callable[[PiHost, str, str], None]
) -> None:
    # Where find asked the model, that would take an answer meant for the conversation.
    pi.settings(findModel="fake/none")
    with browser(pi):
        model.says(*journey(site))
        run(pi, "Order a Harbour", "Ordered.")
    assert site.received == [("/order", {"kind": ["Harbour"]})]
    assert any("Thanks" in text for text in results(model))
    before = len(model.requests)
    pi.ask("How does one order coffee?")
    assert LINE.strip() in model.requests[before].system


def results(model: Model) -> list[str]:
    return [str(message["content"]) for message in model.requests[-1].messages if message["role"] == "tool"]


def test_a_screenshot_reaches_the_model_as_a_picture_that_pi_leaves_as_it_is(
    pi: PiHost, model: Model, site: Site
) -> None:
    with browser(pi):
        address = site.page("/shop", ORDER)
        model.says(Use("freehold_navigate", url=address), Use("freehold_computer", action="screenshot"), Say("Seen."))
        pi.ask("Look")
    parts: list[dict[str, Any]] = []
    for message in model.requests[-1].messages:
        parts += message["content"] if isinstance(message["content"], list) else []
    assert [part["image_url"]["url"][:11] for part in parts if part["type"] == "image_url"] == ["data:image/"]
    assert not any("Multiply coordinates" in str(part) for part in parts)


def test_an_agent_that_is_aborted_aborts_what_it_does_in_the_browser(pi: PiHost, model: Model, site: Site) -> None:
    with browser(pi):
        model.says(Use("freehold_navigate", url=site.url("/never")))
        with pi.rpc() as rpc:
            rpc.prompt("Go")
            rpc.event("tool_execution_start")
            rpc.call("abort")
            model.says(Use("freehold_tabs_context"), Say("Looked."))
            rpc.run("Look")
    assert any("session pi-project" in text for text in results(model))


def test_the_tabs_of_a_session_are_those_of_the_next_one_too(pi: PiHost, model: Model, site: Site) -> None:
    with browser(pi):
        model.says(Use("freehold_navigate", url=site.page("/shop", ORDER, title="Shop")), Say("There."))
        with pi.rpc() as rpc:
            rpc.run("Go")
            rpc.call("new_session")
            model.says(Use("freehold_tabs_context"), Say("Looked."))
            rpc.run("Look")
    assert "session pi-project, 1 tab" in results(model)[-1]
    assert "Shop" in results(model)[-1]


def test_the_command_tells_of_the_browser_and_pauses_it(pi: PiHost, model: Model, site: Site) -> None:
    del site
    with browser(pi), pi.rpc() as rpc:
        rpc.send("prompt", message="/freehold")
        assert "session pi-project" in rpc.notice("Freehold 0")
        rpc.send("prompt", message="/freehold browsers")
        assert "connected:" in rpc.notice("extension")
        rpc.send("prompt", message="/freehold pause")
        rpc.notice("paused")
        model.says(Use("freehold_tabs_context"), Say("Refused."))
        rpc.run("Look")
        assert model.last_result().startswith("[paused]")
        rpc.send("prompt", message="/freehold resume")
        rpc.notice("again")
        model.says(Use("freehold_tabs_context"), Say("Looked."))
        rpc.run("Look")
        assert "session pi-project" in model.last_result()
