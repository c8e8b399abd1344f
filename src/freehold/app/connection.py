"""Finding the browser: one of those connected, or one of our own, else the words for when there is none."""

from __future__ import annotations

from pathlib import Path

import anyio
from anyio.abc import TaskGroup, TaskStatus

from freehold import paths
from freehold.bridge import endpoint, pairing
from freehold.bridge.client import BridgeClient
from freehold.browser.launch import launched
from freehold.errors import DeniedError, FreeholdError, UnavailableError

_FIRST_SECONDS = 1.5
"""How long a first call waits for a host, seconds: the extension starts one again within a second of losing it."""

_AGAIN_SECONDS = 8.0
"""How long a call waits after a connection was lost, seconds: a stopped worker is woken by its alarm, 3 s apart."""

_LOOK_SECONDS = 0.05
"""How often the run folder is looked at meanwhile; neither Python nor anyio can wait for a file."""


class Connector:
    """Connects to a browser: one named `browser`, or with `launch` one of our own."""

    def __init__(self, tasks: TaskGroup, *, browser: str, launch: bool, executable: str) -> None:
        self._tasks = tasks
        self._browser = browser
        self._launch = launch
        self._executable = executable
        self._instance = ""
        self._refusal: FreeholdError | None = None

    async def __call__(self) -> BridgeClient:
        """Return a new connection.

        Raises `UnavailableError` (`browser_not_connected`, `setup_missing`), or the refusal of a host that answered.
        """
        seconds = _AGAIN_SECONDS if self._instance else _FIRST_SECONDS
        client = await self._within(0 if self._launch else seconds)
        if client is None and self._launch:
            await self._tasks.start(self._keep_own_browser)
            client = await self._within(_AGAIN_SECONDS)
        if client is None:
            raise self._refusal or _nobody(self._browser)
        self._instance = client.extension.get("instance", "")
        return client

    async def _within(self, seconds: float) -> BridgeClient | None:
        deadline = anyio.current_time() + seconds
        while True:
            if client := await self._look():
                return client
            if anyio.current_time() >= deadline:
                return None
            await anyio.sleep(_LOOK_SECONDS)

    async def _look(self) -> BridgeClient | None:
        """Try each live host, newest first; one that this session used before goes before all others."""
        key_file = paths.pairing_key()
        if self._launch and not key_file.exists():
            return None
        key, self._refusal, second = pairing.read(key_file), None, None
        for socket in endpoint.sockets(paths.run_folder()):
            client = await self._try(socket, key)
            if client is None:
                continue
            if self._instance in {"", client.extension.get("instance")}:
                await _close(second)
                return client
            await _close(second)
            second = client
        return second

    async def _try(self, socket: Path, key: bytes) -> BridgeClient | None:
        try:
            client = await BridgeClient.open(self._tasks, socket, key)
        except DeniedError as error:
            self._refusal = error
            return None
        except UnavailableError:
            return None
        if self._browser.casefold() in str(client.extension.get("browser", "")).casefold():
            return client
        await client.aclose()
        return None

    async def _keep_own_browser(self, *, task_status: TaskStatus[None]) -> None:
        """Run a browser of our own until the runtime ends."""
        async with launched(executable=self._executable) as browser:
            task_status.started()
            await browser.wait()


async def _close(client: BridgeClient | None) -> None:
    if client is not None:
        await client.aclose()


def _nobody(browser: str) -> UnavailableError:
    named = f' called "{browser}"' if browser else ""
    message = (
        f"No browser{named} with Freehold's extension is connected. Ask the user to start it (freehold setup installs "
        "the extension, freehold doctor says what is missing), or run freehold browser launch for one of its own."
    )
    return UnavailableError("browser_not_connected", message)
