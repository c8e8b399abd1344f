"""One Chromium a test session with the page functions' files loaded as an extension, one tab a test."""

from __future__ import annotations

import functools
import http.server
import json
import shutil
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from tests.e2e import cdp

ROOT = Path(__file__).parents[3]
WORKER = """
globalThis.inject = (tabId, target) => chrome.scripting.executeScript(
  {target: target ?? {tabId, allFrames: true}, files: FILES, injectImmediately: true});
globalThis.call = async (tabId, name, args, frameId) => {
  const target = frameId === undefined ? {tabId, allFrames: true} : {tabId, frameIds: [frameId]};
  await inject(tabId, target);
  const func = async (name, args) => {
    try {
      return {value: await globalThis.freeholdPage[name](...args)};
    } catch (error) {
      return {thrown: String(error.stack)};
    }
  };
  return chrome.scripting.executeScript({target, func, args: [name, args], injectImmediately: true});
};
"""


class Page:
    """A tab and the page functions in its frames."""

    def __init__(self, tab: cdp.Target, worker: cdp.Target, tab_id: int, serve: Callable[..., str]) -> None:
        self.tab = tab
        self.serve = serve
        self._worker = worker
        self._id = tab_id
        self._next = 1

    def show(self, html: str, **pages: str) -> None:
        """Serve and load a page; `pages` are further ones, at /<name>."""
        self.tab.navigate(self.serve(html, **pages))

    def frames(self, name: str, *args: Any) -> list[Any]:
        """The answers of a page function in every frame, the top frame's first."""
        return [row["value"] for row in self._call(name, args)]

    def call(self, name: str, *args: Any, frame: int = 0) -> Any:
        """The answer of a page function in one frame, the top one unless said."""
        return self._call(name, args, frame)[0]["value"]

    def read(self, ref: int | None = None) -> list[list[Any]]:
        """The top frame's nodes with their numbers handed out as the worker does it."""
        outline = self.call("snapshot", {"ref": ref})
        self.call("commit", self._next, outline["fresh"])
        nodes = [
            [*node[:3], self._next - node[3] - 1 if node[3] < 0 else node[3], node[4]] for node in outline["nodes"]
        ]
        self._next += outline["fresh"]
        return nodes

    def ref(self, role: str, name: str | None = None) -> int:
        """The ref of the first node of that role and name."""
        nodes = self.read()
        return next(node[3] for node in nodes if node[1] == role and (name is None or node[2] == name))

    def evaluate(self, expression: str) -> Any:
        """Evaluate in the page's own world."""
        return self.tab.evaluate(expression)

    def isolated(self, source: str) -> Any:
        """Run `source` (a function's text) in the extension's world of the top frame."""
        self._worker.evaluate(f"inject({self._id}).then(() => null)")
        target = f"{{target: {{tabId: {self._id}}}, func: {source}}}"
        script = f"chrome.scripting.executeScript({target}).then((rows) => rows[0].result)"
        return self._worker.evaluate(script)

    def _call(self, name: str, args: tuple[Any, ...], frame: int | None = None) -> list[dict[str, Any]]:
        where = "undefined" if frame is None else str(frame)
        rows = self._worker.evaluate(f"call({self._id}, {json.dumps(name)}, {json.dumps(args)}, {where})")
        results = [row["result"] for row in rows]
        for result in results:
            assert "thrown" not in result, result["thrown"]
            value: Any = result.setdefault("value", None)
            if isinstance(value, dict) and "nodes" in value:
                value["nodes"] = json.loads(cast("str", value["nodes"]))
        return results


@pytest.fixture(scope="session")
def chromium() -> Iterator[cdp.Chromium]:
    if cdp.executable() is None:
        pytest.skip("no Chromium on PATH: apt-get install chromium")
    with cdp.launched() as browser:
        yield browser


@pytest.fixture(scope="session")
def worker(chromium: cdp.Chromium, tmp_path_factory: pytest.TempPathFactory) -> cdp.Target:
    """The service worker of an extension that is our `page/` folder and nothing else."""
    folder = tmp_path_factory.mktemp("extension")
    shutil.copytree(ROOT / "extension" / "page", folder / "page")
    manifest = json.loads((ROOT / "extension" / "manifest.json").read_text())
    manifest["background"] = {"service_worker": "worker.js"}
    del manifest["action"], manifest["icons"]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    files = json.loads((folder / "page" / "files.json").read_text())
    (folder / "worker.js").write_text(f"const FILES = {json.dumps(files)};{WORKER}")
    identity = chromium.load_extension(folder)
    attached = chromium.attach("service_worker", f"chrome-extension://{identity}/")
    # The target is there before its script has run.
    attached.wait_until("typeof globalThis.call === 'function'")
    return attached


class Site:
    """Pages on loopback; every host name under `localhost` reaches them, so frames can be of another origin."""

    def __init__(self) -> None:
        self.pages: dict[str, tuple[str, bytes]] = {}
        handler = functools.partial(_Handler, self.pages)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.port = self.server.server_address[1]
        self._count = 0

    def serve(self, html: str, kind: str = "text/html; charset=utf-8", **pages: str) -> str:
        """Lay pages out; the address of the first. `{other}` in them is the same site under another origin."""
        self._count += 1
        other = f"http://localhost:{self.port}/{self._count}"
        for name, body in {"index": html, **pages}.items():
            self.pages[f"/{self._count}/{name}"] = (kind, body.replace("{other}", other).encode())
        return f"http://127.0.0.1:{self.port}/{self._count}/index"


class _Handler(http.server.BaseHTTPRequestHandler):
    def __init__(self, pages: dict[str, tuple[str, bytes]], *args: Any) -> None:
        self._pages = pages
        super().__init__(*args)

    def do_GET(self) -> None:
        kind, body = self._pages.get(self.path.partition("?")[0], ("text/plain", b"not here"))
        self.send_response(200 if body != b"not here" else 404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: the tests' output is for the tests."""


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    served = Site()
    yield served
    served.server.shutdown()
    served.server.server_close()


@pytest.fixture
def page(chromium: cdp.Chromium, worker: cdp.Target, site: Site) -> Iterator[Page]:
    tab = chromium.open(site.serve("<title>tab</title>"))
    address = json.dumps(tab.identity)
    tab_id = worker.evaluate(
        f"chrome.debugger.getTargets().then((all) => all.find((one) => one.id === {address}).tabId)"
    )
    yield Page(tab, worker, tab_id, site.serve)
    tab.close()
