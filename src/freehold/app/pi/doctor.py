"""What `freehold doctor` looks at where Pi is installed: version, package, worker, settings and models."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

from freehold import __version__, paths
from freehold.app.pi import package, program
from freehold.app.pi import settings as pi_settings
from freehold.app.pi.program import PiProgram
from freehold.app.pi.settings import PiSettings
from freehold.browser.doctor import Check
from freehold.errors import FreeholdError

CONNECT = "Run: freehold connect pi"
_IMPORT_SECONDS = 20
_LOG_IN = "Log in to it in pi (/login), or set "


def checks() -> list[Check]:
    """Check Freehold in Pi; a note where Pi is not used. Changes nothing."""
    try:
        found = program.find()
    except FreeholdError as error:
        state = "note" if error.code == "pi_not_found" else "wrong"
        return [Check("Pi", state, error.message, "" if state == "note" else "Pi needs Node 22.19 or newer")]
    if not found.new_enough:
        return [Check("Pi", "wrong", f"Pi {found.version} is too old for Freehold's package.", program.GET_PI)]
    try:
        places = dict.fromkeys([*package.installed(), *package.installed(Path.cwd())])
    except FreeholdError as error:
        return [Check("Pi", "wrong", error.message, "Mend the file")]
    here = Check("Pi", "ok", f"Pi {found.version} at {found.file}")
    if not places:
        return [here, Check("Pi's package", "note", "Pi does not have Freehold's package.", CONNECT)]
    return [here, _package(places), *_of_settings(found)]


def _package(places: Iterable[str]) -> Check:
    hop = "Pi's package"
    for place in places:
        version = package.version(place)
        if version not in {"", __version__}:
            return Check(
                hop, "wrong", f"{place} is Freehold {version}; this is {__version__}.", f"Update it, or {CONNECT}"
            )
    return Check(hop, "ok", ", ".join(places))


def _of_settings(found: PiProgram) -> list[Check]:
    file = pi_settings.file()
    try:
        settings = pi_settings.load()
    except FreeholdError as error:
        return [Check("Pi's settings", "wrong", error.message, f"Edit {file}, or delete it: all have defaults")]
    said = Check("Pi's settings", "ok", str(file) if file.exists() else "the defaults")
    return [said, _worker(settings), *_find(found, settings), _extraction(found, settings)]


def _worker(settings: PiSettings) -> Check:
    hop = "Pi's worker"
    if not settings.command:
        detail = "Not recorded: the package looks for Freehold beside itself, in Pi's folder and on the PATH."
        return Check(hop, "note", detail, CONNECT)
    python, *_ = settings.command
    code = "import freehold.surfaces.pi.worker, freehold; print(freehold.__version__)"
    try:
        done = subprocess.run(
            [python, "-I", "-c", code], capture_output=True, text=True, timeout=_IMPORT_SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Check(hop, "wrong", f"{python} does not start: {error}", CONNECT)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        return Check(hop, "wrong", f"{python} cannot import Freehold's worker: {reason}", CONNECT)
    if (version := done.stdout.strip()) != __version__:
        return Check(hop, "wrong", f"It starts Freehold {version}; this is {__version__}.", CONNECT)
    return Check(hop, "ok", f"{python} starts the worker")


def _find(found: PiProgram, settings: PiSettings) -> list[Check]:
    hop, model = "model for find", settings.find_model
    if model in {"", "session"}:
        return []
    try:
        there = _has(found, model)
    except FreeholdError as error:
        return [Check(hop, "wrong", error.message, "Start pi once, and see what it says")]
    if there:
        return [Check(hop, "ok", model)]
    fix = f'{_LOG_IN}findModel to another "provider/id", or to "" for the model of the conversation'
    return [Check(hop, "wrong", f"Pi has no model {model}: elements are found by words alone.", fix)]


def _extraction(found: PiProgram, settings: PiSettings) -> Check:
    hop = "memory that writes itself"
    if not settings.auto_extract:
        return Check(hop, "ok", f"off (autoExtract in {paths.agent_folder() / pi_settings.FILE_NAME})")
    model = settings.extract_model
    if model in {"", "session"}:
        return Check(hop, "ok", "on, with the model of the conversation")
    try:
        there = _has(found, model)
    except FreeholdError as error:
        return Check(hop, "wrong", error.message, "Start pi once, and see what it says")
    if there:
        return Check(hop, "ok", f"on, with {model}")
    fix = f'{_LOG_IN}extractModel to another "provider/id", or to "session"'
    return Check(hop, "wrong", f"On, but Pi has no model {model}: nothing is written.", fix)


def _has(found: PiProgram, model: str) -> bool:
    """Tell whether Pi has `model` ("provider/id") and a key for it."""
    provider, _, name = model.partition("/")
    return any(line.split()[:2] == [provider, name] for line in found.run("--list-models", name).splitlines())
