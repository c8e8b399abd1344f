"""The gate of sizes: no file of code over 300 lines, no Python function over 60 (ESLint counts those of JavaScript)."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

FILE_LINES = 300
FUNCTION_LINES = 60
CODE = frozenset({".py", ".js", ".mjs", ".ts", ".css", ".html", ".sh", ".sql"})


def long_functions(file: Path, text: str) -> list[str]:
    """Return a complaint for each function of the Python source `text` that is too long."""
    found: list[str] = []
    try:
        tree = ast.parse(text, file)
    except SyntaxError as error:
        return [f"{file}:{error.lineno}: cannot be read as Python: {error.msg}"]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno is not None:
            lines = node.end_lineno - node.lineno + 1
            if lines > FUNCTION_LINES:
                found.append(f"{file}:{node.lineno}: {node.name} has {lines} lines, more than {FUNCTION_LINES}")
    return found


def complaints(file: Path) -> list[str]:
    """Return what is too long in `file`; nothing for what is not code."""
    if file.suffix not in CODE and file.parts[0] not in {"scripts", ".ci"}:
        return []
    text = file.read_text(encoding="utf-8")
    lines = len(text.splitlines())
    found = [f"{file}: {lines} lines, more than {FILE_LINES}"] if lines > FILE_LINES else []
    return found + (long_functions(file, text) if file.suffix == ".py" else [])


def main() -> int:
    """Check every file that Git knows or would add; print the complaints."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],  # noqa: S607 - the user's own git
        check=True,
        capture_output=True,
    )
    files = [Path(name) for name in listed.stdout.decode().split("\0") if name]
    found = [complaint for file in files if file.is_file() for complaint in complaints(file)]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
