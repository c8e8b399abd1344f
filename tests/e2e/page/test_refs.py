"""Refs: never reused, never pointing at another element."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.e2e.page.conftest import Page

LIST = "<ul id=l><li><button>a</button></li><li><button>b</button></li></ul>"


def refs(page: Page) -> dict[str, int]:
    return {node[2]: node[3] for node in page.read() if node[1] == "button"}


def test_refs_survive_reading_again_insertion_reordering_and_renaming(page: Page) -> None:
    page.show(LIST)
    before = refs(page)
    page.evaluate("l.insertAdjacentHTML('afterbegin', '<li><button>new</button></li>'), l.append(l.children[1])")
    after = refs(page)
    assert (after["a"], after["b"]) == (before["a"], before["b"])
    assert after["new"] > max(before.values())
    page.evaluate("l.lastChild.firstChild.textContent = 'renamed'")
    assert refs(page)["renamed"] == before["a"]


def test_a_removed_element_is_told_from_one_that_never_was(page: Page) -> None:
    page.show(LIST)
    ref = refs(page)["a"]
    page.evaluate("l.firstElementChild.remove()")
    assert page.call("describe", ref) == {"status": "removed"}
    assert page.call("locate", ref, {"scroll": True}) == {"status": "removed"}
    assert page.call("setValue", ref, "x") == {"status": "removed"}
    assert page.call("describe", 4711) == {"status": "unknown"}


def test_an_element_that_comes_back_has_its_ref_back(page: Page) -> None:
    page.show(LIST)
    ref = refs(page)["a"]
    page.evaluate("window.kept = l.firstElementChild, kept.remove()")
    assert page.call("describe", ref)["status"] == "removed"
    page.evaluate("l.append(kept)")
    assert page.call("describe", ref)["name"] == "a"


def test_an_element_moved_to_another_document_is_removed_here(page: Page) -> None:
    page.show(f"{LIST}<iframe srcdoc=x></iframe>")
    ref = refs(page)["a"]
    page.evaluate("frames[0].document.body.append(l.firstElementChild)")
    assert page.call("describe", ref) == {"status": "removed"}


def test_a_ref_of_a_page_left_behind_is_unknown(page: Page) -> None:
    page.show(LIST)
    ref = refs(page)["a"]
    page.show(LIST)
    assert page.call("describe", ref) == {"status": "unknown"}


def test_a_commit_for_another_snapshot_gives_out_nothing(page: Page) -> None:
    page.show(LIST)
    first = page.call("snapshot")
    assert page.call("commit", 50, first["fresh"] + 1) == {"status": "stale"}
    assert page.call("describe", 50) == {"status": "unknown"}
    assert page.call("commit", 50, first["fresh"]) == {"status": "ok"}
    assert page.call("snapshot")["highest"] == 50 + first["fresh"] - 1


def test_a_number_below_one_given_out_is_refused(page: Page) -> None:
    page.show(LIST)
    before = refs(page)
    page.evaluate("l.insertAdjacentHTML('beforeend', '<li><button>c</button></li>')")
    fresh = page.call("snapshot")["fresh"]
    assert page.call("commit", 1, fresh) == {"status": "stale"}
    assert page.call("describe", before["a"])["name"] == "a"
