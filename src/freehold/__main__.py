"""The command `freehold`; the only place that knows every surface."""

from __future__ import annotations

import sys

_MCP_HELP = "Serve the tools to an agent over MCP on standard input and output."


def main() -> None:
    """Run the command line.

    `freehold mcp` goes around it: agents wait for its start, and typer alone takes 0.08 s of the 0.9 s.
    """
    sys.exit(_mcp(sys.argv[2:]) if sys.argv[1:2] == ["mcp"] else _command_line())


def _mcp(arguments: list[str]) -> int:
    from freehold.surfaces.mcp import command  # noqa: PLC0415 - the MCP SDK takes 0.8 s to import

    return command.run(arguments)


def _command_line() -> int:
    import typer  # noqa: PLC0415 - see main

    from freehold.surfaces.cli.main import app, run  # noqa: PLC0415 - see main

    def mcp(context: typer.Context) -> None:
        raise typer.Exit(_mcp(context.args))

    # typer looks for the names of annotations in the module, where this one must not be.
    mcp.__annotations__["context"] = typer.Context
    settings = {"ignore_unknown_options": True, "allow_extra_args": True}
    app.command("mcp", help=_MCP_HELP, add_help_option=False, context_settings=settings)(mcp)
    return run()


if __name__ == "__main__":
    main()
