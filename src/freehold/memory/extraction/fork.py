"""The mode `fork`: a sub-agent with two tools, which sees nothing but the project's store and the conversation."""

from __future__ import annotations

from typing import Any

import msgspec

from freehold.errors import FreeholdError
from freehold.memory.extraction.call import LONGEST, question
from freehold.memory.extraction.candidate import AnswerRefusedError, Candidate
from freehold.memory.extraction.conversation import Conversation
from freehold.memory.extraction.prompts import prompt
from freehold.memory.extraction.staging import Staging
from freehold.memory.extraction.view import View
from freehold.model.completer import Answer, Completer, Message, Request, ToolSpec, ToolUse

TURNS = 6
_USES_A_TURN = 12
_MAX_TOKENS = 6_000
_SECONDS = 60.0


class _Read(msgspec.Struct, forbid_unknown_fields=True):
    name: str = ""


def _schema(kind: type[Any]) -> dict[str, Any]:
    schema = msgspec.json.schema(kind)
    body: dict[str, Any] = schema["$defs"][kind.__name__]
    return {key: value for key, value in body.items() if key not in {"title", "description"}}


TOOLS = (
    ToolSpec("read_memory", "Read one topic of the memory whole, or without a name list all topics.", _schema(_Read)),
    ToolSpec("write_memory", "Propose one memory: a new topic, or the whole new body of one.", _schema(Candidate)),
)


async def propose(completer: Completer, model: str, conversation: Conversation, view: View) -> tuple[Candidate, ...]:
    """Let the sub-agent work; raise `AnswerRefusedError` where it does not finish, and what the completer raises."""
    staging = Staging(view, conversation)
    changeable = frozenset(view.topics) - view.fixed
    messages = [Message("user", question(conversation, view, changeable=changeable))]
    for _ in range(TURNS):
        request = Request(
            system=prompt("extract", "fork"),
            messages=tuple(messages),
            tools=TOOLS,
            model=model,
            max_tokens=_MAX_TOKENS,
            seconds=_SECONDS,
        )
        answer = await completer.complete(request)
        if not answer.tool_uses:
            return _finished(answer, staging)
        messages += [Message("assistant", answer.text, answer.tool_uses), *_answers(answer, staging)]
    raise AnswerRefusedError(f"it did not finish within {TURNS} turns")


def _finished(answer: Answer, staging: Staging) -> tuple[Candidate, ...]:
    # A refusal in words must not count as having finished what was begun.
    if answer.text.strip().strip(".!\"'`").casefold() != "done":
        raise AnswerRefusedError("it ended with prose in place of the word that says it has finished")
    return staging.candidates()


def _answers(answer: Answer, staging: Staging) -> list[Message]:
    if len(answer.tool_uses) > _USES_A_TURN:
        raise AnswerRefusedError(f"it uses {len(answer.tool_uses)} tools in one turn, more than {_USES_A_TURN}")
    return [_answer(use, staging) for use in answer.tool_uses]


def _answer(use: ToolUse, staging: Staging) -> Message:
    try:
        return Message("tool", _run(use, staging), tool_use_id=use.id)
    except FreeholdError as error:
        return Message("tool", error.message, tool_use_id=use.id, is_error=True)
    except msgspec.ValidationError as error:
        return Message("tool", f"{use.name}: {error}", tool_use_id=use.id, is_error=True)


def _run(use: ToolUse, staging: Staging) -> str:
    if use.name == "read_memory":
        return staging.read(msgspec.convert(use.arguments, _Read).name)[:LONGEST]
    if use.name == "write_memory":
        return staging.write(msgspec.convert(use.arguments, Candidate))
    raise AnswerRefusedError(f'it uses a tool that it was not given, "{use.name[:40]}"')
