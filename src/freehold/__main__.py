"""The command `freehold`; the only place that knows every surface."""

from __future__ import annotations

import sys

_MCP_HELP = "Serve the tools to an agent over MCP on standard input and output."


def main() -> None:
    """Run the command line.

    `freehold mcp` and Pi's worker go around it: agents wait for their start, and typer alone takes 0.08 s.
    """
    if sys.argv[1:] == ["pi-worker"]:
        from freehold.surfaces.pi.worker import serve  # noqa: PLC0415 - see above

        serve()
        return
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
