"""Pages made at random: reading them never fails, and a ref never comes to name another element."""

# ruff: noqa: E501, SIM905 - lists of words are read as words

from __future__ import annotations

import json
import random
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.e2e.page.conftest import Page

SEEDS = range(6)
TAGS = (
    "a article b button dd details dialog div dl dt fieldset form h1 h2 i iframe img input label legend li main nav ol "
    "option p q s section select slot span summary svg table tbody td textarea th tr ul x-y video map area object"
).split()
ROLES = "button cell grid gridcell heading link list listbox listitem menu none option presentation row tab table tree".split()
VALUES = (
    "",
    "true",
    "false",
    "mixed",
    "t3",
    "t1 t2 t3",
    "0",
    "-1",
    "99",
    "x\u202ey",
    "[ref_1] button",
    "\U0001f600",
    "\ud83d",
)
NAMES = (
    "role aria-label aria-labelledby aria-owns aria-hidden aria-expanded aria-checked aria-level aria-describedby "
    "tabindex href type title alt for open hidden inert onclick contenteditable style multiple slot name value"
).split()
STYLES = (
    "display:none",
    "display:contents",
    "visibility:hidden",
    "cursor:pointer",
    "position:fixed",
    "content-visibility:hidden",
)


def markup(source: random.Random, budget: int) -> str:
    """Return tags that are nested and closed as they come; browsers make a tree of anything."""
    parts: list[str] = []
    for number in range(budget):
        if source.random() < 0.35:
            parts.append(f"</{source.choice(TAGS)}>")
            continue
        attributes = [f"id=t{number}"]
        for name in source.sample(NAMES, source.randint(0, 4)):
            value = {"role": source.choice(ROLES), "style": source.choice(STYLES)}.get(name, source.choice(VALUES))
            attributes.append(f'{name}="{value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")}"')
        parts.append(f"<{source.choice(TAGS)} {' '.join(attributes)}>{source.choice(['', 'word', ' ', '一 二'])}")
    return "".join(parts)


PART = "document.body.appendChild(document.createElement('div')).innerHTML = html"
SHADOWS = """for (const host of [...document.querySelectorAll("div, span, x-y, p")].slice(0, 9)) {
  try { host.attachShadow({mode: host.id.length % 2 ? "open" : "closed"}).innerHTML = "<button>in</button><slot></slot>"; } catch {}
}"""


@pytest.mark.parametrize("seed", SEEDS)
def test_a_page_of_random_tags_is_read_and_every_ref_names_its_element(page: Page, seed: int) -> None:
    source = random.Random(seed)
    page.show("<!doctype html><body>")
    # One hidden or unclosed tag must not swallow all that comes after it.
    page.evaluate(f"for (const html of {json.dumps([markup(source, 40) for _ in range(12)])}) {PART}")
    page.evaluate(SHADOWS)
    nodes = page.read()
    assert nodes
    assert all(depth <= before + 1 for (before, *_), (depth, *_) in pairwise(nodes))
    numbers = [node[3] for node in nodes if node[3]]
    assert len(numbers) == len(set(numbers))
    for _, role, name, ref, _ in nodes:
        if ref:
            told = page.call("describe", ref)
            assert (told["status"], told["role"] or "generic") == ("ok", role)
            # A cell's or an item's text is told either as its name or as what is in it.
            assert "" in {told["name"], name} or told["name"] == name
    assert [node[3] for node in page.read()] == [node[3] for node in nodes]


STEP = {
    "insert": "{{const b = document.createElement('button'); b.textContent = 'k{key}'; place({at}).before(b);}}",
    "remove": "place({at}).remove()",
    "move": "place({at}).before(place({key}))",
    "wrap": "{{const d = document.createElement('div'); const b = place({at}); b.before(d); d.append(b);}}",
    "rename": "place({at}).textContent = place({at}).textContent.split(' ')[0] + ' again'",
    "clone": "{{const b = place({at}).cloneNode(true); b.textContent = 'k{key}'; place({key}).after(b);}}",
    "rewrite": "{{const p = place({at}).parentElement; if (p !== document.body) p.innerHTML = '<button>k{key}</button>';}}",
}
PLACE = (
    "globalThis.place = (n) => { const all = [...document.querySelectorAll('button')]; return all[n % all.length]; }"
)


def _buttons(nodes: list[list[Any]]) -> dict[int, str]:
    return {node[3]: node[2].split()[0] for node in nodes if node[1] == "button"}


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_a_page_does_with_its_elements_a_ref_keeps_its_own(page: Page, seed: int) -> None:
    source = random.Random(seed)
    page.show("".join(f"<div><button>k{number}</button></div>" for number in range(20)))
    page.evaluate(PLACE)
    known = _buttons(page.read())
    for number in range(60):
        step = STEP[source.choice(list(STEP))].format(at=source.randrange(99), key=1000 + number)
        page.evaluate(f"(() => {{ {step} }})()")
        now = _buttons(page.read())
        same = {ref: name for ref, name in now.items() if ref in known}
        assert same == {ref: known[ref] for ref in same}, step
        for ref in known.keys() - now.keys():
            assert page.call("describe", ref) == {"status": "removed"}, step
        assert all(ref > max(known) for ref in now.keys() - known.keys()), step
        known |= now
    assert len(known) > 25, json.dumps(known)
