"""`find` on descriptions of elements on real pages: how often the right element is first, or among the first five.

Without a model, by kind, beside descriptions of what is not there (the set's, and those of `find_absent.jsonl`). With
one, as a scripted model plays it: how often the right element is among what is sent, and how much is sent.
Reads the set from the folder named by `FREEHOLD_DATA` (`find/find.dev.jsonl` and `find/ax/*.json`, accessibility nodes
as Chrome gave them).
    python benchmarks/find.py [--misses]
"""

from __future__ import annotations

import json
import os
import re
import statistics
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import anyio

from freehold.browser.choice import choose
from freehold.browser.find import rank
from freehold.browser.outline import render
from freehold.browser.snapshot import Snapshot, from_frames
from freehold.model.completer import Answer, Request

# Chrome's own names for roles that WAI-ARIA calls otherwise, or does not have.
_ROLES = {
    "LabelText": "label", "DisclosureTriangle": "button", "LayoutTable": "table", "LayoutTableRow": "row",
    "LayoutTableCell": "cell",
    "Iframe": "iframe", "MenuListPopup": "none", "DescriptionList": "list", "sectionfooter": "contentinfo",
}  # fmt: skip
_HREF = re.compile(r'^a\[href="([^"]*)"\]$')
_VIEWPORT = {"width": 1280, "height": 900}
_LINE = re.compile(r"^(\d+) ", re.MULTILINE)
_PER_TOKEN = 4
"""Characters a token, about: of English text in the usual tokenizers."""


def snapshot(page: dict[str, Any]) -> Snapshot:
    """Return the page's nodes as `page.read` would have answered them; the ref of node i is i + 1."""
    nodes = [
        [node["depth"], _ROLES.get(node["role"], node["role"]), node["name"], node["i"] + 1, _states(node)]
        for node in page["nodes"]
    ]
    frame = {
        "frameId": 0,
        "parentFrameId": -1,
        "url": "https://page.example/",
        "title": page["title"],
        "viewport": _VIEWPORT,
        "nodes": nodes,
    }
    return from_frames([frame])


def _states(node: dict[str, Any]) -> dict[str, Any]:
    states: dict[str, Any] = {
        name.lower(): {"true": True, "false": False}.get(str(value).lower(), value)
        for name, value in node["state"].items()
        if name != "settable"
    }
    if node["value"]:
        states["value"] = node["value"]
    if node["desc"]:
        states["description"] = node["desc"]
    if href := _HREF.match(node["selector"]):
        states["url"] = href[1]
    return states


class _Scripted:
    """A model that knows the answer: the right element where it was offered, else that there is none."""

    def __init__(self, right: set[int]) -> None:
        self.sent = 0
        self._right = right

    async def complete(self, request: Request) -> Answer:
        asked = request.messages[0].text
        self.sent = (len(request.system) + len(asked)) // _PER_TOKEN
        offered = [int(number) for number in _LINE.findall(asked)]
        return Answer(text=str(next((ref for ref in offered if ref - 1 in self._right), 0)))


def main() -> int:
    """Print both tables; 2 where the set is not there."""
    folder = Path(os.environ.get("FREEHOLD_DATA", "")) / "find"
    cases_file = folder / "find.dev.jsonl"
    if not cases_file.is_file():
        print(f"The set is not there: {cases_file}. Set FREEHOLD_DATA to the folder that holds find/.", file=sys.stderr)
        return 2
    cases = [json.loads(line) for line in cases_file.read_text().splitlines()]
    pages = {file.stem: json.loads(file.read_text()) for file in (folder / "ax").glob("*.json")}
    snapshots = {key: snapshot(page) for key, page in pages.items()}
    absent = [json.loads(line) for line in Path(__file__).with_name("find_absent.jsonl").read_text().splitlines()]
    _without_model(cases, absent, pages, snapshots)
    anyio.run(_with_model, cases, pages, snapshots)
    return 0


def _without_model(
    cases: list[dict[str, Any]],
    absent: list[dict[str, Any]],
    pages: dict[str, Any],
    snapshots: dict[str, Snapshot],
) -> None:
    results: defaultdict[str, list[tuple[bool, bool, bool]]] = defaultdict(list)
    began = time.perf_counter()
    for case in cases:
        key = case["id"].split("#")[0]
        ranked = [candidate.ref - 1 for candidate in rank(snapshots[key], case["query"])]
        right = set(pages[key]["targets"][case["id"]]["accept"])
        negative = case["selector"] is None
        first = not ranked if negative else bool(ranked) and ranked[0] in right
        result = (first, not ranked if negative else bool(right.intersection(ranked[:5])), not ranked)
        for kind in (case["kind"], "negative (all)" if negative else "positive (all)"):
            results[kind].append(result)
        if "--misses" in sys.argv and not first:
            print(_miss(case, pages[key], ranked, right))
    spent = (time.perf_counter() - began) / len(cases) * 1_000
    for case in absent:
        none = not rank(snapshots[case["page"]], case["query"])
        for kind in ("absent, near" if case["near"] else "absent", "negative (all)"):
            results[kind].append((none, none, none))
        if "--misses" in sys.argv and not none:
            print(f"{case['page']} [absent] {case['query']}")
    print(f"{'without a model':18}{'n':>4}{'first':>8}{'in 5':>8}{'none':>8}")
    for kind in sorted(results, key=lambda kind: ("(all)" in kind, kind)):
        rows = results[kind]
        shares = "".join(f"{sum(column) / len(rows):8.1%}" for column in zip(*rows, strict=True))
        print(f"{kind:18}{len(rows):4}{shares}")
    print(f"{spent:.1f} ms a query\n")


async def _with_model(cases: list[dict[str, Any]], pages: dict[str, Any], snapshots: dict[str, Snapshot]) -> None:
    right_first: list[bool] = []
    sent: list[int] = []
    page: list[int] = []
    for case in cases:
        key = case["id"].split("#")[0]
        right = set(pages[key]["targets"][case["id"]]["accept"])
        model = _Scripted(right)
        choice = await choose(snapshots[key], case["query"], model)
        first = choice.candidates[0].ref - 1 in right if choice.candidates else not right
        right_first.append(first)
        sent.append(model.sent)
        page.append(len(render(snapshots[key], max_tokens=1_000_000).text) // _PER_TOKEN)
    print(f"with a model that knows: {sum(right_first) / len(right_first):.1%} of {len(cases)} right")
    print(f"tokens sent, about {_PER_TOKEN} characters each: median {statistics.median(sent):.0f}, most {max(sent)}")
    print(f"tokens of the pages' outlines: median {statistics.median(page):.0f}, most {max(page)}")


def _miss(case: dict[str, Any], page: dict[str, Any], ranked: list[int], right: set[int]) -> str:
    def told(at: int) -> str:
        return f"{at}:{page['nodes'][at]['role']} {page['nodes'][at]['name'][:50]!r}"

    place = next((str(ranked.index(at) + 1) for at in sorted(right) if at in ranked), "-")
    wanted = " / ".join(told(at) for at in sorted(right)[:2])
    got = " / ".join(map(told, ranked[:3]))
    return f"{case['id']} [{case['kind']}] {case['query']}\n    wanted {wanted} (at {place})\n    got    {got}"


if __name__ == "__main__":
    sys.exit(main())
