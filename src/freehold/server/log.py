"""The server's log: one JSON object a line on standard error."""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime
from typing import Any

import msgspec


class JsonLines(logging.Formatter):
    """Writes a record with its time, level and place, and what it carries as `told`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as a line of JSON."""
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        line.update(getattr(record, "told", {}))
        if record.exc_info and record.exc_info[0] is not None:
            line["error"] = record.exc_info[0].__name__
            line["at"] = _places(record.exc_info[2])
        return msgspec.json.encode(line).decode()


def _places(traceback: Any) -> list[str]:
    """Return where an error arose, without its message: that may hold what a user wrote."""
    found: list[str] = []
    while traceback is not None:
        code = traceback.tb_frame.f_code
        found.append(f"{code.co_filename.rsplit('/', 1)[-1]}:{traceback.tb_lineno} {code.co_name}")
        traceback = traceback.tb_next
    return found[-8:]


def start(*, verbose: bool = False) -> None:
    """Send the server's log to standard error. `verbose`: a line a request too."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    logging.getLogger("freehold.server.access").setLevel(logging.INFO if verbose else logging.WARNING)
    for name in ("alembic", "uvicorn.access", "mcp"):
        logging.getLogger(name).setLevel(logging.WARNING)
