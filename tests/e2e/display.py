"""A display that nobody sees, for windows in tests (Xvfb; macOS always has one of its own)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager

import pytest


@contextmanager
def display() -> Generator[None]:
    """Have `DISPLAY` name a display of this block's own."""
    if sys.platform == "darwin":
        yield
        return
    told, write = os.pipe()
    # Xvfb takes the first free number by itself and says which once it can be connected to.
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x1000x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL) as server:
        os.close(write)
        try:
            with os.fdopen(told) as stream:
                number = stream.readline().strip()
            assert number, "Xvfb did not start"
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("DISPLAY", f":{number}")
                yield
        finally:
            server.terminate()
