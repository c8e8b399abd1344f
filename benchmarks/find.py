"""`find` without a model on descriptions of elements on real pages: how often the right element is first, or among the
first five.

Reads the set from the folder named by `FREEHOLD_DATA` (`find/find.dev.jsonl` and `find/ax/*.json`, accessibility nodes
as Chrome gave them).
    python benchmarks/find.py [--misses]
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from freehold.browser.find import rank
from freehold.browser.snapshot import Snapshot, from_frames

# Chrome's own names for roles that WAI-ARIA calls otherwise, or does not have.
_ROLES = {
    "LabelText": "label", "DisclosureTriangle": "button", "LayoutTable": "table", "LayoutTableRow": "row",
    "LayoutTableCell": "cell",
    "Iframe": "iframe", "MenuListPopup": "none", "DescriptionList": "list", "sectionfooter": "contentinfo",
}  # fmt: skip
_HREF = re.compile(r'^a\[href="([^"]*)"\]$')
_VIEWPORT = {"width": 1280, "height": 900}


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


def main() -> int:
    """Print a table by kind; 2 where the set is not there."""
    folder = Path(os.environ.get("FREEHOLD_DATA", "")) / "find"
    cases_file = folder / "find.dev.jsonl"
    if not cases_file.is_file():
        print(f"The set is not there: {cases_file}. Set FREEHOLD_DATA to the folder that holds find/.", file=sys.stderr)
        return 2
    cases = [json.loads(line) for line in cases_file.read_text().splitlines()]
    pages = {file.stem: json.loads(file.read_text()) for file in (folder / "ax").glob("*.json")}
    snapshots = {key: snapshot(page) for key, page in pages.items()}
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
    print(f"{'kind':16}{'n':>4}{'first':>8}{'in 5':>8}{'none':>8}")
    for kind in sorted(results, key=lambda kind: ("(all)" in kind, kind)):
        rows = results[kind]
        shares = "".join(f"{sum(column) / len(rows):8.1%}" for column in zip(*rows, strict=True))
        print(f"{kind:16}{len(rows):4}{shares}")
    print(f"{spent:.1f} ms a query")
    return 0


def _miss(case: dict[str, Any], page: dict[str, Any], ranked: list[int], right: set[int]) -> str:
    def told(at: int) -> str:
        return f"{at}:{page['nodes'][at]['role']} {page['nodes'][at]['name'][:50]!r}"

    place = next((str(ranked.index(at) + 1) for at in sorted(right) if at in ranked), "-")
    wanted = " / ".join(told(at) for at in sorted(right)[:2])
    got = " / ".join(map(told, ranked[:3]))
    return f"{case['id']} [{case['kind']}] {case['query']}\n    wanted {wanted} (at {place})\n    got    {got}"


if __name__ == "__main__":
    sys.exit(main())
