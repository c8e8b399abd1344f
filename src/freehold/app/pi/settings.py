"""What the user chose for Pi: `freehold.json` in Pi's own folder, and what a project's file may tighten."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, cast

import msgspec

from freehold import paths
from freehold.archive.context_settings import first_settings
from freehold.browser import files
from freehold.errors import UsageError

FILE_NAME = "freehold.json"
_LIMIT = 64 * 1024

Exposure = Literal["on", "deferred", "off"]
"""`on`: declared to the model. `deferred`: found by Pi's own tool search when the model looks. `off`: not there."""

_LOOSENESS: dict[str, int] = {"off": 0, "deferred": 1, "on": 2}

Struct = TypeVar("Struct", bound=msgspec.Struct)


class Groups(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How each group of tools is offered. Memory is off: the model reads and writes its files."""

    browser: Exposure = "on"
    archive: Exposure = "on"
    memory: Exposure = "off"


class PiSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename="camel"):
    """Every setting; each has a default that works.

    `command`: what starts the worker, as `freehold connect pi` recorded it. `deferred`: tools that are offered as
    `deferred` though their group is on. `browser_prefix`: what the browser tools' names begin with.
    `inject_context_bundle`: sessions begin with the archive's context bundle. `find_model`, `extract_model`:
    "provider/id"; `session` or an empty text for the model of the conversation. `find_seconds`: how long that may take
    in a tool before the tool goes on without. `recall_seconds`: how long a prompt may wait for recall. `extract_every`
    and `extract_idle_seconds`: after so many prompts, or so long without one, memory is written.
    `extract_drain_seconds`: how long the end of a session may wait for a memory that is being written.
    `daily_passes` and `daily_tokens`: the most of a day for a project.
    """

    command: tuple[str, ...] = ()
    tools: Groups = Groups()
    deferred: tuple[str, ...] = ("javascript_tool", "tabs_close", "nmem_list_threads")
    browser_prefix: Annotated[str, msgspec.Meta(pattern="^[a-z0-9_]{0,20}$")] = "freehold_"
    memory_block: bool = True
    inject_context_bundle: bool = False
    recall: bool = False
    recall_seconds: Annotated[float, msgspec.Meta(ge=0.1, le=5)] = 1.0
    find_model: str = ""
    find_seconds: Annotated[float, msgspec.Meta(ge=0.1, le=20)] = 20.0
    auto_extract: bool = False
    extract_model: str = "qoder/fast"
    extract_mode: Literal["call", "fork"] = "call"
    extract_every: Annotated[int, msgspec.Meta(ge=1, le=1_000)] = 5
    extract_idle_seconds: Annotated[float, msgspec.Meta(ge=0.01, le=86_400)] = 120.0
    extract_drain_seconds: Annotated[float, msgspec.Meta(ge=0, le=15)] = 15.0
    daily_passes: Annotated[int, msgspec.Meta(ge=0, le=10_000)] = 40
    daily_tokens: Annotated[int, msgspec.Meta(ge=0, le=1_000_000_000)] = 400_000


def file(agent_folder: Path | None = None) -> Path:
    """Return the user's file; it may not exist. `agent_folder` stands in for `paths.agent_folder()`."""
    return (agent_folder or paths.agent_folder()) / FILE_NAME


def project_file(project: Path) -> Path:
    """Return the file with which a project may tighten; it may not exist."""
    return project / ".pi" / FILE_NAME


def load(agent_folder: Path | None = None) -> PiSettings:
    """Read the user's settings; where there are none, the defaults with what an earlier package's file says.

    Raises `UsageError` (`invalid_argument`) that names the file and what is wrong in it.
    """
    place = file(agent_folder)
    try:
        with place.open("rb") as stream:
            return msgspec.json.decode(stream.read(_LIMIT), type=PiSettings)
    except FileNotFoundError:
        return PiSettings(inject_context_bundle=first_settings(place.parent).inject_context_bundle)
    except OSError as error:
        raise UsageError("invalid_argument", f"{place} cannot be read: {error.strerror}.") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError("invalid_argument", f"{place}: {error}. Valid settings: {', '.join(_names())}.") from error


def save(settings: PiSettings, agent_folder: Path | None = None) -> Path:
    """Write all settings, so that a person sees what there is to change; return the file."""
    # Through a link, which people have who keep their settings in a repository of their own.
    place = file(agent_folder).resolve()
    files.make_private(place.parent)
    files.write(place, msgspec.json.format(msgspec.json.encode(settings), indent=2) + b"\n", 0o600)
    return place


def make(agent_folder: Path | None = None) -> PiSettings:
    """Load the settings; write the defaults where there is no file yet, and go on where that cannot be done."""
    settings = load(agent_folder)
    if not file(agent_folder).exists():
        try:
            save(settings, agent_folder)
        except OSError:
            return settings  # a folder that is not ours to write to: the defaults hold all the same
    return settings


def tightened(settings: PiSettings, project: Path) -> tuple[PiSettings, list[str]]:
    """Return `settings` as the project's file tightens them, and sentences about what of it was left out.

    A repository is a stranger: it may take a tool or a write away and give none.
    """
    place = project_file(project)
    try:
        # A link may lead to a terminal or a pipe, which would be waited for.
        if place.exists() and not place.is_file():
            return settings, [f"{place} is not read: it is no file."]
        with place.open("rb") as stream:
            asked = msgspec.json.decode(stream.read(_LIMIT), type=dict[str, Any])
    except (FileNotFoundError, NotADirectoryError):
        return settings, []
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return settings, [f"{place} is not read: {error}."]
    wider = [name for name in asked if not _allowed(name, asked[name], settings)]
    kept = {name: value for name, value in asked.items() if name not in wider and name != "tools"}
    tools = msgspec.structs.replace(settings.tools, **asked["tools"]) if "tools" in asked.keys() - wider else None
    changed = _replaced(settings, kept)
    if tools is not None:
        changed = msgspec.structs.replace(changed, tools=tools)
    return changed, [f"{place}: {_told(wider)} left out; a project may only tighten."] if wider else []


def _told(names: list[str]) -> str:
    """Return a stranger's names as a terminal may show them: no escape sequences, and no more than a line or two."""
    shown = [name[:40] if name.isprintable() else ascii(name)[:40] for name in sorted(names)]
    return ", ".join(shown[:10]) + (f" and {len(shown) - 10} more" if len(shown) > 10 else "")


def _allowed(name: str, value: Any, settings: PiSettings) -> bool:
    if name == "tools":
        return isinstance(value, dict) and all(
            group in Groups.__struct_fields__
            and _LOOSENESS.get(str(wish), 9) <= _LOOSENESS[getattr(settings.tools, group)]
            for group, wish in cast("dict[str, Any]", value).items()
        )
    if name in {"memoryBlock", "injectContextBundle", "recall", "autoExtract"}:
        return value is False
    if name in {"dailyPasses", "dailyTokens"}:
        limit = settings.daily_passes if name == "dailyPasses" else settings.daily_tokens
        return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= limit
    return False


def _replaced(settings: PiSettings, changes: dict[str, Any]) -> PiSettings:
    known = dict(zip(_names(), PiSettings.__struct_fields__, strict=True))
    return msgspec.structs.replace(settings, **{known[name]: value for name, value in changes.items()})


def _names() -> tuple[str, ...]:
    return PiSettings.__struct_encode_fields__
