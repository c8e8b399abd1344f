"""The two lines that connect the user's own Chrome and agent."""

from __future__ import annotations

from dataclasses import dataclass

from freehold.surfaces.cli.own_command import own_command


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
    """Return the lines that work in the user's own shell."""
    return Connect(own_command())
