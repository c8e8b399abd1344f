"""What of a page is shown, and what takes a click there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.e2e.page.test_outline import brief, names

if TYPE_CHECKING:
    from tests.e2e.page.conftest import Page


def test_a_control_that_only_assistive_technology_is_to_miss_is_read_without_the_text_beside_it(page: Page) -> None:
    page.show("""<div aria-hidden=true>decoration <a href=/x>Edit</a><b>!</b><i role=button tabindex=0>Sort</i></div>
      <p aria-hidden=true><button style='display:none'>gone</button><input aria-label=Find></p>""")
    nodes = page.read()
    assert brief(nodes) == [(0, "link", "Edit"), (0, "button", "Sort"), (0, "textbox", "Find")]
    assert all(node[3] for node in nodes)


def test_what_is_read_as_a_rule_but_can_be_clicked_says_so(page: Page) -> None:
    page.show("""<table><caption>t</caption><tr onclick=1><td>a<td>b<tr><td>c<td>d</table>
      <h2 tabindex=0>stop</h2><h2>plain</h2><button>b</button>""")
    told = {(node[1], bool(node[4] and node[4].get("clickable"))) for node in page.read()}
    assert {("row", True), ("row", False), ("heading", True), ("heading", False), ("button", False)} <= told


def test_text_of_style_sheets_is_found_by_any_selector_that_may_stand_there(page: Page) -> None:
    page.show("""<style>
      .plain::before{content:"1"} @media all{.media:after{content:"2"}} .nest{&::before{content:"3"}}
      p > ::before{content:"4"}
      :is(.a,.b)::after, .c::before{content:attr(title)} .icon::before{content:"\\f00c"} .none::before{content:none}
      [data-x="::before,"]::after{content:"6"}</style>
      <div class=plain>a</div><div class=media>b</div><div class=nest>c</div><p><b>d</b></p><div class=b title=5>e</div>
      <div class=icon>f</div><div class=none>g</div><div data-x='::before,'>h</div>""")
    assert names(page.read()) == ["1a", "b2", "3c", "4d", "e5", "f", "g", "h6"]
