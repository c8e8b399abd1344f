"""A model that the host of the conversation runs."""

from __future__ import annotations

from typing import Any

import anyio
import msgspec
import pytest

from freehold.errors import FreeholdError
from freehold.model.completer import Answer, Message, Request, ToolSpec, ToolUse
from freehold.model.host_relay import HostRelay

ASKED = Request(system="Be short.", messages=(Message("user", "How many?"),))
ANSWER: dict[str, Any] = {
    "text": "Four.",
    "tool_uses": [],
    "model": "fake/main",
    "stop_reason": "stop",
    "usage": {"input": 10, "cacheRead": 5, "cacheWrite": 1, "output": 3},
}


class Host:
    """A host that keeps the frames, and answers with `result` where it has one."""

    def __init__(self, result: dict[str, Any] | None = None) -> None:
        self.frames: list[dict[str, Any]] = []
        self.sent = anyio.Event()
        self.result = result
        self.relay = HostRelay(self.send)

    def send(self, frame: dict[str, Any]) -> None:
        self.frames.append(frame)
        self.sent.set()
        if self.result is not None and "cancel" not in frame:
            self.relay.answered(frame["request_id"], self.result)


async def failure(result: dict[str, Any], request: Request = ASKED) -> str:
    with pytest.raises(FreeholdError) as caught:
        await Host(result).relay.complete(request)
    return caught.value.code


@pytest.mark.anyio
async def test_an_answer_is_the_hosts_with_its_own_count_of_tokens() -> None:
    host = Host(ANSWER)
    assert await host.relay.complete(ASKED) == Answer(text="Four.", model="fake/main", input_tokens=16, output_tokens=3)
    (frame,) = host.frames
    assert (frame["system"], frame["model"], frame["max_tokens"]) == ("Be short.", "", 2_000)
    assert frame["messages"] == [{"role": "user", "content": "How many?"}]


@pytest.mark.anyio
async def test_tools_their_uses_and_their_results_travel_in_the_hosts_shapes() -> None:
    use = ToolUse("u1", "read_memory", {"name": "harbour"})
    messages = (
        Message("user", "Read it."),
        Message("assistant", "I do.", (use,)),
        Message("tool", "It opens at seven.", tool_use_id="u1", is_error=True),
    )
    host = Host({**ANSWER, "tool_uses": [{"id": "u2", "name": "write_memory", "arguments": {"a": 1}}]})
    answer = await host.relay.complete(Request(messages=messages, tools=(ToolSpec("read_memory", "reads", {}),)))
    assert answer.tool_uses == (ToolUse("u2", "write_memory", {"a": 1}),)
    _, assistant, result = host.frames[0]["messages"]
    assert assistant["content"][1] == {
        "type": "toolCall",
        "id": "u1",
        "name": "read_memory",
        "arguments": {"name": "harbour"},
    }
    assert (result["role"], result["toolCallId"], result["toolName"], result["isError"]) == (
        "toolResult",
        "u1",
        "read_memory",
        True,
    )
    assert host.frames[0]["tools"] == [{"name": "read_memory", "description": "reads", "parameters": {}}]


@pytest.mark.anyio
async def test_two_requests_at_once_each_get_their_own_answer() -> None:
    host = Host()
    answers: dict[str, str] = {}

    async def ask(text: str) -> None:
        answers[text] = (await host.relay.complete(Request(messages=(Message("user", text),)))).text

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ask, "one")
        tasks.start_soon(ask, "two")
        while len(host.frames) < 2:
            await anyio.lowlevel.checkpoint()
        for frame in reversed(host.frames):
            host.relay.answered(frame["request_id"], {**ANSWER, "text": frame["messages"][0]["content"] * 2})
    assert answers == {"one": "oneone", "two": "twotwo"}


@pytest.mark.anyio
async def test_a_call_of_a_tool_is_named_in_its_requests_and_has_its_own_model() -> None:
    host = Host(ANSWER)
    await host.relay.for_call(7, "fake/side").complete(ASKED)
    await host.relay.for_call(7, "fake/side").complete(Request(messages=ASKED.messages, model="fake/other"))
    assert [(frame["call"], frame["model"]) for frame in host.frames] == [(7, "fake/side"), (7, "fake/other")]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("result", "code"),
    [
        ({"missing": "qoder/fast"}, "model_unavailable"),
        ({"stop_reason": "error", "error": "401"}, "model_failed"),
        ({"stop_reason": "aborted"}, "model_failed"),
        ({}, "model_failed"),
        ({"stop_reason": None, "text": "x"}, "model_failed"),
    ],
)
async def test_what_is_no_answer_is_an_error_by_its_code(result: dict[str, Any], code: str) -> None:
    assert await failure(result) == code


@pytest.mark.anyio
@pytest.mark.parametrize(
    "result", [{**ANSWER, "usage": None, "tool_uses": None}, {**ANSWER, "usage": {"input": "many"}}]
)
async def test_a_host_that_does_not_count_is_believed_all_the_same(result: dict[str, Any]) -> None:
    assert (await Host(result).relay.complete(ASKED)).text == "Four."


@pytest.mark.anyio
async def test_an_answer_that_does_not_come_in_time_is_a_timeout_and_cancelled_there_too() -> None:
    host = Host()
    with pytest.raises(FreeholdError) as caught:
        await host.relay.complete(Request(messages=ASKED.messages, seconds=0.01))
    assert caught.value.code == "timeout"
    asked, cancelled = host.frames
    assert cancelled == {"type": "inference_request", "request_id": asked["request_id"], "cancel": True}
    host.relay.answered(asked["request_id"], ANSWER)  # too late, and nobody's


@pytest.mark.anyio
async def test_cancelling_cancels_it_there_too() -> None:
    host = Host()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(host.relay.complete, ASKED)
        await host.sent.wait()
        tasks.cancel_scope.cancel()
    assert [frame.get("cancel") for frame in host.frames] == [None, True]


@pytest.mark.anyio
async def test_a_call_of_a_tool_may_wait_less_long_than_its_request_says_and_no_longer() -> None:
    for asked, allowed in ((30.0, 0.01), (0.01, 30.0)):
        relay = Host().relay.for_call(1, seconds=allowed)
        with pytest.raises(FreeholdError) as caught:
            await relay.complete(msgspec.structs.replace(ASKED, seconds=asked))
        assert (caught.value.code, caught.value.data) == ("timeout", {"seconds": 0.01})
