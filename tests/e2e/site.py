"""A small web server on loopback for the tests: pages by path, and a record of what was sent to it."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

_HEAD = '<!doctype html><meta charset="utf-8"><title>{title}</title>'


class Site:
    """Serves `pages` and keeps `received`, path and fields of each POST. `/never` never ends; `/slow` waits."""

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self.pages: dict[str, str] = {}
        self.received: list[tuple[str, dict[str, list[str]]]] = []
        self.release = threading.Event()
        self.ended = threading.Event()
        self.port = server.server_address[1]

    def url(self, path: str = "/", *, host: str = "127.0.0.1") -> str:
        """Return the address of a page; `localhost` is another origin than `127.0.0.1`."""
        return f"http://{host}:{self.port}{path}"

    def page(self, path: str, body: str, *, title: str = "Test") -> str:
        """Serve `body` at `path` and return its address."""
        self.pages[path] = _HEAD.format(title=title) + body
        return self.url(path)


@contextmanager
def serving() -> Generator[Site]:
    """Serve until the block ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    site = _Handler.site = Site(server)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield site
    finally:
        site.release.set()
        site.ended.set()
        server.shutdown()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    site: Site

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        if path == "/slow":
            self.site.release.wait(30)
        if path == "/never":
            self._never()
        elif path == "/file.bin":
            self._send(b"\0" * 1000, "application/octet-stream", disposition="attachment; filename=file.bin")
        elif path in self.site.pages or path == "/slow":
            self._send(self.site.pages.get(path, "<p>at last").encode(), "text/html; charset=utf-8")
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.site.received.append((urlsplit(self.path).path, parse_qs(body, keep_blank_values=True)))
        self._send(b"<!doctype html><title>Thanks</title><h1>Thanks</h1>", "text/html; charset=utf-8")

    def _never(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        # Browsers hold back the first kilobyte or so to guess the encoding, so give them more than that.
        self.wfile.write(b"<!doctype html><title>Never</title><button>Early</button><p>" + b"." * 4096)
        self.wfile.flush()
        self.site.ended.wait()

    def _send(self, body: bytes, kind: str, *, disposition: str = "") -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if disposition:
            self.send_header("Content-Disposition", disposition)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        pass
