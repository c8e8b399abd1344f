"""A worker that stands in for Freehold's: it records what the extension says, and has tools that try the wire.

    python -I fake_worker.py RECORD [stubborn]

A stubborn one answers no shutdown and outlives the end of its input.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any

from freehold.wire import jsonl

LINE_SEPARATOR = "\u2028"
STRANGE = f"a{LINE_SEPARATOR}b\0c\ud83dd\u2029\x85"
TOOLS = ("echo", "strange", "blob", "wait", "crash", "ask", "noise", "progress")
FIELDS = ["outcome", "continue", "aborted", "reason", "prompt", "messageEntryId", "toolResultEntryIds", "willRetry"]
EVENTS = (
    "before_agent_start", "agent_start", "turn_end", "agent_before_settle", "agent_settled", "session_before_compact",
    "session_compact", "session_tree",
)  # fmt: skip
_SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}, "size": {"type": "integer"}}}


class FakeWorker:
    def __init__(self, record: Path, *, stubborn: bool) -> None:
        self._stubborn = stubborn
        self._record = record.open("ab")
        self._lock = threading.Lock()
        self._answers: dict[str, int] = {}

    def send(self, frame: dict[str, Any]) -> None:
        with self._lock:
            sys.stdout.buffer.write(jsonl.line(frame))
            sys.stdout.buffer.flush()

    def note(self, message: dict[str, Any]) -> None:
        self._record.write(jsonl.line({"pid": os.getpid(), **message}))
        self._record.flush()

    def run(self) -> None:
        reader = jsonl.LineReader()
        while data := os.read(0, 1 << 18):
            reader.feed(data)
            for message in reader.messages():
                self.note(message)
                self.take(message)
        self.note({"method": "EOF"})
        if self._stubborn:
            threading.Event().wait(600)

    def take(self, message: dict[str, Any]) -> None:
        method, params = message["method"], message["params"]
        number = message.get("id", 0)
        if method == "start":
            self.answer(number, self.declared())
        elif method == "sections":
            self.answer(number, {"sections": {"fake-section": "constant"}})
        elif method == "tool.call":
            self.call(number, params["name"], params["arguments"])
        elif method == "inference_response":
            self.said(self._answers.pop(params["request_id"]), json.dumps(params["result"]))
        elif number and not (self._stubborn and method == "shutdown"):
            self.answer(number, {"text": "said", "level": "info"})

    def declared(self) -> dict[str, Any]:
        tools = [
            {"name": f"fake_{name}", "tool": name, "label": name, "description": name, "parameters": _SCHEMA}
            for name in TOOLS
        ]
        events = [{"name": name, "fields": FIELDS, "entries": True, "seconds": 0} for name in EVENTS]
        command = {"name": "fake", "description": "a fake", "completions": ["one", "two"]}
        return {"tools": tools, "commands": [command], "events": events, "discovery": "", "drain_seconds": 1}

    def call(self, number: int, name: str, arguments: dict[str, Any]) -> None:
        if name == "echo":
            self.said(number, arguments["text"])
        elif name == "strange":
            self.said(number, STRANGE)
        elif name == "blob":
            self.said(number, "é" * (arguments["size"] // 2))
        elif name == "crash":
            os._exit(3)
        elif name == "ask":
            self.ask(number, arguments["text"])
        elif name == "progress":
            partial: dict[str, Any] = {"content": [{"type": "text", "text": "half way"}], "details": {}}
            self.send({"type": "tool_progress", "id": number, "result": partial})
            self.said(number, "all the way")
        elif name == "noise":
            sys.stdout.buffer.write(b'not json\n[1, 2]\n"x"\n\n{"type": "wish", "id": 1}\n')
            self.send({"type": "tool_result", "id": 987654, "result": {}})
            self.said(number, "heard")

    def ask(self, number: int, text: str) -> None:
        self._answers["q1"] = number
        asked = {"model": "", "system": "Be short.", "messages": [{"role": "user", "content": text}], "tools": []}
        self.send({"type": "inference_request", "request_id": "q1", "call": number, **asked, "max_tokens": 50})

    def said(self, number: int, text: str) -> None:
        self.answer(number, {"content": [{"type": "text", "text": text}], "details": {}, "isError": False})

    def answer(self, number: int, result: dict[str, Any]) -> None:
        self.send({"type": "tool_result", "id": number, "result": result})


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    FakeWorker(Path(sys.argv[1]), stubborn="stubborn" in sys.argv[2:]).run()
