"""`freehold browser`: the browsers there are, and one of our own."""

from __future__ import annotations

import signal
from functools import partial
from pathlib import Path
from typing import Annotated

import anyio
import typer
from rich.markup import escape

from freehold.app import own_browser
from freehold.browser import installed
from freehold.browser.launch import LaunchedBrowser
from freehold.surfaces.cli.console import console
from freehold.surfaces.cli.machine_output import print_json
from freehold.surfaces.cli.own_command import own_command

app = typer.Typer(add_completion=False)


@app.callback(invoke_without_command=True)
def browser(ctx: typer.Context) -> None:
    """List the installed browsers, or start one of our own."""
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


@app.command("list")
def list_browsers(as_json: Annotated[bool, typer.Option("--json", help="Print for machines.")] = False) -> None:
    """Show the installed browsers that Freehold knows."""
    browsers = installed.installed(installed.Machine.this())
    if as_json:
        print_json([_as_data(browser) for browser in browsers])
        return
    out = console()
    for browser in browsers:
        program = escape(str(browser.executable or "program not found"))
        out.print(f"{browser.name}  [dim]{program}  {escape(str(browser.user_data))}[/]")
        if browser.advice:
            out.print(f"  [yellow]{browser.advice}[/]")
    if not browsers:
        out.print("No Chromium-family browser was found.")


@app.command()
def launch(
    headless: Annotated[bool, typer.Option("--headless", help="Without a window.")] = False,
    executable: Annotated[
        str, typer.Option(help="The browser to start; else the settings', else the first found.")
    ] = "",
    user_data_dir: Annotated[Path | None, typer.Option(help="Its profile; else one of Freehold's own.")] = None,
) -> None:
    """Start a browser of Freehold's own, with the extension loaded, until Ctrl-C."""
    code = anyio.run(partial(_launch, headless=headless, executable=executable, profile=user_data_dir))
    raise typer.Exit(code)


def _as_data(browser: installed.Installed) -> dict[str, object]:
    return {
        "name": browser.name,
        "executable": str(browser.executable) if browser.executable else None,
        "user_data": str(browser.user_data),
        "confined": browser.confined or None,
        "advice": browser.advice or None,
    }


async def _launch(*, headless: bool, executable: str, profile: Path | None) -> int:
    """Run the browser until it or we are told to end; return 0, or 1 when the browser ended by itself with an error."""
    ended_with = 0
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_cancel_when_told, tasks.cancel_scope)
        async with own_browser.launched(headless=headless, executable=executable, profile=profile) as browser:
            _introduce(browser, headless=headless)
            ended_with = await browser.wait()
        tasks.cancel_scope.cancel()
    return 1 if ended_with else 0


async def _cancel_when_told(scope: anyio.CancelScope) -> None:
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM, signal.SIGHUP) as signals:
        async for _ in signals:
            scope.cancel()
            return


def _introduce(browser: LaunchedBrowser, *, headless: bool) -> None:
    out = console()
    out.print(f"[bold]{browser.product}[/] runs as process {browser.pid}{', without a window' if headless else ''}.")
    out.print(f"[dim]profile {escape(str(browser.profile))}[/]")
    for note in browser.notes:
        out.print(f"[yellow]{note}[/]")
    out.print(f"Your agents can use it now; try: {escape(own_command())} tool tabs_context")
    out.print("Ctrl-C ends it.")
