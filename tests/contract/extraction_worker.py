"""A process that works through what waits in a store, as a session's worker does at its start.

`extraction_worker.py FOLDER [hang]`: its model answers with one memory for each fact that the user told
("Fact NAME: ..."), and prints "asked NAME..." first; with `hang` it then never answers. The end of the pass is printed
as its result.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import anyio

from freehold.memory.extraction.extraction import Extraction
from freehold.memory.extraction.settings import ExtractionSettings
from freehold.memory.store import Store
from freehold.model.completer import Answer, Request


class Model:
    def __init__(self, *, hang: bool) -> None:
        self._hang = hang

    async def complete(self, request: Request) -> Answer:
        said = request.messages[0].text.split("The conversation", 1)[1]
        entries: list[dict[str, Any]] = [json.loads(line) for line in said.splitlines()[1:]]
        facts = [
            {"title": f"Fact {name}", "body": f"Fact {name}: {rest}", "evidence": [entry["number"]]}
            for entry in entries
            for name, rest in re.findall(r"^Fact (\w+): (.*)$", entry["text"], re.MULTILINE)
        ]
        print("asked", *(fact["title"] for fact in facts), flush=True)
        if self._hang:
            await anyio.sleep_forever()
        return Answer(text=json.dumps({"memories": facts}), input_tokens=1, output_tokens=1)


async def main() -> None:
    folder = Path(sys.argv[1])
    settings = ExtractionSettings(auto_extract=True, extract_model="session", daily_passes=10_000)
    model = Model(hang="hang" in sys.argv)
    extraction = Extraction(Store.open(folder / "store", deadline=60), model, settings, cache=folder / "cache")
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(extraction.run)
        extraction.observe("session_start", {"reason": "startup", "session_id": "w", "session_file": ""})
        if not extraction.records.jobs.waiting():
            print("idle", flush=True)
        else:
            outcome = await extraction.extract()
            print(outcome.result, *outcome.wrote, flush=True)
        await extraction.drain(0)


if __name__ == "__main__":
    anyio.run(main)
