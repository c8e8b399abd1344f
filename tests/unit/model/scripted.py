"""An OpenAI-compatible server on loopback that answers as a script says."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Script = Callable[[dict[str, Any]], tuple[int, bytes]]
"""Takes the body of a request; returns the status and the body of the answer."""


def completion(text: str | None, **message: Any) -> tuple[int, bytes]:
    body = {
        "id": "c1",
        "object": "chat.completion",
        "model": "scripted-1",
        "choices": [
            {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text, **message}}
        ],
        "usage": {"prompt_tokens": 42, "completion_tokens": 3, "total_tokens": 45},
    }
    return 200, json.dumps(body).encode()


@dataclass
class ModelServer:
    """A running server: its base address, what it was asked, and with which headers."""

    url: str = ""
    bodies: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    headers: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    paths: list[str] = field(default_factory=list[str])
    released: threading.Event = field(default_factory=threading.Event)
    """Set at the end; a script that never answers waits for it."""


@contextmanager
def serving(script: Script, **extra: str) -> Generator[ModelServer]:
    """Serve `script`; `extra` are headers of every answer."""
    running = ModelServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            running.bodies.append(body)
            running.headers.append({name.lower(): value for name, value in self.headers.items()})
            running.paths.append(self.path)
            status, answer = script(body)
            try:
                self.send_response(status)
                for name, value in extra.items():
                    self.send_header(name, value)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)
            except (BrokenPipeError, ConnectionResetError):
                pass  # the client has stopped waiting

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    running.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield running
    finally:
        running.released.set()
        server.shutdown()
        server.server_close()
        thread.join(5)
