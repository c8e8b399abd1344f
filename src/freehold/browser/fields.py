"""Fields of a form: set by a page function, files through the browser's file chooser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from freehold import paths
from freehold.browser import pointer, refs
from freehold.browser.fault import marked
from freehold.browser.marks import short
from freehold.browser.tab import Tab
from freehold.browser.waits import Watch
from freehold.errors import FreeholdError, UnavailableError, UsageError, from_wire

Value = str | bool | int | float | list[str]

_CHOOSER_SECONDS = 5.0

_SHOWN = 30
"""How many valid values an error lists."""


async def fill(tab: Tab, watch: Watch, ref: int, value: Value) -> dict[str, Any]:
    """Set the field; return `{role, name, value, type}` as it then stands.

    Raises `UsageError`: `not_editable`, `value_not_allowed` with the valid ones, `file_not_found`.
    """
    described = (await refs.ask(tab, ref, "describe")).result
    if described.get("type") == "file" or (not described.get("editable") and _names_files(value)):
        return {**described, "value": await _choose_files(tab, watch, ref, value)}
    stands = (await refs.ask(tab, ref, "setValue", value)).result
    if error := stands.get("error"):
        raise _refused(error)
    return {**described, **stands}


def _names_files(value: Value) -> bool:
    """Pages often hide the real field behind a button or label; a path says that its file chooser is meant."""
    named = value if isinstance(value, list) else [value]
    return all(isinstance(name, str) and Path(name).expanduser().is_absolute() for name in named)


def _refused(error: dict[str, Any]) -> FreeholdError:
    valid = error.get("data", {}).get("options")
    if isinstance(valid, list) and valid:
        shown = " / ".join(short(str(each), 60) for each in valid[:_SHOWN])  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        error = {**error, "message": f"{error['message']} Valid: {shown}"}
    return marked(from_wire(error))


async def _choose_files(tab: Tab, watch: Watch, ref: int, value: Value) -> list[str]:
    """Open the field's file chooser by a real click and answer it.

    Chrome names the field only in `fileChooserOpened`; a page cannot open a chooser without a user's gesture.
    """
    files = _files(value)
    await tab.send("Page.setInterceptFileChooserDialog", {"enabled": True})
    try:
        await pointer.click(tab, await pointer.target_of_ref(tab, ref))
        if not await watch.until(lambda seen: seen.file_chooser, _CHOOSER_SECONDS) or watch.seen.file_chooser is None:
            raise UnavailableError(
                "timeout", f"ref_{ref} opened no file chooser. Click the button that opens it, by its ref."
            )
        chooser = watch.seen.file_chooser
        if len(files) > 1 and chooser.get("mode") != "selectMultiple":
            raise UsageError("value_not_allowed", f"ref_{ref} takes one file, not {len(files)}.")
        await tab.send("DOM.setFileInputFiles", {"files": files, "backendNodeId": chooser["backendNodeId"]})
    finally:
        await tab.send("Page.setInterceptFileChooserDialog", {"enabled": False})
    return files


def _files(value: Value) -> list[str]:
    named = value if isinstance(value, list) else [value]
    chosen = [Path(str(name)).expanduser().absolute() for name in named]
    for path in chosen:
        if not path.is_file():
            raise UsageError("file_not_found", f"There is no file {path}. Give the path of an existing file.")
        if _is_own(path):
            message = f"{path} is Freehold's own and is never handed to a page. Name another file."
            raise UsageError("value_not_allowed", message)
    return [str(path) for path in chosen]


def _is_own(path: Path) -> bool:
    """Tell the pairing key, the profile and their like, by whatever links; screenshots are the user's to hand on."""
    real = path.resolve()
    home, pictures = paths.home().resolve(), paths.screenshots().resolve()
    return real.is_relative_to(home) and not real.is_relative_to(pictures)


def written(value: Any) -> str:
    """Write a field's value as one text."""
    if isinstance(value, list):
        return ", ".join(map(str, value))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return (
        {True: "true", False: "false", None: ""}.get(value, str(value))
        if isinstance(value, bool | None)
        else str(value)
    )
