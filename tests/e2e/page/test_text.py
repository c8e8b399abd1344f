"""The text a person reads, and waiting until a page is quiet."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.e2e import cdp
    from tests.e2e.page.conftest import Page


def test_the_main_content_is_read_without_its_furniture(page: Page) -> None:
    page.show(
        "<title>T</title><nav>menu</nav><main><h1>Head</h1><p>One <b>two</b>.</p><p>Three.</p></main>"
        "<footer>foot</footer>"
    )
    answer = page.call("text")
    assert (answer["text"], answer["title"]) == ("Head\n\nOne two.\n\nThree.", "T")


def test_a_page_without_main_content_is_read_whole(page: Page) -> None:
    page.show(
        "<div>a<br>b</div><ul><li>c</li><li>d</li></ul><table><tr><td>e</td><td>f</td></tr></table>"
        "<pre>g\n  h</pre><p hidden>no</p>"
    )
    assert page.call("text")["text"] == "a\nb\n\nc\nd\n\ne\tf\n\ng\n  h"


def test_text_in_shadow_roots_is_read_and_comes_back_whole(page: Page) -> None:
    page.show("""<div id=h></div><p>author auth token session</p><script>
      h.attachShadow({mode: "closed"}).innerHTML = "<p>👩‍👩‍👧 می‌خواهم</p>"</script>""")
    assert page.call("text")["text"] == "👩‍👩‍👧 می‌خواهم\n\nauthor auth token session"


def test_a_quiet_page_settles_without_a_change(page: Page) -> None:
    page.show("<p>still</p>")
    settled = page.call("settle", {"quiet_ms": 20, "limit_ms": 5000})
    assert (settled["status"], settled["changes"], settled["quiet"]) == ("ok", 0, True)
    assert settled["url"] == page.evaluate("document.URL")


def test_a_fresh_page_without_a_script_is_not_waited_for(page: Page) -> None:
    page.show("<p>still</p>")
    # The limit comes before the quiet would: only a document that nothing can change is told quiet.
    assert page.call("settle", {"quiet_ms": 3000, "limit_ms": 500, "fresh": True})["quiet"] is True
    page.show("<p>still</p><script>0</script>")
    assert page.call("settle", {"quiet_ms": 3000, "limit_ms": 500, "fresh": True})["quiet"] is False


def test_a_page_that_works_is_waited_for(page: Page) -> None:
    page.show("<p id=p></p>")
    page.evaluate(
        "{ let n = 0; const t = setInterval(() => { p.textContent = n += 1; if (n === 10) clearInterval(t) }, 20) }"
    )
    answer = page.call("settle", {"quiet_ms": 300, "limit_ms": 20000})
    assert answer["quiet"] is True
    assert page.evaluate("p.textContent") == "10"


def test_a_change_in_a_closed_shadow_root_is_seen(page: Page) -> None:
    page.show("""<div id=h></div><script>const root = h.attachShadow({mode: "closed"}); let n = 0;
      setInterval(() => { root.textContent = n += 1 }, 10)</script>""")
    answer = page.call("settle", {"quiet_ms": 200, "limit_ms": 600})
    assert answer["quiet"] is False
    assert answer["changes"] > 0


def test_an_endless_animation_does_not_hold_up(page: Page) -> None:
    page.show("<p id=p>x</p><script>setInterval(() => { p.style.left = Math.random() + 'px' }, 10)</script>")
    assert page.call("settle", {"quiet_ms": 200, "limit_ms": 20000})["quiet"] is True


def test_a_hidden_tab_settles_too(page: Page, chromium: cdp.Chromium) -> None:
    page.show("<p>still</p>")
    other = chromium.open("about:blank")
    try:
        assert page.evaluate("document.visibilityState") == "hidden"
        assert page.call("settle", {"quiet_ms": 20, "limit_ms": 5000})["quiet"] is True
    finally:
        other.close()
