"""Fields take values as a user gives them, and say what they take when they refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.e2e.page.conftest import Page

LISTEN = """<script>window.seen = [];
for (const type of ["input", "change", "click"]) addEventListener(type, (event) => seen.push(type), true);</script>"""
SELECT = (
    "<select id=f {}><option value=1>One</option><option value=2>Two  words</option>"
    "<option disabled>Off</option></select>"
)


def first(page: Page, html: str) -> int:
    page.show(html + LISTEN)
    return next(node[3] for node in page.read() if node[3])


@pytest.mark.parametrize(
    ("html", "value", "now"),
    [
        ("<input id=f>", "héllo 👩‍👩‍👧 می‌خواهم", "héllo 👩‍👩‍👧 می‌خواهم"),
        ("<input id=f value=old>", "", ""),
        ("<input id=f type=email>", "a@b.c", "a@b.c"),
        ("<input id=f type=number min=0 max=9>", 7, "7"),
        ("<input id=f type=range min=0 max=100 step=5>", 35, "35"),
        ("<input id=f type=date>", "2026-02-28", "2026-02-28"),
        ("<input id=f type=time>", "13:45", "13:45"),
        ("<input id=f type=month>", "2026-02", "2026-02"),
        ("<input id=f type=week>", "2026-W07", "2026-W07"),
        ("<input id=f type=datetime-local>", "2026-02-28T13:45", "2026-02-28T13:45"),
        ("<input id=f type=color>", "#FF8800", "#ff8800"),
        ("<textarea id=f></textarea>", "two\nlines", "two\nlines"),
        (SELECT, "Two words", "Two words"),
        (SELECT, "2", "Two words"),
        (SELECT.format("multiple"), ["One", "Two words"], ["One", "Two words"]),
        (SELECT.format("multiple"), [], []),
    ],
)  # fmt: skip
def test_a_field_takes_a_value_with_input_and_change(page: Page, html: str, value: Any, now: Any) -> None:
    ref = first(page, html)
    answer = page.call("setValue", ref, value)
    assert "error" not in answer
    assert answer["value"] == now
    assert page.evaluate("seen.join()") == "input,change"


@pytest.mark.parametrize(
    ("html", "value", "code", "data"),
    [
        ("<input type=date value=2026-01-01>", "28.02.2026", "value_not_allowed", {"format": "YYYY-MM-DD"}),
        ("<input type=week min=2026-W02>", "2026-W01", "value_not_allowed", {"format": "YYYY-Www", "min": "2026-W02"}),
        ("<input type=number value=3>", "many", "value_not_allowed", {"format": "a number"}),
        ("<input type=range max=10 value=3>", 11, "value_not_allowed", {"format": "a number", "max": "10"}),
        ("<input type=color>", "reddish", "value_not_allowed", {"format": "#rrggbb"}),
        ("<input maxlength=3>", "four", "value_not_allowed", {"max_length": 3}),
        (SELECT, "Three", "value_not_allowed", {"options": ["One", "Two words"]}),
        (SELECT, "Off", "value_not_allowed", {"options": ["One", "Two words"]}),
        ("<input type=checkbox>", "perhaps", "value_not_allowed", {"options": ["true", "false"]}),
        ("<input readonly>", "x", "not_editable", {}),
        ("<input disabled>", "x", "not_editable", {}),
        ("<input type=file>", "x", "not_editable", {"type": "file"}),
        ("<button>b</button>", "x", "not_editable", {"role": "button"}),
    ],
)  # fmt: skip
def test_a_field_refuses_a_value_and_stays_as_it_was(
    page: Page, html: str, value: Any, code: str, data: dict[str, Any]
) -> None:
    ref = first(page, html)
    state = "JSON.stringify([...document.querySelectorAll('input,select')].map((one) => [one.value, one.checked]))"
    before = page.evaluate(state)
    error = page.call("setValue", ref, value)["error"]
    assert (error["code"], error["data"]) == (code, data)
    assert (page.evaluate(state), page.evaluate("seen.length")) == (before, 0)


def test_a_checkbox_is_clicked_only_when_it_has_to_change(page: Page) -> None:
    ref = first(page, "<input type=checkbox id=f>")
    assert page.call("setValue", ref, True)["value"] is True
    assert page.call("setValue", ref, "on")["value"] is True
    assert page.evaluate("seen.join()") == "click,input,change"


def test_a_radio_button_is_chosen_by_itself_or_by_its_label(page: Page) -> None:
    one, two = (f"<label><input type=radio name=r value={name}>{name}</label>" for name in ("Slow", "Fast"))
    page.show(f"<form>{one}{two}</form>")
    ref = page.ref("radio", "Slow")
    assert page.call("setValue", ref, True)["value"] == "Slow"
    assert page.call("setValue", ref, "Fast")["value"] == "Fast"
    assert page.call("setValue", ref, False)["error"]["data"] == {"options": ["Slow", "Fast"]}


def test_a_framework_that_shadows_the_value_sees_the_change(page: Page) -> None:
    ref = first(page, "<input id=f>")
    page.evaluate("""(() => {
      const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");
      window.last = f.value;
      Object.defineProperty(f, "value", {get: () => own.get.call(f), set: (v) => { last = v; own.set.call(f, v); }});
      f.addEventListener("input", () => { window.noticed = f.value !== last; }); })()""")
    page.call("setValue", ref, "typed")
    assert page.evaluate("noticed") is True


def test_editable_content_is_replaced_as_typing_does(page: Page) -> None:
    page.show("<div contenteditable aria-label=E>old <b>text</b></div>" + LISTEN)
    ref = page.ref("textbox", "E")
    assert page.call("setValue", ref, "new")["value"] == "new"
    assert page.evaluate("document.querySelector('div').textContent + seen.join()") == "newinput,change"


def test_an_aria_switch_is_clicked_into_its_state(page: Page) -> None:
    page.show("""<div role=switch tabindex=0 aria-checked=false aria-label=S
      onclick='this.setAttribute("aria-checked", this.getAttribute("aria-checked") !== "true")'></div>""")
    ref = page.ref("switch")
    assert page.call("setValue", ref, True)["value"] is True
    assert page.call("setValue", ref, True)["value"] is True
    assert page.call("setValue", ref, False)["value"] is False


def test_a_password_goes_in_and_does_not_come_back(page: Page) -> None:
    ref = first(page, "<input type=password id=f>")
    assert page.call("setValue", ref, "hunter2")["value"] == "••"
    assert page.evaluate("f.value") == "hunter2"
