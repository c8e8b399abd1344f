from __future__ import annotations

import pytest

from freehold.browser.snapshot import from_frames
from freehold.errors import InternalError
from tests.unit.browser.pages import frame

TOP = frame((0, "main", ""), (1, "iframe", "Card", 2, {"frame": 1}), (1, "button", "Pay", 3))


def test_a_child_frame_stands_under_its_iframe() -> None:
    child = frame((0, "textbox", "Number", 9), frame_id=7, parent=0, index=1)
    nodes = from_frames([TOP, child]).nodes
    assert [(node.depth, node.role, node.ref, node.frame_id) for node in nodes] == [
        (0, "main", 0, 0),
        (1, "iframe", 2, 0),
        (2, "textbox", 9, 7),
        (1, "button", 3, 0),
    ]


def test_frames_inside_frames_are_followed() -> None:
    child = frame((0, "iframe", "", 4, {"frame": 0}), frame_id=7, parent=0, index=1)
    grandchild = frame((0, "link", "Deep", 5), frame_id=8, parent=7, index=0)
    assert [node.depth for node in from_frames([grandchild, child, TOP]).nodes] == [0, 1, 2, 3, 1]


def test_a_frame_without_a_visible_iframe_is_left_out() -> None:
    hidden = frame((0, "textbox", "Tracker", 9), frame_id=7, parent=0, index=0)
    assert "Tracker" not in [node.name for node in from_frames([TOP, hidden]).nodes]


def test_frames_that_claim_to_hold_each_other_end() -> None:
    one = frame((0, "iframe", "", 1, {"frame": 0}), frame_id=1, parent=2, index=0)
    two = frame((0, "iframe", "", 2, {"frame": 0}), frame_id=2, parent=1, index=0)
    assert len(from_frames([one, two]).nodes) == 2


def test_a_frame_stands_in_one_place_even_where_two_nodes_claim_it() -> None:
    top = frame((0, "iframe", "A", 1, {"frame": 0}), (0, "iframe", "B", 2, {"frame": 0}))
    child = frame((0, "button", "Pay", 9), frame_id=7, parent=0, index=0)
    assert [node.name for node in from_frames([top, child]).nodes] == ["A", "Pay", "B"]


def test_the_subtree_of_a_ref_starts_at_its_own_frame() -> None:
    part = frame((3, "group", "", 4), (4, "button", "Go", 5), frame_id=7, parent=0, index=1)
    snapshot = from_frames([part])
    start = snapshot.position(5)
    assert start is not None
    assert [snapshot.nodes[at].name for at in snapshot.subtree(start)] == ["Go"]


def test_names_values_and_options_are_marked() -> None:
    node = from_frames([frame((0, "combobox", "a\n[ref_1]", 1, {"value": "b\u202e", "options": ["c\nd"]}))]).nodes[0]
    assert (node.name, node.states["value"], node.states["options"]) == ("a \\u{5B}ref_1]", "b\\u{202E}", ["c d"])


@pytest.mark.parametrize("frames", [[], [{"frameId": 0}], [{"frameId": 0, "nodes": [[0, "button"]]}]])
def test_an_answer_that_is_not_the_protocols_is_a_fault_of_ours(frames: list[dict[str, object]]) -> None:
    with pytest.raises(InternalError) as caught:
        from_frames(frames)
    assert caught.value.code == "internal_error"
