"""Memory that writes itself on a real Pi: the settings, what its model answers, and what then lies on the disk.

remember(pi)                                   # on, but no pass begins by itself: what settles lies there as jobs
remember(pi, extractEvery=1)                   # a pass after each prompt that settles
with pi.rpc() as rpc:
    rpc.run("Deploys happen on Tuesdays.")
    assert Disk(pi).waiting(rpc) == [["user: Deploys happen on Tuesdays.", "assistant: Done."]]
    model.says(memories(memory("Deploys", "Deploys happen on Tuesdays.")), model=SIDE)
    pmem(rpc, "extract", "written")
assert Disk(pi).topics() == {"deploys": "Deploys happen on Tuesdays."}
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from freehold.memory.extraction import session_file
from freehold.memory.extraction.clock import SystemClock
from freehold.memory.extraction.jobs import Job
from freehold.memory.extraction.journal import Record
from freehold.memory.extraction.pending import Held
from freehold.memory.extraction.records import FOLDER, Records
from freehold.memory.extraction.settings import ExtractionSettings
from freehold.memory.project import project_of
from freehold.memory.store import Store
from tests.e2e.pi.host import PiHost
from tests.e2e.pi.model_server import SIDE, Hold, Model, Request, Say, text_of
from tests.e2e.pi.rpc import Rpc

DEADLINE = 60.0
EXTENSIONS = Path(__file__).parent / "extensions"
NEVER = {"extractEvery": 1_000, "extractIdleSeconds": 86_400}


def remember(pi: PiHost, **chosen: Any) -> None:
    """Let memory write itself with the side model; a pass begins only as `chosen` says, or when it is asked for."""
    pi.settings(**{"autoExtract": True, "extractModel": f"fake/{SIDE}", **NEVER, **chosen})


def memory(title: str, body: str, *, evidence: tuple[int, ...] = (1,), topic: str = "") -> dict[str, Any]:
    """Return a memory as the mode `call` answers it and `write_memory` takes it."""
    return {"topic": topic, "title": title, "description": f"about {title}", "body": body, "evidence": evidence}


def memories(*proposed: dict[str, Any]) -> Say:
    """Return the answer of the side model that proposes these."""
    return Say(json.dumps({"memories": proposed}))


def shown(request: Request) -> list[str]:
    """Return the conversation that the side model was shown: "role: text" for each entry."""
    _, _, conversation = text_of(request.messages[-1]).partition("\nThe conversation, ")
    entries = [json.loads(line) for line in conversation.splitlines() if line.startswith("{")]
    return [f"{entry['from']}: {entry['text']}" for entry in entries]


def pmem(rpc: Rpc, words: str, part: str) -> str:
    """Type `/pmem WORDS`; return the notice that answers, which has `part` in it."""
    rpc.send("prompt", message=f"/pmem {words}")
    told = str(rpc.event("extension_ui_request", method="notify")["message"])
    assert part in told
    return told


def caught_up(rpc: Rpc) -> None:
    """Return once the worker has taken in every event so far: it answers in the order in which it is told."""
    pmem(rpc, "status", "Memory writes itself")


def prompted_while_held(rpc: Rpc, model: Model, prompt: str) -> Hold:
    """Send a prompt whose answer stops in the middle; return once half of it has been streamed."""
    hold = Hold()
    model.says(Say("The first half, and the second.", hold=hold))
    rpc.prompt(prompt)
    rpc.event("message_update")
    return hold


class Disk:
    """What lies in the folder of the project's memory."""

    def __init__(self, pi: PiHost) -> None:
        self.store = Store.open(project_of(pi.project), base=pi.agent)
        self.records = Records(self.store.path / FOLDER, ExtractionSettings, SystemClock())

    def topics(self) -> dict[str, str]:
        """Return the body of each topic, by name."""
        return {topic.name: topic.body.strip() for topic in self.store.topics()}

    def jobs(self) -> list[Job]:
        """Return the jobs that wait."""
        return self.records.jobs.waiting()

    def waiting(self, rpc: Rpc | None = None) -> list[list[str]]:
        """Return what was said, as "role: text", in each job that waits; with `rpc` once its worker has caught up."""
        if rpc is not None:
            caught_up(rpc)
        return [said(job) for job in self.jobs()]

    def pending(self) -> list[Held]:
        """Return the memories that wait for the user's word."""
        return self.records.pending.all()

    def writes(self) -> list[Record]:
        """Return the writes that memory did by itself."""
        return self.records.journal.records()

    def log(self) -> list[str]:
        """Return the lines of the log."""
        return self.records.log.lines()

    def is_untouched(self) -> bool:
        """Tell whether nothing at all was kept: no topic, no job, nothing pending, no write, no pass."""
        return not (self.topics() or self.jobs() or self.pending() or self.writes() or self.log())


def said(job: Job) -> list[str]:
    """Return what the entries of `job` say, in their order, each as often as the job names it."""
    found = {entry.id: entry for entry in session_file.read(Path(job.session_file), job.entries, job.clean)}
    return [f"{found[one].role}: {found[one].text}" if one in found else "(not in the file)" for one in job.entries]


def until(met: Callable[[], bool]) -> None:
    """Wait for what another process does."""
    deadline = time.monotonic() + DEADLINE
    while not met():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)
