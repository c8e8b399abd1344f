"""Who is not ours, on the bridge of a real browser: refused by name, and the agent beside it notices nothing."""

from __future__ import annotations

import contextlib
import json
import os
import socketserver
import threading
from collections.abc import AsyncGenerator, Callable, Generator
from pathlib import Path

import pytest

from freehold import paths
from freehold.app.runtime import open_runtime
from freehold.bridge import endpoint, handshake, pairing
from freehold.browser import manifest
from freehold.browser.installed import HOSTS_FOLDER
from freehold.browser.launch import LaunchedBrowser
from freehold.wire import framing
from tests.contract.raw_agent import RawAgent, raw_agent
from tests.contract.test_host_faults import first_refusal, forged, not_json, replayed
from tests.e2e.agent import Agent
from tests.e2e.popup import open_page_of
from tests.e2e.site import Site

pytestmark = pytest.mark.anyio

_MEET = """new Promise(done => {
  const port = chrome.runtime.connectNative("NAME");
  port.onMessage.addListener(done);
  port.onDisconnect.addListener(() => done(chrome.runtime.lastError.message));
})"""


@contextlib.asynccontextmanager
async def undisturbed(agent: Agent, site: Site) -> AsyncGenerator[Path]:
    """Yield the browser's socket; afterwards the agent must still be on the connection it had."""
    await agent.open(site.page("/", "<button>Here</button>"))
    ref = await agent.ref("button Here")
    (socket,) = endpoint.sockets(paths.run_folder())
    async with open_runtime(session="bystander") as runtime:
        bystander = Agent(runtime)
        await bystander.call("tabs_context")
        yield socket
        # A second live process would be given another name: this one was never away.
        assert (await bystander.call("tabs_context")).data["session"] == "bystander"
    assert await agent.ref("button Here") == ref


@pytest.mark.parametrize(
    ("fault", "code"),
    [(forged, "envelope_forged"), (replayed, "envelope_replayed"), (not_json, "handshake_invalid")],
)
async def test_a_bad_envelope_ends_the_connection_of_whoever_sent_it(
    agent: Agent, home: Path, site: Site, fault: Callable[[RawAgent], list[bytes]], code: str
) -> None:
    async with undisturbed(agent, site) as socket:
        with endpoint.reachable(socket) as short:
            async with raw_agent(Path(short)) as bad:
                await bad.shake(pairing.read(paths.pairing_key(home)))
                await bad.send(b"".join(fault(bad)))
                assert await first_refusal(bad) == code


async def test_garbage_on_the_socket_is_refused(agent: Agent, site: Site) -> None:
    async with undisturbed(agent, site) as socket:
        with endpoint.reachable(socket) as short:
            async with raw_agent(Path(short)) as bad:
                await bad.send(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                assert (await bad.refusal())["code"] == "handshake_invalid"


async def test_an_agent_with_another_pairing_key_is_told_so_and_works_once_it_has_the_right_one(
    agent: Agent, home: Path, site: Site, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with undisturbed(agent, site) as socket:
        pairing.make(tmp_path / "pairing.key")
        endpoint.prepare(tmp_path / "run")
        (tmp_path / "run" / socket.name).symlink_to(socket)
        with monkeypatch.context() as patch:
            patch.setenv("FREEHOLD_HOME", str(tmp_path))
            async with open_runtime(session="stranger") as runtime:
                assert await Agent(runtime).fails("tabs_context") == "pairing_mismatch"
                (tmp_path / "pairing.key").write_bytes(pairing.read(paths.pairing_key(home)))
                await Agent(runtime).call("tabs_context")


class _Driftwood(socketserver.BaseRequestHandler):
    """Another product's host, which says who it is."""

    def handle(self) -> None:
        hello = framing.clear_record({**handshake.hello("host"), "product": "driftwood"})
        # Whoever only looks whether somebody listens is gone again by now.
        with contextlib.suppress(BrokenPipeError):
            self.request.sendall(hello)


@contextlib.contextmanager
def driftwood(path: Path) -> Generator[None]:
    """Listen at `path` as another product would."""
    with endpoint.reachable(path) as short, socketserver.UnixStreamServer(short, _Driftwood) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()
            path.unlink()


async def test_another_products_host_in_our_folder_is_passed_over_and_refused_where_it_is_alone(
    agent: Agent, home: Path, site: Site
) -> None:
    async with undisturbed(agent, site) as socket, open_runtime(session="newcomer") as runtime:
        theirs, away = socket.with_name(f"host-{os.getpid()}.sock"), socket.with_suffix(".away")
        socket.rename(away)
        try:
            with driftwood(theirs):
                assert await Agent(runtime).fails("tabs_context") == "product_mismatch"
        finally:
            away.rename(socket)
        with driftwood(theirs):
            assert endpoint.sockets(paths.run_folder(home)) == [theirs, socket]
            await Agent(runtime).call("tabs_context")


async def test_another_extension_is_refused_by_the_browser_and_by_the_host(
    agent: Agent, chromium: LaunchedBrowser, home: Path, site: Site, tmp_path: Path
) -> None:
    (tmp_path / "page.html").write_text("<!doctype html>")
    facts = {"manifest_version": 3, "name": "Stranger", "version": "1", "permissions": ["nativeMessaging"]}
    (tmp_path / "manifest.json").write_text(json.dumps(facts))
    async with undisturbed(agent, site):
        stranger = (await chromium.devtools.call("Extensions.loadUnpacked", path=str(tmp_path)))["id"]
        # Another product may well name our launcher in a manifest of its own; Chrome then starts it for them.
        theirs = chromium.profile / HOSTS_FOLDER / "com.driftwood.host.json"
        theirs.write_bytes(
            manifest.content(paths.launcher(home))
            .replace(endpoint.EXTENSION_ID.encode(), stranger.encode())
            .replace(endpoint.HOST_NAME.encode(), b"com.driftwood.host")
        )
        try:
            page = await open_page_of(chromium, stranger, "page.html")
            assert "forbidden" in await page.run(_MEET.replace("NAME", endpoint.HOST_NAME))
            refused = await page.run(_MEET.replace("NAME", "com.driftwood.host"))
            assert refused["error"]["code"] == "origin_not_allowed"
        finally:
            theirs.unlink()
            await chromium.devtools.call("Extensions.uninstall", id=stranger)
