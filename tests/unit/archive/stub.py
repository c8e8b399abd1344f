"""An archive's server in memory that keeps to nmem's contract, as far as our client uses it, and fails when told to."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx2
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from freehold.archive.archive import Connection
from freehold.archive.backend import EMBEDDED_URL, Backend
from freehold.archive.client import ArchiveClient
from freehold.archive.transport import HttpTransport

from .misbehaving import Clock

Endpoint = Callable[[Request], Awaitable[Response]]


class Down(Exception):  # noqa: N818 - it stands for a server that is gone, not for a fault
    """The server is gone."""


class Stub:
    """Holds threads and memories. `gone_at(n)`: from the n-th writing request on, the server is gone."""

    def __init__(self, *, checkpoints: bool = True, labels_on_patch: bool = True) -> None:
        self.threads: dict[str, dict[str, Any]] = {}
        self.memories: dict[str, dict[str, Any]] = {}
        self.acks: dict[tuple[str, str], dict[str, Any]] = {}
        self.requests: list[tuple[str, str, Any]] = []
        self.checkpoints = checkpoints
        self.labels_on_patch = labels_on_patch
        self.down = False
        self.hanging = False
        self.refused: set[str] = set()
        self.bundle = "# Who I am\nA gardener."
        self.before: Callable[[int], None] = lambda _number: None
        self.after: Callable[[int], None] = lambda _number: None
        self.app = Starlette(routes=list(self._routes()))

    def texts(self, thread_id: str) -> list[str]:
        return [message["content"] for message in self.threads[thread_id]["messages"]]

    @property
    def writes(self) -> list[tuple[str, str, Any]]:
        return [one for one in self.requests if one[0] in {"POST", "PATCH"}]

    def _routes(self) -> list[Route]:
        def route(method: str, path: str, endpoint: Endpoint) -> Route:
            return Route(path, self._counted(endpoint), methods=[method])

        return [
            route("GET", "/health", self.health),
            route("GET", "/context/bundle", self.context),
            route("GET", "/memories/search", self.search_memories),
            route("GET", "/memories", self.list_memories),
            route("POST", "/memories", self.add_memory),
            route("GET", "/memories/{id}", self.get_memory),
            route("PATCH", "/memories/{id}", self.patch_memory),
            route("GET", "/threads", self.list_threads),
            route("POST", "/threads", self.add_thread),
            route("GET", "/threads/search", self.search_threads),
            route("GET", "/threads/{id}", self.get_thread),
            route("POST", "/threads/{id}/append", self.append),
        ]

    def _counted(self, endpoint: Endpoint) -> Endpoint:
        async def call(request: Request) -> Response:
            body = await request.body()
            self.requests.append((request.method, request.url.path, json.loads(body) if body else None))
            if self.hanging:
                await anyio.sleep_forever()
            if self.down:
                raise httpx2.ConnectError("refused")
            number = len(self.writes)
            if request.method != "GET":
                self.before(number)
            answer = await endpoint(request)
            if request.method != "GET":
                self.after(number)
            return answer

        return call

    async def health(self, request: Request) -> Response:
        return JSONResponse({"status": "ok", "version": "stub"})

    async def context(self, request: Request) -> Response:
        return JSONResponse({"rendered_markdown": self.bundle})

    async def search_memories(self, request: Request) -> Response:
        query, limit = request.query_params["q"].casefold(), int(request.query_params["limit"])
        hits = [one for one in self.memories.values() if query in f"{one['title']} {one['content']}".casefold()]
        return JSONResponse({"memories": hits[:limit], "search_metadata": {"total_found": len(hits)}})

    async def list_memories(self, request: Request) -> Response:
        return self._listed(request, "memories", list(self.memories.values()))

    async def add_memory(self, request: Request) -> Response:
        body = await request.json()
        if "content" not in body:
            return PlainTextResponse("Failed to deserialize: missing field `content`", 422)
        made: dict[str, Any] = {"id": f"m{len(self.memories) + 1}", "title": "", "labels": [], **body}
        self.memories[made["id"]] = made
        return JSONResponse({"memory": made, "action": "created"})

    async def get_memory(self, request: Request) -> Response:
        found = self.memories.get(request.path_params["id"])
        return JSONResponse(found) if found else _missing("Memory")

    async def patch_memory(self, request: Request) -> Response:
        found = self.memories.get(request.path_params["id"])
        if found is None:
            return _missing("Memory")
        body = await request.json()
        found |= body if self.labels_on_patch else {key: value for key, value in body.items() if key != "labels"}
        return JSONResponse(found)

    async def list_threads(self, request: Request) -> Response:
        source = request.query_params.get("source")
        every = [one["thread"] for one in self.threads.values() if source in (None, one["thread"]["source"])]
        listed = [{**one, "id": one["thread_id"], "messages": one["message_count"]} for one in reversed(every)]
        return self._listed(request, "threads", listed)

    async def search_threads(self, request: Request) -> Response:
        query, limit = request.query_params["query"].casefold(), int(request.query_params["limit"])
        hits = [hit for one in self.threads.values() if (hit := _hit(one, query))]
        return JSONResponse({"threads": hits[:limit], "total_found": len(hits)})

    async def add_thread(self, request: Request) -> Response:
        body = await request.json()
        if body["thread_id"] in self.refused:
            return PlainTextResponse("too strange", 422)
        if body["thread_id"] in self.threads:
            return JSONResponse({"detail": "thread already exists"}, 409)
        kept = {key: value for key, value in body.items() if key != "messages"}
        thread = {"source": "", **kept, "message_count": len(body["messages"])}
        self.threads[body["thread_id"]] = {"thread": thread, "messages": list(body["messages"])}
        return JSONResponse({"thread": thread, "messages": body["messages"]})

    async def get_thread(self, request: Request) -> Response:
        found = self.threads.get(request.path_params["id"])
        if found is None:
            return _missing("Thread")
        offset, limit = int(request.query_params.get("offset", 0)), int(request.query_params.get("limit", 1000))
        messages = [{**one, "order_index": at} for at, one in enumerate(found["messages"])]
        shown = messages[offset : offset + limit]
        return JSONResponse({"thread": found["thread"], "messages": shown, "total_messages": len(messages)})

    async def append(self, request: Request) -> Response:
        thread_id, body = request.path_params["id"], await request.json()
        found = self.threads.get(thread_id)
        if found is None:
            return _missing("Thread")
        known = (thread_id, body.get("idempotency_key", ""))
        if known[1] and known in self.acks:
            return JSONResponse(self.acks[known])
        expected, total = body.get("expected_message_count"), len(found["messages"])
        if self.checkpoints and expected not in (None, total):
            fields = {"detail": "checkpoint", "error_code": "checkpoint_conflict", "total_messages": total}
            return JSONResponse(fields, 409)
        held = {one["metadata"]["external_id"] for one in found["messages"]}
        new = [one for one in body["messages"] if one["metadata"]["external_id"] not in held]
        found["messages"] += new
        found["thread"]["message_count"] = total + len(new)
        ack: dict[str, Any] = {"success": True, "thread_id": thread_id, "messages_added": len(new)}
        ack["total_messages"] = total + len(new)
        if self.checkpoints and expected is not None:
            ack["append_mode"] = "checkpointed"
        self.acks[known] = ack
        return JSONResponse(ack)

    def _listed(self, request: Request, name: str, every: list[dict[str, Any]]) -> Response:
        offset, limit = int(request.query_params.get("offset", 0)), int(request.query_params["limit"])
        paging = {"limit": limit, "offset": offset, "total": len(every), "has_more": offset + limit < len(every)}
        return JSONResponse({name: every[offset : offset + limit], "pagination": paging})


def _missing(what: str) -> Response:
    return JSONResponse({"detail": f"{what} not found", "error_code": f"{what.lower()}_not_found"}, 404)


def _hit(one: dict[str, Any], query: str) -> dict[str, Any]:
    matched = [
        {"message_index": at, "role": message["role"], "snippet": message["content"]}
        for at, message in enumerate(one["messages"])
        if query in message["content"].casefold()
    ]
    return {**one["thread"], "id": "uuid", "matched_messages": matched} if matched else {}


@asynccontextmanager
async def connection_to(stub: Stub, *, backend: Backend | None = None) -> AsyncGenerator[Connection]:
    """Open a connection to `stub`; nothing waits between repetitions."""
    chosen = backend or Backend("named", EMBEDDED_URL, "a test names it")
    transport = httpx2.ASGITransport(stub.app)
    async with httpx2.AsyncClient(base_url=EMBEDDED_URL, transport=transport, timeout=None) as http:
        sender = HttpTransport(http, "stub", sleep=Clock())
        yield Connection(chosen, ArchiveClient(sender, server="stub"), lambda: sender.lost)
