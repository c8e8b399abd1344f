"""The report: one HTML page that needs nothing but itself."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from html import escape
from importlib import resources
from string import Template

from freehold.surfaces.cli.tour.connect import Connect
from freehold.surfaces.cli.tour.notes import Call, Check, Picture
from freehold.surfaces.cli.tour.step import Outcome
from freehold.surfaces.cli.tour.verdict import Verdict

_FILES = resources.files("freehold.surfaces.cli.tour")
_LONGEST_ANSWER = 6_000


def render(verdict: Verdict, connect: Connect) -> str:
    """Return the page. Everything that came from a tool or a page is escaped: it is text here, never markup."""
    return Template((_FILES / "report.html").read_text("utf-8")).substitute(
        style=(_FILES / "report.css").read_text("utf-8"),
        state="passed" if verdict.passed else "failed",
        summary=escape(verdict.summary),
        facts=_facts(verdict),
        contents=_joined(_entry(number, outcome) for number, outcome in enumerate(verdict.outcomes, 1)),
        steps=_joined(_step(number, outcome) for number, outcome in enumerate(verdict.outcomes, 1)),
        connect=_joined(f"<li><p>{escape(purpose)}</p>{_code(command)}</li>" for purpose, command in connect.lines()),
    )


def _facts(verdict: Verdict) -> str:
    checks = sum(len(outcome.notes.checks) for outcome in verdict.outcomes)
    calls = sum(len(outcome.notes.calls) for outcome in verdict.outcomes)
    facts = {
        "Browser": verdict.browser or "none was started",
        "Freehold": verdict.version,
        "Tool calls": str(calls),
        "Checks": str(checks),
        "Took": f"{verdict.seconds:.1f} s",
        "Began": verdict.began,
    }
    return _joined(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in facts.items())


def _entry(number: int, outcome: Outcome) -> str:
    title = f"<span>{escape(outcome.title)}</span>"
    return f'<li><a href="#step-{number}">{_mark(passed=outcome.passed)}{title}</a></li>'


def _step(number: int, outcome: Outcome) -> str:
    error = f'<p class="error">{escape(_shortened(outcome.error))}</p>' if outcome.error else ""
    mark = _mark(passed=outcome.passed)
    return (
        f'<section id="step-{number}" aria-labelledby="title-{number}">'
        f'<h2 id="title-{number}"><span class="number">{number}</span>{escape(outcome.title)}{mark}</h2>'
        f'<p class="story">{escape(outcome.story)}</p>{error}'
        f'<ul class="checks">{_joined(map(_check, outcome.notes.checks))}</ul>'
        f"{_joined(map(_figure, outcome.notes.pictures))}{_calls(outcome)}</section>"
    )


def _check(check: Check) -> str:
    if check.passed:
        return f"<li>{_mark(passed=True)}<span>{escape(check.sentence)}</span></li>"
    expected, got = escape(_shortened(check.expected)), escape(_shortened(check.got))
    difference = f"<dl><dt>expected</dt><dd>{expected}</dd><dt>got</dt><dd>{got}</dd></dl>"
    return f'<li class="wrong">{_mark(passed=False)}<span>{escape(check.sentence)}{difference}</span></li>'


def _figure(picture: Picture) -> str:
    encoded = base64.b64encode(picture.image.data).decode()
    source = f"data:{escape(picture.image.mime_type)};base64,{encoded}"
    caption = escape(picture.caption)
    return f'<figure><img src="{source}" alt="Screenshot: {caption}"><figcaption>{caption}</figcaption></figure>'


def _calls(outcome: Outcome) -> str:
    calls = outcome.notes.calls
    if not calls:
        return ""
    count = f"{len(calls)} tool call{'' if len(calls) == 1 else 's'}"
    took = f"{outcome.seconds:.1f} s"
    return f"<details><summary>{count}, {took}</summary><ol>{_joined(map(_call, calls))}</ol></details>"


def _call(call: Call) -> str:
    arguments = escape(json.dumps(call.arguments, ensure_ascii=False))
    answer = escape(_shortened(call.text))
    kind = ' class="refused"' if call.is_error else ""
    said = f"<p><b>{escape(call.tool)}</b> <code>{arguments}</code></p>"
    return f'<li{kind}>{said}<pre tabindex="0">{answer}</pre></li>'


def _mark(*, passed: bool) -> str:
    return '<i class="mark good" role="img" aria-label="passed">✓</i>' if passed else _WRONG


_WRONG = '<i class="mark bad" role="img" aria-label="failed">✗</i>'


def _code(command: str) -> str:
    return f"<pre><code>{escape(command)}</code></pre>"


def _shortened(text: str) -> str:
    left = len(text) - _LONGEST_ANSWER
    return text if left <= 0 else f"{text[:_LONGEST_ANSWER]}\n… {left} more characters"


def _joined(parts: Iterable[str]) -> str:
    return "\n".join(parts)
