"""The agent's end of the bridge: requests and their answers, events, and the end of the connection."""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator, Callable, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, cast

import anyio
from anyio.abc import TaskGroup

from freehold.bridge import cipher
from freehold.bridge.channel import Channel
from freehold.bridge.events import EventStream
from freehold.errors import FreeholdError, UnavailableError, UsageError, from_wire
from freehold.wire import framing

GRACE_SECONDS = 2.0
_UNKNOWN = "Whether what was asked has happened is not known: look first (tabs_context, read_page), then call again."


class _Call:
    """One request that waits: the answer is put in before `done` is set."""

    def __init__(self, method: str) -> None:
        self.method = method
        self.done = anyio.Event()
        self.result: Any = None
        self.error: FreeholdError | None = None

    def answer(self, message: Mapping[str, Any]) -> None:
        error = message.get("error")
        if isinstance(error, dict):
            self.error = from_wire(cast(dict[str, Any], error))
        self.result = message.get("result")
        self.done.set()

    def lose(self, error: FreeholdError) -> None:
        message = f"{self.method}: {error.message}"
        self.error = UnavailableError("connection_lost", message, {"method": self.method, "cause": error.code})
        self.done.set()


class BridgeClient:
    """One connection to a browser. Made by `connect` or `open`; any task may call, many at once.

    `extension` is the extension's hello (`browser`, `version`, `instance`); `closed` is set once it is gone.
    Each of `listeners` is told the name and parameters of every event as it comes, and must return at once.
    """

    def __init__(self, channel: Channel) -> None:
        self.extension: dict[str, Any] = channel.extension
        self.closed = anyio.Event()
        self._channel = channel
        self._calls: dict[int, _Call] = {}
        self._streams: set[EventStream] = set()
        self._last = 0
        self._lost: FreeholdError = UnavailableError("connection_lost", f"The connection was closed. {_UNKNOWN}")
        self.listeners: list[Callable[[str, Mapping[str, Any]], None]] = []
        self._scope = anyio.CancelScope()
        # Sending from a queue keeps envelopes whole: a cancelled call never leaves half a record on the socket, and its
        # `cancel` is sent without waiting. It holds no more than the calls that wait.
        self._outbox, self._waiting = anyio.create_memory_object_stream[bytes](math.inf)

    @classmethod
    async def open(cls, task_group: TaskGroup, socket: Path, key: bytes) -> BridgeClient:
        """Connect, and keep reading in `task_group` until `aclose`, the end of the group or the loss of the connection.

        The group must be that of whoever keeps the client, not of one call. Raises `UnavailableError`
        (`browser_not_connected`) within 5 s when nobody answers, `DeniedError` with the code of a refusal.
        """
        client = cls(await Channel.open(socket, key))
        task_group.start_soon(client.run)
        return client

    async def call(self, method: str, params: Mapping[str, Any], *, timeout: float = 30.0) -> Any:
        """Return the extension's result of `method`.

        `timeout` is in seconds and travels as the deadline; two seconds later the call gives up by itself with
        `UnavailableError` (`timeout`). Raises the extension's own error, or `connection_lost`; after these what
        was asked may have happened. Cancelling the call cancels it in the browser.
        """
        if self.closed.is_set():
            raise UnavailableError("connection_lost", f"{method} was not sent: the connection to the browser is gone.")
        self._last += 1
        number, call = self._last, _Call(method)
        deadline = round(timeout * 1000)
        self._send({"type": "request", "id": number, "method": method, "params": params, "deadline_ms": deadline})
        self._calls[number] = call
        try:
            with anyio.move_on_after(timeout + GRACE_SECONDS):
                await call.done.wait()
        except anyio.get_cancelled_exc_class():
            self._cancel(number)
            raise
        finally:
            del self._calls[number]
        if not call.done.is_set():
            raise _timed_out(method, timeout)
        if call.error is not None:
            raise call.error
        return call.result

    @contextmanager
    def subscribe(self) -> Generator[EventStream]:
        """Give the events from now on as an async iterable of `(name, params)`; it ends with the connection.

        A reader that falls 1,000 events behind loses the connection: what it mirrors would be wrong from there on.
        """
        stream = EventStream()
        self._streams.add(stream)
        if self.closed.is_set():
            stream.end()
        try:
            yield stream
        finally:
            self._streams.discard(stream)

    async def aclose(self) -> None:
        """Close; calls that still wait get `connection_lost`. Closing twice is the same as once."""
        self._scope.cancel()
        await self._end()

    async def run(self) -> None:
        """Read and write until the connection ends; `open` starts this, nobody else calls it."""
        try:
            with self._scope:
                async with anyio.create_task_group() as both:
                    both.start_soon(self._write)
                    await self._read()
                    both.cancel_scope.cancel()
        finally:
            await self._end()

    async def _read(self) -> None:
        try:
            while True:
                self._take(await self._channel.receive())
        except FreeholdError as error:
            self._lost = type(error)(error.code, f"{error.message} {_UNKNOWN}", error.data)

    async def _write(self) -> None:
        try:
            async for body in self._waiting:
                await self._channel.send(body)
        except UnavailableError:
            pass  # The peer no longer reads. `_read` meets the same end, after whatever the peer still had to say.

    def _take(self, message: Mapping[str, Any]) -> None:
        kind, number = message.get("type"), message.get("id")
        if kind == "response" and isinstance(number, int) and number in self._calls:
            self._calls[number].answer(message)
        elif kind == "event":
            self._tell(str(message.get("name")), message.get("params") or {})

    def _tell(self, name: str, params: dict[str, Any]) -> None:
        for listener in self.listeners:
            listener(name, params)
        for stream in self._streams:
            if not stream.put(name, params):
                raise UnavailableError("connection_lost", "The browser's events were not read for too long.")

    def _send(self, message: Mapping[str, Any]) -> None:
        try:
            body = framing.encode(message)
        except (ValueError, TypeError, RecursionError) as error:
            text = f"{message.get('method')}: a parameter is not JSON ({error})."
            raise UsageError("invalid_argument", text) from error
        if len(body) > cipher.PLAIN_LIMIT:
            text = f"{message.get('method')}: the parameters take {len(body)} bytes, at most {cipher.PLAIN_LIMIT}."
            raise UsageError("invalid_argument", text)
        self._outbox.send_nowait(body)

    def _cancel(self, number: int) -> None:
        if not self.closed.is_set():
            self._send({"type": "cancel", "id": number})

    async def _end(self) -> None:
        if self.closed.is_set():
            return
        self.closed.set()
        self._outbox.close()
        self._waiting.close()
        for call in self._calls.values():
            call.lose(self._lost)
        for stream in self._streams:
            stream.end()
        await self._channel.aclose()


@asynccontextmanager
async def connect(socket: Path, key: bytes) -> AsyncGenerator[BridgeClient]:
    """Connect for as long as the block runs; raises as `open` does; the block's own errors come unwrapped."""
    client = BridgeClient(await Channel.open(socket, key))
    failure: Exception | None = None
    async with anyio.create_task_group() as task_group:
        task_group.start_soon(client.run)
        try:
            yield client
        except Exception as error:  # noqa: BLE001 - a task group would wrap it into an exception group
            failure = error
        finally:
            await client.aclose()
    if failure is not None:
        raise failure


def _timed_out(method: str, timeout: float) -> UnavailableError:
    message = f"{method} got no answer within {timeout:g} s; it may have happened. Look first, then call again."
    return UnavailableError("timeout", message, {"method": method, "timeout": timeout})
