"""How long the native host takes from its start, by its launcher as a browser starts it, to its answer to the hello.

    python benchmarks/host_start.py [STARTS]
The first call waits for it, so it may take 150 ms (median) on a machine with nothing else to do. The processor time of
a start, with its end, says the same on a busy one.
"""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from freehold import paths
from freehold.bridge import endpoint, handshake, pairing
from freehold.browser import manifest
from freehold.wire import framing

BOUND_MS = 150
HELLO = framing.native_frame(framing.encode({**handshake.hello("extension"), "browser": "none", "instance": "0"}))


def one_start(launcher: Path) -> float:
    """Start a host, greet it, end it; return the milliseconds until its answer."""
    began = time.perf_counter()
    command = [str(launcher), endpoint.EXTENSION_ORIGIN]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as host:
        assert host.stdin
        assert host.stdout
        host.stdin.write(HELLO)
        host.stdin.flush()
        answer = framing.decode(host.stdout.read(framing.native_length(host.stdout.read(framing.NATIVE_HEADER_BYTES))))
        spent = (time.perf_counter() - began) * 1_000
        host.stdin.close()
    assert answer["type"] == "hello", answer
    return spent


def processor_ms() -> float:
    """Return the processor time of all hosts that have ended, in milliseconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) * 1_000


def main() -> int:
    """Print the figures."""
    starts = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    with tempfile.TemporaryDirectory(prefix="fh-") as folder:
        home = Path(folder)
        pairing.make(paths.pairing_key(home))
        manifest.write_launcher(home)
        one_start(paths.launcher(home))  # the first one compiles
        before = processor_ms()
        spent = sorted(one_start(paths.launcher(home)) for _ in range(starts))
        used = (processor_ms() - before) / starts
    median = statistics.median(spent)
    print(f"ready after {median:.0f} ms (median of {starts}; fastest {spent[0]:.0f}, slowest {spent[-1]:.0f})")
    print(f"processor time {used:.0f} ms a start; the bound is {BOUND_MS} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
