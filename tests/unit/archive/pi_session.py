"""A Pi session file, written entry by entry as Pi does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Self

ID = "019a1111-aaaa-7bbb-8ccc-dddddddddddd"
THREAD = f"pi-{ID}"


class PiSession:
    """Adds entries behind `leaf`; every method returns the session, so that a conversation reads as one."""

    def __init__(self, folder: Path, session: str = ID) -> None:
        self.id = session
        self.file = folder / f"2026-11-01T12-00-00-000Z_{session}.jsonl"
        self.leaf: str | None = None
        self.count = 0
        folder.mkdir(parents=True, exist_ok=True)
        self._write({"type": "session", "version": 3, "id": session, "timestamp": "t", "cwd": "/code/garden"})

    @property
    def payload(self) -> dict[str, Any]:
        return {"session_id": self.id, "session_file": str(self.file)}

    def entry(self, kind: str, **fields: Any) -> Self:
        self.count += 1
        own = f"e{self.count}"
        self._write(
            {"type": kind, "id": own, "parentId": self.leaf, "timestamp": f"2026-11-01T12:00:{self.count:02}Z"} | fields
        )
        self.leaf = own
        return self

    def user(self, text: str) -> Self:
        return self.entry("message", message={"role": "user", "content": [{"type": "text", "text": text}]})

    def answer(self, text: str, end: str = "stop", *more: dict[str, Any]) -> Self:
        content = [{"type": "text", "text": text}, *more] if text else list(more)
        return self.entry("message", message={"role": "assistant", "content": content, "stopReason": end})

    def tool(self, text: str) -> Self:
        content = [{"type": "text", "text": text}]
        return self.entry("message", message={"role": "toolResult", "toolName": "bash", "content": content})

    def turn(self, number: int) -> Self:
        return self.user(f"question {number}").answer(f"answer {number}")

    def back_to(self, entry: str) -> Self:
        self.leaf = entry
        return self

    def _write(self, row: dict[str, Any]) -> None:
        with self.file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(row) + "\n")
