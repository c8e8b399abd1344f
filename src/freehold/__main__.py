"""The command `freehold`; the only place that knows every surface."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line, or Pi's worker, which its extension alone starts."""
    if sys.argv[1:] == ["pi-worker"]:
        from freehold.surfaces.pi.worker import serve  # noqa: PLC0415 - typer, which it needs not, takes 0.1 s

        serve()
        return
    from freehold.surfaces.cli.main import app, run  # noqa: PLC0415 - the same
    from freehold.surfaces.mcp.command import mcp  # noqa: PLC0415 - the same

    app.command()(mcp)
    sys.exit(run())


if __name__ == "__main__":
    main()
