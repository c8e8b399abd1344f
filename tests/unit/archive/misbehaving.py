"""A server on loopback that answers as a test tells it to, bytes and all, and counts what it was asked."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx2
from anyio.abc import SocketStream

from freehold.archive.client import ArchiveClient
from freehold.archive.transport import HttpTransport, headers

Answer = Callable[[SocketStream], Awaitable[None]]


def answer(status: int, body: Any, kind: str = "application/json") -> Answer:
    """Answer with `status` and `body`, as JSON unless it is bytes already."""

    async def send(stream: SocketStream) -> None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        head = f"HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\ncontent-length: {len(content)}\r\nconnection: close\r\n"
        await stream.send(f"{head}\r\n".encode() + content)

    return send


async def slow(stream: SocketStream) -> None:
    """Say nothing until the client has given up."""
    while True:
        await stream.receive()


async def dripping(stream: SocketStream) -> None:
    """Send a byte now and then, for ever: no single wait is long."""
    await stream.send(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n")
    while True:
        await stream.send(b" ")
        await anyio.sleep(0.01)


async def cut(stream: SocketStream) -> None:
    """End in the middle of the body."""
    await stream.send(b'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"memories": [')


async def silent(stream: SocketStream) -> None:
    """End without a word."""
    del stream


async def huge(stream: SocketStream) -> None:
    """Send a body without end."""
    await stream.send(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n")
    while True:
        await stream.send(b" " * 65_536)


class Misbehaving:
    """Gives its answers in their order, the last one for ever; `asked` holds each request's first line and headers."""

    def __init__(self, answers: tuple[Answer, ...]) -> None:
        self.answers = answers
        self.asked: list[str] = []
        self.url = ""

    async def __call__(self, stream: SocketStream) -> None:
        async with stream:
            try:
                head = b""
                while b"\r\n\r\n" not in head:
                    head += await stream.receive()
                self.asked.append(head.decode())
                await self.answers[min(len(self.asked), len(self.answers)) - 1](stream)
            except (anyio.BrokenResourceError, anyio.EndOfStream):
                return


@asynccontextmanager
async def misbehaving(*answers: Answer) -> AsyncGenerator[Misbehaving]:
    """Run such a server."""
    server = Misbehaving(answers)
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    async with listener, anyio.create_task_group() as tasks:
        server.url = f"http://127.0.0.1:{listener.extra(anyio.abc.SocketAttribute.local_port)}"
        tasks.start_soon(listener.serve, server)
        yield server
        tasks.cancel_scope.cancel()


class Clock:
    """Sleeps in no time, and remembers for how long."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.slept.append(seconds)


@asynccontextmanager
async def client_of(
    url: str, clock: Clock | None = None, *, key: str = "", patience: float = 1.0, most_bytes: int = 100_000
) -> AsyncGenerator[ArchiveClient]:
    """Open a client of the server at `url`."""
    async with httpx2.AsyncClient(base_url=url, headers=headers(key), timeout=None, trust_env=False) as http:
        transport = HttpTransport(
            http, url, sleep=clock or Clock(), chance=lambda: 0.5, patience=patience, most_bytes=most_bytes
        )
        yield ArchiveClient(transport, server=url)
