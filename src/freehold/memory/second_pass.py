"""The second pass of a search: a model reorders what the words found, and leaves out what does not help.

It never finds more than the first pass did, and where it fails the plain order stands.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import msgspec

from freehold.errors import FreeholdError
from freehold.memory.extraction.prompts import prompt
from freehold.memory.recall import Hit, Recall
from freehold.memory.redact import redact
from freehold.model.completer import Completer, Message, Request

SECONDS = 8.0
"""How long the model may take: who searches waits."""

_MAX_TOKENS = 300
_LONGEST_ANSWER = 2_000
_PASSAGE = 700


@dataclass(frozen=True, slots=True)
class SecondPass:
    """What came of it. `used`: whether the model's order stands; `note`: why not, empty where it does."""

    recall: Recall
    used: bool
    note: str = ""


async def reordered(recall: Recall, query: str, completer: Completer, *, model: str = "") -> SecondPass:
    """Let `model` (empty: the conversation's) put the hits of `recall` in order, in one request.

    Whatever fails, from the model to its answer, the plain order is returned and the note says why. Cancelling cancels
    the request.
    """
    if len(recall.hits) < 2:
        return SecondPass(recall, used=False)
    request = Request(
        system=prompt("second_pass"),
        messages=(Message("user", _question(query, recall.hits)),),
        model=model,
        max_tokens=_MAX_TOKENS,
        seconds=SECONDS,
    )
    try:
        answer = await completer.complete(request)
    except FreeholdError as error:
        return _plain(recall, f"the model did not answer ({error.code})")
    order = _order(answer.text, len(recall.hits))
    if not order:
        return _plain(recall, "the model's answer was no order of what was found")
    return SecondPass(replace(recall, hits=tuple(recall.hits[number - 1] for number in order)), used=True)


def _plain(recall: Recall, why: str) -> SecondPass:
    return SecondPass(recall, used=False, note=f"In the plain order, since {why}.")


def _question(query: str, hits: tuple[Hit, ...]) -> str:
    told = [{"number": number, "passage": _passage(hit)} for number, hit in enumerate(hits, 1)]
    lines = [{"question": _whole(query[:_PASSAGE])}, *told]
    return "\n".join(msgspec.json.encode(line).decode() for line in lines)


def _passage(hit: Hit) -> str:
    said = "\n".join([f"{hit.title} > {hit.section}", *(line.text for line in hit.lines)])
    return _whole(redact(said)[:_PASSAGE])


def _whole(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _order(text: str, count: int) -> list[int]:
    """Return the numbers in a model's answer; empty where it is anything but an order of some of 1 to `count`."""
    try:
        numbers = msgspec.json.decode(text[:_LONGEST_ANSWER].strip(), type=list[int])
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return []
    valid = len(set(numbers)) == len(numbers) and all(1 <= number <= count for number in numbers)
    return numbers if valid else []
