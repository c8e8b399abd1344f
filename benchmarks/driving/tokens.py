"""Tokens of cl100k, counted by js-tiktoken as the tests do."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence

from driving.server import NODE, ROOT

_COUNT = """
import { Tiktoken } from "js-tiktoken/lite";
import ranks from "js-tiktoken/ranks/cl100k_base";
import { readFileSync } from "node:fs";
const tiktoken = new Tiktoken(ranks);
const count = (text) => text.split("\\n").reduce((sum, line) => sum + tiktoken.encode(line + "\\n", [], []).length, 0);
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(count)));
"""


def tokens(texts: Sequence[str]) -> list[int]:
    """Count each text, line by line: the whole of a large page takes js-tiktoken minutes."""
    command = [str(NODE), "--input-type=module", "--eval", _COUNT]
    done = subprocess.run(command, input=json.dumps(texts).encode(), cwd=ROOT, capture_output=True, check=True)
    return json.loads(done.stdout)
