"""A scripted model behind an OpenAI-compatible address on loopback: it streams, calls tools, fails, waits, and records.

    with serving() as model:
        model.says(Say("Hello."), Use("freehold_navigate", url="http://…"), Fail(503), Say("Done."))
        …
        model.requests[0].messages

Each model id has a script of its own (`model.says(…, model="fake-side")`); past its end it says "Done.".
"""

from __future__ import annotations

import itertools
import json
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DEADLINE = 60.0
MAIN = "fake-main"
SIDE = "fake-side"

_numbers = itertools.count(1)


class Hold:
    """A point in an answer at which the model waits: `reached` is set there, and it goes on once `release` is."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self.release = threading.Event()

    def wait(self) -> None:
        self.reached.set()
        self.release.wait(DEADLINE)


@dataclass
class Say:
    """Words, streamed in pieces. With `hold` half of them, then a wait. `tokens` is what the usage says went in."""

    text: str
    hold: Hold | None = None
    tokens: int = 100


class Use:
    """The use of a tool, with these arguments."""

    def __init__(self, name: str, /, **arguments: Any) -> None:
        self.name, self.arguments = name, arguments


@dataclass
class UseAll:
    """Several uses of tools in one answer."""

    uses: tuple[Use, ...]


@dataclass
class Fail:
    """An error of the server instead of an answer."""

    status: int
    message: str = "scripted failure"


@dataclass
class Raw:
    """Bytes as they are, such as no JSON."""

    body: bytes


@dataclass
class Request:
    """What Pi sent: the bytes, and what they say."""

    model: str
    raw: bytes
    body: dict[str, Any] = field(repr=False)

    @property
    def messages(self) -> list[dict[str, Any]]:
        return self.body["messages"]

    @property
    def system(self) -> str:
        return "\n".join(text_of(each) for each in self.messages if each["role"] in {"system", "developer"})

    @property
    def tools(self) -> dict[str, dict[str, Any]]:
        return {tool["function"]["name"]: tool["function"] for tool in self.body.get("tools", [])}

    @property
    def result(self) -> str:
        """The text of the newest tool result."""
        return text_of([each for each in self.messages if each["role"] == "tool"][-1])


Answer = Say | Use | UseAll | Fail | Raw
Reply = Answer | Callable[[Request], Answer]
"""A function takes what it needs, such as a ref, from what Pi sent."""


def text_of(message: dict[str, Any]) -> str:
    content: str | list[dict[str, Any]] | None = message.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(part.get("text", "") for part in content or [])


class Model:
    """The scripts and the record of one server."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.port = 0
        self._scripts: defaultdict[str, deque[Reply]] = defaultdict(deque)
        self._came = threading.Condition()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def says(self, *replies: Reply, model: str = MAIN) -> None:
        """Add to the script of `model`."""
        self._scripts[model].extend(replies)

    def of(self, model: str) -> list[Request]:
        """Return the requests to `model`."""
        return [request for request in self.requests if request.model == model]

    def wait_for(self, count: int, model: str = MAIN) -> list[Request]:
        """Return the requests to `model` once there are `count`."""
        with self._came:
            assert self._came.wait_for(lambda: len(self.of(model)) >= count, DEADLINE), "the model was not asked"
        return self.of(model)

    def last_result(self) -> str:
        """Return the text of the newest tool result that the main model was shown."""
        return self.of(MAIN)[-1].result

    def take(self, raw: bytes) -> Answer:
        """Record a request and return the reply that the script has for it."""
        body = json.loads(raw)
        request = Request(body["model"], raw, body)
        with self._came:
            self.requests.append(request)
            self._came.notify_all()
            script = self._scripts[request.model]
            reply = script.popleft() if script else Say("Done.")
        return reply(request) if callable(reply) else reply


@contextmanager
def serving() -> Generator[Model]:
    """Serve until the block ends."""
    model = Model()

    class Bound(_Handler):
        served = model

    server = ThreadingHTTPServer(("127.0.0.1", 0), Bound)
    server.daemon_threads = True
    model.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    served: Model

    def do_POST(self) -> None:
        reply = self.served.take(self.rfile.read(int(self.headers["Content-Length"])))
        try:
            if isinstance(reply, Fail):
                self._begin(reply.status, "application/json")
                self.wfile.write(json.dumps({"error": {"message": reply.message}}).encode())
            elif isinstance(reply, Raw):
                self._begin(200, "text/event-stream")
                self.wfile.write(reply.body)
            else:
                self._begin(200, "text/event-stream")
                for chunk in _chunks(reply):
                    self.wfile.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")
                    self.wfile.flush()
                self.wfile.write(b"data: [DONE]\n\n")
        except (BrokenPipeError, ConnectionResetError):
            return  # Pi has aborted, which is what some tests are about

    def _begin(self, status: int, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        pass


def _chunks(reply: Say | Use | UseAll) -> Iterator[dict[str, Any]]:
    if isinstance(reply, Say):
        middle = len(reply.text) // 2
        yield _chunk({"role": "assistant", "content": reply.text[:middle]})
        if reply.hold:
            reply.hold.wait()
        yield _chunk({"content": reply.text[middle:]})
        yield _chunk({}, "stop", reply.tokens)
        return
    uses = reply.uses if isinstance(reply, UseAll) else (reply,)
    for index, use in enumerate(uses):
        function = {"name": use.name, "arguments": json.dumps(use.arguments)}
        yield _chunk(
            {"tool_calls": [{"index": index, "id": f"call_{next(_numbers)}", "type": "function", "function": function}]}
        )
    yield _chunk({}, "tool_calls", 100)


def _chunk(delta: dict[str, Any], finish: str | None = None, tokens: int = 0) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    body: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "fake",
        "choices": [choice],
    }
    if tokens:
        body["usage"] = {"prompt_tokens": tokens, "completion_tokens": 10, "total_tokens": tokens + 10}
    return body
