"""One web server on the loopback address, in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import cast
from urllib.parse import parse_qsl, urlsplit

from freehold.surfaces.cli.tour.site.page import asset, inside, page
from freehold.surfaces.cli.tour.site.record import Received, Record

_LARGEST_BODY = 64 * 1024
_ASSETS = {"/site.css": "text/css", "/site.js": "text/javascript"}


class Server(ThreadingHTTPServer):
    """Serves the pages, and keeps every request in `record`. `elsewhere` is the address of the other server."""

    daemon_threads = True

    def __init__(self, record: Record, place: str, host: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.record = record
        self.place = place
        self.origin = f"http://{host}:{self.server_port}"
        self.elsewhere = ""


@contextmanager
def serving(server: Server) -> Generator[Server]:
    """Serve until the block is left; afterwards the port is free and no thread is left."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    timeout = 20

    @property
    def _site(self) -> Server:
        return cast("Server", self.server)

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        if address.path in _ASSETS:
            self._answer(200, asset(address.path[1:]), _ASSETS[address.path])
            return
        self._keep("GET", address.path, address.query)
        text = self._page(address.path)
        if text is None:
            self._answer(404, b"There is no such page.", "text/plain")
        else:
            self._answer(200, text.encode(), "text/html")

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", "0"))
        if length > _LARGEST_BODY:
            self._answer(413, b"That is more than any page here sends.", "text/plain")
            return
        path = urlsplit(self.path).path
        self._keep("POST", path, self.rfile.read(length).decode("utf-8", "replace"))
        if path == "/form":
            # 303: the browser gets the answer, so that a reload does not send the form again (RFC 9110, 15.4.4).
            self._answer(303, b"", "text/plain", {"Location": "/sent"})
        else:
            self._answer(204, b"", "text/plain")

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing: the record is the log, and standard error belongs to the tour."""

    def _page(self, path: str) -> str | None:
        if path == "/inside":
            return inside(self._site.place)
        forms = self._site.record.of("POST", "/form")
        return page(path, self._site.elsewhere, forms[-1].fields if forms else {})

    def _keep(self, method: str, path: str, query: str) -> None:
        fields = dict(parse_qsl(query, keep_blank_values=True))
        self._site.record.add(Received(method, self._site.origin, path, fields))

    def _answer(self, status: int, body: bytes, kind: str, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        # As strict as a careful site's: the tools have to work on pages that allow no foreign script.
        self.send_header(
            "Content-Security-Policy",
            f"default-src 'self'; img-src 'self' data:; frame-src 'self' {self._site.elsewhere}; object-src 'none'",
        )
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
