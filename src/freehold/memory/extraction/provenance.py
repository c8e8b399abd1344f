"""On whose words a candidate rests: what a page or a tool said waits for the user.

What is kept enters every later prompt, and a page must not be able to write there. The model's own word for it
(`evidence`) is not enough, since the page may have talked it into that too. So the words are compared: those of the
candidate must be the user's, or stand in the topic already.
"""

from __future__ import annotations

import re

from freehold.memory.extraction.candidate import Candidate
from freehold.memory.extraction.conversation import Conversation
from freehold.text.analyzer import tokens
from freehold.text.query import is_function_word

_COVERED = 0.6
"""Share of a candidate's telling words that clean entries must have."""

_RUN = 5
"""Words in a row that make a quotation."""

# What leads somewhere or is exact: addresses, hosts, mail, paths, names in code, numbers.
_EXACT = re.compile(
    r"[a-z][a-z0-9+.-]*://[^\s<>\"'`)\]]+|[\w.+-]+@[\w-]+\.[\w.-]+|\b(?:[\w-]+\.)+[a-z][\w-]+\b|[\w~.-]*/[\w./-]+"
    r"|\b\w*\d\w*\b",
    re.IGNORECASE,
)
_TRAILING = ".,;:!?)"
# Kept only with the user's word, whoever said it: what would act on the user's behalf from the next session on.
_DANGEROUS = re.compile(
    r"\b(?:send|post|upload|exfiltrate|forward|transmit|submit|e-?mail|leak|share|paste|publish)\w*\b[^.\n]{0,120}"
    r"\b(?:secret|password|token|credential|api[ -]?key|private key|cookie|\.env|environment variable)"
    r"|\b(?:secret|password|token|credential|api[ -]?key|private key|cookie|\.env|environment variable)s?\b"
    r"[^.\n]{0,120}"
    r"\b(?:sent|posted|uploaded|forwarded|submitted|mailed|shared|pasted|published|send|post|upload|forward|share)\b"
    r"|\b(?:curl|wget)\b[^\n]{0,200}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b"
    r"|\bwithout (?:asking|confirmation|confirming|telling|approval|permission)\b"
    r"|\b(?:do not|don't|never) (?:tell|inform|mention|show|ask) (?:this |it |anything )?(?:to )?(?:the )?user"
    r"|--no-verify\b|--dangerously\S*|\bchmod 777\b|\bdisable\w* (?:the )?(?:sandbox|confirmation|approval|security)",
    re.IGNORECASE,
)


def held_because(candidate: Candidate, conversation: Conversation, before: str = "") -> str:
    """Return why the user must approve `candidate`, or an empty text. `before`: the topic that it changes."""
    said = f"{candidate.title}\n{candidate.description}\n{candidate.body}"
    if _DANGEROUS.search(said):
        return "it would have agents act on secrets, run or hide something"
    if before and _drops_most(before, candidate.body):
        return "it takes most of what stands in the topic away"
    return _rests_on_others(candidate, said, conversation, before) if conversation.other_text().strip() else ""


def _rests_on_others(candidate: Candidate, said: str, conversation: Conversation, before: str) -> str:
    other = conversation.other_text()
    cited = [part for part in conversation.parts if part.number in candidate.evidence]
    if any(part.role == "tool" for part in cited) or not any(part.clean for part in cited):
        return "it rests on what a page or a tool said"
    clean = f"{conversation.clean_text()}\n{before}"
    if _quotes(said, other, clean):
        return "it repeats words of a page or a tool"
    if exact := _unsaid(said, clean):
        return f"the user did not say {exact}"
    return "the user did not say most of it" if _covered(said, clean) < _COVERED else ""


def _drops_most(before: str, after: str) -> bool:
    words = set(tokens(before))
    return len(words & set(tokens(after))) < len(words) / 2


def _quotes(said: str, other: str, clean: str) -> bool:
    return bool((_runs(said) & _runs(other)) - _runs(clean))


def _runs(text: str) -> set[tuple[str, ...]]:
    words = tokens(text)
    return {words[at : at + _RUN] for at in range(len(words) - _RUN + 1)}


def _unsaid(said: str, clean: str) -> str:
    known = clean.casefold()
    found = (match[0].rstrip(_TRAILING) for match in _EXACT.finditer(said))
    return next((exact for exact in found if exact.casefold() not in known), "")


def _covered(said: str, clean: str) -> float:
    words = {word for word in tokens(said) if not is_function_word(word)}
    return len(words & set(tokens(clean))) / max(1, len(words))
