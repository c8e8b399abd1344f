"""Asking a model and counting what it costs, also where it fails half-way."""

from __future__ import annotations

from freehold.model.completer import Answer, Completer, Request

_CHARACTERS_A_TOKEN = 4


class Meter:
    """A completer that counts: `asked` requests, `tokens` by the model's own count, else guessed."""

    def __init__(self, completer: Completer) -> None:
        self._completer = completer
        self.asked = 0
        self.tokens = 0
        self.model = ""

    async def complete(self, request: Request) -> Answer:
        """Answer `request` as the completer does, and count it."""
        sent = len(request.system) + sum(len(message.text) for message in request.messages)
        answer = await self._completer.complete(request)
        self.asked += 1
        self.model = answer.model or self.model or request.model
        counted = answer.input_tokens + answer.output_tokens
        self.tokens += counted or (sent + len(answer.text)) // _CHARACTERS_A_TOKEN
        return answer
