"""The two lines that connect the user's own Chrome and agent."""

from __future__ import annotations

import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Connect:
    """The lines, for a Freehold that is started as `freehold`: a command on the path or an absolute one."""

    freehold: str

    @property
    def browser(self) -> str:
        """The command that connects the user's own Chrome."""
        return f"{self.freehold} setup"

    @property
    def agent(self) -> str:
        """The command that connects Claude Code."""
        return f"claude mcp add freehold -- {self.other_agents}"

    @property
    def other_agents(self) -> str:
        """The command that any other agent is to start."""
        return f"{self.freehold} mcp"

    def lines(self) -> tuple[tuple[str, str], ...]:
        """Return each command after the words that say what it is for."""
        return (
            ("Connect your own Chrome", self.browser),
            ("Connect your agent, here Claude Code", self.agent),
            ("Any other agent that speaks MCP starts", self.other_agents),
        )


def here() -> Connect:
    """Return the lines that work in the user's own shell.

    A virtual environment may be on the path of this process alone, as it is under `scripts/try`; then the command is
    given with its whole path.
    """
    beside = Path(sys.prefix) / "bin" / "freehold"
    found = shutil.which("freehold")
    in_environment = sys.prefix != sys.base_prefix and (found is None or Path(found) == beside)
    return Connect(shlex.quote(str(beside)) if in_environment and beside.exists() else "freehold")
