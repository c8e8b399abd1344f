"""The keyboard: key chords and typed text as real input, in few round trips."""

from __future__ import annotations

import platform
from collections.abc import Sequence

from freehold.browser import keys
from freehold.browser.keys import Command
from freehold.browser.tab import Tab

_BATCH = 100
"""Commands a round trip: a dialog or a cancelled call stops the typing at the next batch."""

# The bridge is a Unix socket, so the browser runs on the system that we run on.
_MAC = platform.system() == "Darwin"


async def press(tab: Tab, chords: str, *, repeat: int = 1) -> None:
    """Press key chords such as `ctrl+a` or `ArrowDown Enter`, `repeat` times.

    Raises `UsageError` (`unknown_key`) before any is sent.
    """
    await _send(tab, keys.press(chords, mac=_MAC) * repeat)


async def type_text(tab: Tab, text: str) -> None:
    """Type `text` into whatever has focus, whole in any script."""
    await _send(tab, keys.type_commands(text))


async def _send(tab: Tab, commands: Sequence[Command]) -> None:
    for start in range(0, len(commands), _BATCH):
        await tab.press([(command.method, command.params) for command in commands[start : start + _BATCH]])
