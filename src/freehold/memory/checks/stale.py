"""What was true once: deadlines that have passed, words that mean another day by now, topics nobody has looked at."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta

from freehold.memory.checks.finding import Finding, command
from freehold.memory.topic import Topic

OLD = timedelta(days=270)
"""Age after which a topic should be looked at again."""

_DATE = r"(20\d\d[-/.]\d{1,2}[-/.]\d{1,2}|20\d\d年\d{1,2}月\d{1,2}[日号])"
_ENGLISH = r"\b(?:until|till|expires?(?: on)?|valid (?:to|until)|deadline:?|due(?: on)?)\s+"
_CHINESE = r"(?:截止|到期|有效期至|直到)[:\uff1a到]?\s*"
_DEADLINE = re.compile(rf"(?:{_ENGLISH}|{_CHINESE}){_DATE}|{_DATE}\s*(?:之前|前|截止|到期)", re.IGNORECASE)
_RELATIVE = re.compile(
    r"\b(?:yesterday|tomorrow|last (?:week|month|night)|next (?:week|month)|this (?:week|morning)|(?:two|three|a few) "
    r"(?:days|weeks) ago)\b|昨天|明天|上周|下周|上个月|下个月|前天",
    re.IGNORECASE,
)
_NUMBERS = re.compile(r"\d+")


def stale(topics: Iterable[Topic], today: date) -> Iterator[Finding]:
    """Yield passed deadlines, dates relative to a day long gone, and topics older than `OLD` days."""
    for topic in topics:
        mend, before = command("edit", topic.name), topic.front.count("\n")
        for number, line in enumerate(topic.body.splitlines(), before + 1):
            yield from _deadlines(topic.name, line, number, today, mend)
            if (
                (match := _RELATIVE.search(line))
                and (written := _day(topic.updated or topic.created))
                and written < today
            ):
                detail = f'"{match[0]}" was said on {written}; write the date.'
                yield Finding("stale_date", topic.name, detail, mend, "note", number)
        seen = max(filter(None, (_day(topic.verified), _day(topic.updated), _day(topic.created))), default=None)
        if seen and today - seen > OLD:
            detail = f"Nobody has looked at it since {seen}. If it still holds, set verified: {today}."
            yield Finding("stale_date", topic.name, detail, mend, "note")


def _deadlines(name: str, line: str, number: int, today: date, mend: str) -> Iterator[Finding]:
    for match in _DEADLINE.finditer(line):
        day = _day(match[1] or match[2])
        if day and day < today:
            yield Finding("stale_date", name, f'"{match[0].strip()}" has passed.', mend, line=number)


def _day(text: str) -> date | None:
    numbers = [int(number) for number in _NUMBERS.findall(text)[:3]]
    try:
        return date(*numbers) if len(numbers) == 3 else None
    except ValueError:
        return None
