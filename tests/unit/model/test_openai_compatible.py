from __future__ import annotations

import logging
from typing import Any

import pytest

from freehold.config import Model
from freehold.errors import UnavailableError
from freehold.model.completer import Message, Request, ToolSpec, ToolUse
from freehold.model.openai_compatible import Endpoint
from tests.unit.model.scripted import ModelServer, Script, completion, serving

pytestmark = pytest.mark.anyio

ASKED = Request(system="Be short.", messages=(Message("user", "Which?"),), seconds=10)
KEY = "sk-not-a-real-key-0123456789"


def endpoint(server: ModelServer, **settings: Any) -> Endpoint:
    return Endpoint(Model(endpoint=server.url, name="little", **settings), {"MODEL_KEY": KEY})


async def code_of(script: Script, request: Request = ASKED, **settings: Any) -> str:
    with serving(script) as server, pytest.raises(UnavailableError) as raised:
        await endpoint(server, **settings).complete(request)
    return raised.value.code


async def test_the_words_and_the_count_of_a_completion_come_back() -> None:
    with serving(lambda _: completion("17")) as server:
        answer = await endpoint(server).complete(ASKED)
    assert (answer.text, answer.model, answer.input_tokens, answer.output_tokens) == ("17", "scripted-1", 42, 3)
    assert server.paths == ["/v1/chat/completions"]
    assert server.bodies[0]["model"] == "little"
    assert [message["role"] for message in server.bodies[0]["messages"]] == ["system", "user"]


async def test_tools_go_out_and_their_uses_come_back() -> None:
    call = {"id": "t1", "type": "function", "function": {"name": "read", "arguments": '{"topic": "a"}'}}
    request = Request(
        messages=(
            Message("user", "Go"),
            Message("assistant", tool_uses=(ToolUse("t0", "read", {"topic": "b"}),)),
            Message("tool", "nothing", tool_use_id="t0"),
        ),
        tools=(ToolSpec("read", "Reads.", {"type": "object"}),),
        seconds=10,
    )
    with serving(lambda _: completion(None, tool_calls=[call])) as server:
        answer = await endpoint(server).complete(request)
    assert answer.tool_uses == (ToolUse("t1", "read", {"topic": "a"}),)
    sent = server.bodies[0]
    assert sent["tools"][0]["function"]["parameters"] == {"type": "object"}
    assert sent["messages"][1]["tool_calls"][0]["function"]["arguments"] == '{"topic":"b"}'
    assert sent["messages"][2] == {"role": "tool", "tool_call_id": "t0", "content": "nothing"}


@pytest.mark.parametrize(
    ("status", "code"),
    [(503, "model_failed"), (429, "model_failed"), (500, "model_failed"), (400, "model_failed"),
     (401, "model_unavailable"), (403, "model_unavailable"), (404, "model_unavailable"), (302, "model_failed")],
)  # fmt: skip
async def test_a_refusal_is_told_by_its_code(status: int, code: str) -> None:
    assert await code_of(lambda _: (status, b'{"error": {"message": "no"}}')) == code


@pytest.mark.parametrize("body", [b"", b"null", b"<html>", b"{}", b'{"choices": []}', b'{"choices": [{"message": 3}]}'])
async def test_what_is_no_completion_is_a_failure_of_the_model(body: bytes) -> None:
    assert await code_of(lambda _: (200, body)) == "model_failed"


async def test_a_model_that_does_not_answer_is_given_up_at_the_deadline() -> None:
    request = Request(messages=ASKED.messages, seconds=0.3)

    def never(_: dict[str, Any]) -> tuple[int, bytes]:
        server.released.wait(30)
        return completion("17")

    with serving(never) as server, pytest.raises(UnavailableError) as raised:
        await endpoint(server).complete(request)
    assert raised.value.code == "timeout"


async def test_nothing_listening_is_told() -> None:
    with serving(lambda _: completion("17")) as server:
        pass
    with pytest.raises(UnavailableError) as raised:
        await endpoint(server).complete(ASKED)
    assert raised.value.code == "model_unavailable"


async def test_a_key_that_is_missing_from_the_environment_is_told_before_anything_is_sent() -> None:
    with serving(lambda _: completion("17")) as server, pytest.raises(UnavailableError) as raised:
        await endpoint(server, key_env="OTHER_KEY").complete(ASKED)
    assert raised.value.code == "model_unavailable"
    assert server.bodies == []


async def test_the_key_goes_to_the_endpoint_and_into_no_log_and_no_message(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with serving(lambda _: (401, f"no such key {KEY}".encode())) as server, pytest.raises(UnavailableError) as raised:
        await endpoint(server, key_env="MODEL_KEY").complete(ASKED)
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert KEY not in caplog.text
    assert KEY not in str(raised.value)
    assert raised.value.__cause__ is None


async def test_keys_of_another_endpoint_in_the_environment_are_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
    with serving(lambda _: completion("17")) as server:
        await endpoint(server).complete(ASKED)
    assert KEY not in str(server.headers)


async def test_a_redirect_is_not_followed() -> None:
    with serving(lambda _: completion("17")) as other:
        address = f"{other.url}/chat/completions"
        with serving(lambda _: (307, b""), location=address) as server, pytest.raises(UnavailableError):
            await endpoint(server).complete(ASKED)
        assert other.bodies == []
