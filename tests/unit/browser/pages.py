"""Small pages as `page.read` answers them, for the tests beside."""

from __future__ import annotations

from typing import Any

Row = tuple[int, str, str] | tuple[int, str, str, int] | tuple[int, str, str, int, dict[str, Any]]


def frame(
    *nodes: Row,
    frame_id: int = 0,
    parent: int = -1,
    index: int | None = None,
    url: str = "https://shop.example/",
    title: str = "Shop",
) -> dict[str, Any]:
    """Return one frame of `page.read`; a node is (depth, role, name[, ref[, states]])."""
    viewport = {
        "width": 1280,
        "height": 900,
        "scrollX": 0,
        "scrollY": 40,
        "pageWidth": 1280,
        "pageHeight": 3400,
        "scale": 1,
    }
    rows = [[*node, *(0, 0)[len(node) - 3 :]] for node in nodes]
    return {
        "frameId": frame_id, "parentFrameId": parent, "documentId": f"D{frame_id}", "index": index, "url": url,
        "title": title,
        "viewport": viewport, "nodes": rows,
    }  # fmt: skip
