"""Where an element is hit, and what is told when something is in the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.e2e.page.conftest import Page


def hit_id(page: Page, found: dict[str, float]) -> str:
    return page.evaluate(f"document.elementFromPoint({found['x']}, {found['y']}).id")


def test_an_element_below_the_fold_is_scrolled_to_and_hit(page: Page) -> None:
    page.show("<style>html{scroll-behavior:smooth}</style><div style='height:5000px'></div><button id=b>far</button>")
    ref = page.ref("button")
    assert page.call("locate", ref, {"scroll": False})["visible"] is False
    found = page.call("locate", ref, {"scroll": True})
    assert (found["hit"], found["visible"], found["cover"], found["name"]) == (True, True, None, "far")
    assert hit_id(page, found) == "b"


def test_what_covers_an_element_is_named(page: Page) -> None:
    page.show(
        "<button>under</button>"
        "<div role=dialog aria-label=Cookies style='position:fixed;inset:0;background:#fff'><p>Hi</p></div>"
    )
    page.read()
    found = page.call("locate", page.ref("button", "under"), {"scroll": True})
    assert (found["hit"], found["cover"]["role"], found["cover"]["name"]) == (False, "dialog", "Cookies")
    assert found["cover"]["ref"] > 0


def test_a_point_beside_a_cover_is_taken(page: Page) -> None:
    page.show("""<button id=b style='position:absolute;left:0;top:0;width:200px;height:40px'>wide</button>
      <div style='position:absolute;left:60px;top:0;width:80px;height:40px;background:red'></div>""")
    found = page.call("locate", page.ref("button"), {"scroll": True})
    assert found["hit"] is True
    assert hit_id(page, found) == "b"


def test_a_link_over_two_lines_is_hit_on_one_of_them(page: Page) -> None:
    page.show(
        "<p style='width:200px;font:20px/2 monospace'>xxxxxxxxxxxx <a id=a href=/x>one two three four</a> yyyy</p>"
    )
    found = page.call("locate", page.ref("link"), {"scroll": True})
    assert found["hit"] is True
    assert hit_id(page, found) == "a"


def test_a_clipped_checkbox_is_hit_through_its_label(page: Page) -> None:
    hidden = "position:absolute;left:300px;clip-path:inset(100%);width:1px;height:1px"
    page.show(f"<input id=c type=checkbox style='{hidden}'><label id=l for=c>Agree</label>")
    found = page.call("locate", page.ref("checkbox"), {"scroll": True})
    assert (found["hit"], hit_id(page, found)) == (True, "l")


def test_a_button_in_a_closed_shadow_root_is_hit_through_slotted_content(page: Page) -> None:
    page.show("""<x-b><span style='display:block;width:50px;height:20px'>text</span></x-b><script>
      document.querySelector("x-b").attachShadow({mode: "closed"}).innerHTML =
      "<button style='padding:0;border:0'><slot></slot></button>"</script>""")
    assert page.call("locate", page.ref("button"), {"scroll": True})["hit"] is True


def test_an_element_without_a_box_is_not_visible(page: Page) -> None:
    page.show("<a href=/x aria-label=empty></a><button style='position:absolute;left:-9999px'>off</button>")
    assert page.call("locate", page.ref("link"), {"scroll": True})["visible"] is False
    assert page.call("locate", page.ref("button"), {"scroll": True})["visible"] is False


def test_a_point_of_a_scaled_and_padded_frame_is_told_in_its_parent(page: Page) -> None:
    page.show("""<style>body{margin:0}
      iframe{position:absolute;left:100px;top:50px;border:10px solid;padding:5px;transform:scale(2);
      transform-origin:0 0}</style><iframe srcdoc='<body>'></iframe>""")
    point = page.call("framePoint", 0, 20, 30)
    assert (point["x"], point["y"], point["hit"]) == (100 + 2 * 35, 50 + 2 * 45, True)
    inside = page.call("hitTest", point["x"], point["y"])
    assert (inside["frame"], inside["x"], inside["y"], inside["role"]) == (0, 20, 30, "iframe")


def test_a_covered_frame_is_told(page: Page) -> None:
    page.show("<iframe srcdoc=x></iframe><div role=alert style='position:fixed;inset:0'>wait</div>")
    point = page.call("framePoint", 0, 5, 5)
    assert (point["hit"], point["cover"]["role"]) == (False, "alert")
    assert page.call("framePoint", 7, 5, 5) == {"status": "unknown"}


def test_a_point_tells_the_element_with_a_ref_around_it(page: Page) -> None:
    page.show("<style>body{margin:0}</style><button style='width:100px;height:50px'><b>bold</b></button>")
    ref = page.ref("button")
    assert page.call("hitTest", 50, 25) == {"status": "ok", "role": "button", "name": "bold", "ref": ref}


def test_focus_is_told_and_keeps_the_scroll_position(page: Page) -> None:
    page.show("<div style='height:5000px'></div><input aria-label=in>")
    ref = page.ref("textbox")
    assert page.call("activeElement") is None
    assert page.call("focus", ref)["focused"] is True
    assert page.evaluate("scrollY") == 0
    active = page.call("activeElement")
    assert (active["ref"], active["editable"], active["type"]) == (ref, True, "text")


def test_focus_in_a_child_frame_is_told_by_its_index(page: Page) -> None:
    page.show("<iframe srcdoc='<input autofocus>'></iframe>")
    page.evaluate("document.querySelector('iframe').focus()")
    assert page.call("activeElement")["frame"] == 0


@pytest.mark.parametrize(("style", "expected"), [("height:100px;overflow:auto", 900), ("", 0)])
def test_the_scroll_position_is_that_of_the_nearest_scroller(page: Page, style: str, expected: int) -> None:
    page.show(
        f"<div style='{style}'><button style='height:20px;margin:0;vertical-align:top'>b</button>"
        "<div style='height:980px'></div></div>"
    )
    page.evaluate("document.body.style.cssText = 'margin:0;height:100px;overflow:clip'")
    found = page.call("scrollPosition", page.ref("button"))
    assert found["scrollY"] == 0
    assert found["maxY"] >= expected
    assert page.call("scrollPosition", None)["status"] == "ok"
