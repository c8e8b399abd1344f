"""`freehold mcp`: its options, read with the standard library alone, since an agent waits for the first answer."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from freehold.errors import FreeholdError

_USAGE, _FAILED = 2, 1


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """End with the words and the status of every other command of ours."""
        self.exit(_USAGE, f"freehold: {message}. See: {self.prog} --help\n")


def run(arguments: Sequence[str]) -> int:
    """Serve until standard input ends; return the exit code: 0, 1 for a failure, 2 for wrong usage."""
    options = _parser().parse_args(arguments)
    # Of what is imported nothing is garbage: 0.08 s of the SDK's 0.9 s would go into looking for some.
    gc.disable()
    from freehold.surfaces.mcp.server import serve  # noqa: PLC0415 - the MCP SDK, after `--help` and wrong options

    gc.freeze()
    gc.enable()
    try:
        serve(
            groups=tuple(group.strip() for group in options.tools.split(",") if group.strip()),
            project=options.project,
            session=options.session,
            browser=options.browser,
            launch=options.launch,
        )
    except FreeholdError as error:
        print(f"freehold: {error.message} [{error.code}]", file=sys.stderr)  # noqa: T201 - to the user, not the client
        return _USAGE if error.code == "invalid_argument" else _FAILED
    return 0


def _parser() -> argparse.ArgumentParser:
    text = "Serve the tools to an agent over MCP on standard input and output."
    parser = _Parser(prog="freehold mcp", description=text, allow_abbrev=False)
    parser.add_argument("--tools", default="browser", help="groups of tools to offer, separated by commas (browser)")
    parser.add_argument("--project", default="", help="the project's folder, where the agent starts us elsewhere")
    session = os.environ.get("FREEHOLD_SESSION", "")
    parser.add_argument("--session", default=session, help="name of the session; resumes it [env: FREEHOLD_SESSION]")
    parser.add_argument("--browser", default="", help="part of the name of the browser, when several are connected")
    parser.add_argument("--launch", action="store_true", help="start a browser of our own if none is connected")
    return parser
