"""The gate of sizes, run as scripts/check runs it, on a small repository of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

GATE = Path(__file__).parents[2] / "scripts" / "sizes.py"


def gate(repository: Path) -> subprocess.CompletedProcess[str]:
    subprocess.run(["git", "init", "-q", str(repository)], check=True)
    return subprocess.run(
        [sys.executable, str(GATE)], cwd=repository, capture_output=True, text=True, check=False, timeout=60
    )


def function(lines: int) -> str:
    return "def long() -> None:\n" + "    pass\n" * (lines - 1)


def test_files_and_functions_at_the_limit_pass(tmp_path: Path) -> None:
    (tmp_path / "at_limit.js").write_text("1;\n" * 300)
    (tmp_path / "function.py").write_text(function(60))
    (tmp_path / "words.md").write_text("word\n" * 400)
    assert gate(tmp_path).returncode == 0


def test_a_file_of_301_lines_is_named(tmp_path: Path) -> None:
    (tmp_path / "long.js").write_text("1;\n" * 301)
    result = gate(tmp_path)
    assert result.returncode == 1
    assert "long.js" in result.stdout


def test_a_function_of_61_lines_is_named(tmp_path: Path) -> None:
    (tmp_path / "function.py").write_text(function(61))
    result = gate(tmp_path)
    assert result.returncode == 1
    assert "function.py:1" in result.stdout


def test_a_script_without_an_ending_counts_as_code(tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / "run").write_text("true\n" * 301)
    assert gate(tmp_path).returncode == 1


def test_what_git_ignores_is_not_counted(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("made/\n")
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "long.js").write_text("1;\n" * 301)
    assert gate(tmp_path).returncode == 0
