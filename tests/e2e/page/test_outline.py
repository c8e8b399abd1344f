"""The outline of a page as the page functions give it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conftest import Page


def test_a_form_reads_as_labelled_controls(page: Page) -> None:
    page.show("<h1>Order</h1><label for=a>Name</label><input id=a value='Ada'><button>Send <b>now</b></button>")
    assert [node[:3] for node in page.read()] == [
        [0, "heading", "Order"],
        [0, "textbox", "Name"],
        [0, "button", "Send now"],
    ]
