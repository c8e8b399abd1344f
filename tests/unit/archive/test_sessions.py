"""What of a session becomes a thread."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from freehold.archive.sessions import claude_code, codex, pi
from freehold.archive.sessions.conversation import MOST_CHARACTERS, Conversation, external_id
from freehold.archive.sessions.tree import Entry, branches, said
from freehold.errors import UsageError

from .pi_session import ID, THREAD, PiSession


def texts(conversation: Conversation) -> list[str]:
    return [message.content for message in conversation.messages]


def threads(session: PiSession) -> dict[str, list[str]]:
    return {one.thread_id: texts(one) for one in pi.conversations(session.file)}


def test_ids_and_roles_are_those_of_nmems_own_package(tmp_path: Path) -> None:
    session = (
        PiSession(tmp_path)
        .entry("model_change")
        .user("Hello")
        .answer("Hi!", "toolUse", {"type": "toolCall", "name": "bash"})
    )
    session.tool("out").answer("Done.")
    (found,) = pi.conversations(session.file)
    assert found.thread_id == THREAD
    assert [(one.role, one.content) for one in found.messages] == [
        ("user", "Hello"),
        ("assistant", "Hi!\n[Tool: bash]"),
        ("assistant", "out"),
        ("assistant", "Done."),
    ]
    assert [external_id(one) for one in found.messages] == [f"pi-entry-e{number}" for number in (2, 3, 4, 5)]
    head = found.head()
    assert (head["title"], head["source"], head["project"], head["workspace"]) == (
        "Hello",
        "pi",
        "garden",
        "/code/garden",
    )


def test_a_session_of_a_name_with_other_characters_has_the_id_that_nmems_package_gives_it(tmp_path: Path) -> None:
    assert list(threads(PiSession(tmp_path, "My Session_1.x!").turn(1))) == ["pi-my-session_1.x-"]


def test_a_failed_attempt_that_was_repeated_is_there_once(tmp_path: Path) -> None:
    session = PiSession(tmp_path).user("Hello").answer("half", "error").answer("", "error").answer("Hi!")
    assert threads(session) == {THREAD: ["Hello", "Hi!"]}


def test_an_aborted_turn_that_was_asked_again_is_there_once(tmp_path: Path) -> None:
    session = PiSession(tmp_path).turn(1).entry("model_change").user("Do it").answer("I beg", "aborted")
    assert threads(session) == {THREAD: ["question 1", "answer 1"]}
    session.user("Do it").answer("Done.")
    assert threads(session) == {THREAD: ["question 1", "answer 1", "Do it", "Done."]}


def test_an_aborted_turn_that_was_followed_by_another_stays(tmp_path: Path) -> None:
    session = PiSession(tmp_path).user("Do it").answer("I beg", "aborted").user("Something else").answer("Done.")
    assert threads(session) == {THREAD: ["Do it", "I beg", "Something else", "Done."]}


def test_work_done_before_an_abort_stays(tmp_path: Path) -> None:
    session = PiSession(tmp_path).user("Do it").answer("Looking", "toolUse").tool("found").answer("", "aborted")
    session.user("Do it").answer("Done.")
    assert threads(session) == {THREAD: ["Do it", "Looking", "found", "Do it", "Done."]}


def test_a_compaction_leaves_the_thread_whole(tmp_path: Path) -> None:
    session = PiSession(tmp_path).turn(1).entry("compaction", summary="All of it", firstKeptEntryId="e2").turn(2)
    assert threads(session) == {THREAD: ["question 1", "answer 1", "question 2", "answer 2"]}


def test_another_way_taken_from_an_earlier_place_is_a_thread_of_its_own(tmp_path: Path) -> None:
    session = PiSession(tmp_path).turn(1).turn(2).back_to("e2").turn(3)
    session.back_to("e4").turn(4)
    assert threads(session) == {
        THREAD: ["question 1", "answer 1", "question 2", "answer 2", "question 4", "answer 4"],
        f"{THREAD}-b-e5": ["question 1", "answer 1", "question 3", "answer 3"],
    }
    assert [one.branch_of for one in pi.conversations(session.file)] == ["", THREAD]


def test_going_back_to_the_very_beginning_is_a_thread_of_its_own(tmp_path: Path) -> None:
    session = PiSession(tmp_path).turn(1)
    session.leaf = None
    session.turn(2)
    assert threads(session) == {THREAD: ["question 1", "answer 1"], f"{THREAD}-b-e3": ["question 2", "answer 2"]}


def test_what_an_extension_put_in_unseen_was_not_said(tmp_path: Path) -> None:
    session = PiSession(tmp_path).user("Hello")
    session.entry("custom_message", customType="freehold-recall", content="memory", display=True)
    session.entry("custom_message", customType="other", content="hidden", display=False)
    session.entry("custom_message", customType="other", content="shown", display=True).answer("Hi!")
    assert threads(session) == {THREAD: ["Hello", "Pi custom context (other):\nshown", "Hi!"]}


def test_a_session_that_nobody_answered_has_no_thread(tmp_path: Path) -> None:
    assert threads(PiSession(tmp_path).user("Hello")) == {}


def test_a_torn_last_line_and_a_damaged_one_cost_only_themselves(tmp_path: Path) -> None:
    session = PiSession(tmp_path).turn(1).turn(2)
    lines = session.file.read_bytes().split(b"\n")
    lines[3] = b'{"type": "message", "id": "e3", \x00\xff'
    session.file.write_bytes(b"\n".join(lines) + b'{"type": "mess')
    assert threads(session) == {THREAD: ["question 1", "answer 1", "answer 2"]}


def test_pis_first_format_without_ids_is_one_thread(tmp_path: Path) -> None:
    file = tmp_path / "old.jsonl"
    rows: list[dict[str, Any]] = [
        {"type": "session", "id": ID, "cwd": "/code"},
        {"type": "message", "message": {"role": "user", "content": "Hello"}},
        {"type": "message", "message": {"role": "assistant", "content": [{"type": "text", "text": "Hi!"}]}},
    ]
    file.write_text("\n".join(map(json.dumps, rows)))
    (found,) = pi.conversations(file)
    assert [(external_id(one), one.content) for one in found.messages] == [
        ("pi-entry-0", "Hello"),
        ("pi-entry-1", "Hi!"),
    ]


def test_half_characters_are_made_whole_and_long_messages_say_what_was_cut(tmp_path: Path) -> None:
    session = PiSession(tmp_path).user("a\ud83d\ude00b\ud800c\u2028d").answer("x" * (MOST_CHARACTERS + 5))
    first, second = threads(session)[THREAD]
    assert first == "a\U0001f600b\ufffdc\u2028d"
    assert second.startswith("x" * MOST_CHARACTERS + "\n\n[cut: ")


def test_relayed_entries_give_the_same_threads(tmp_path: Path) -> None:
    entries = [
        {"id": "a", "parentId": None, "role": "user", "text": "Hello"},
        {"id": "b", "parentId": "a", "role": "assistant", "text": "", "tool": "bash"},
        {"id": "c", "parentId": "b", "role": "toolResult", "text": "out"},
        {"id": "d", "parentId": "c", "role": "assistant", "text": "Done."},
    ]
    (found,) = pi.relayed(ID, entries)
    assert (found.thread_id, texts(found)) == (THREAD, ["Hello", "[Tool: bash]", "out", "Done."])


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        pi.conversations(tmp_path / "none.jsonl")
    assert caught.value.code == "file_not_found"


@st.composite
def grown(draw: st.DrawFn) -> list[Entry]:
    entries: list[Entry] = []
    for number in range(draw(st.integers(1, 25))):
        parent = draw(st.sampled_from(["", *(entry.id for entry in entries[-6:])]))
        kind = draw(st.sampled_from(["question", "question", "answer", "aborted", "note"]))
        role = {"question": "user", "answer": "assistant", "aborted": "assistant", "note": ""}[kind]
        text = draw(st.sampled_from("abc")) if role else ""
        entries.append(Entry(f"n{number}", parent, role, text, "", kind == "answer"))
    return entries


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(grown(), st.integers(0, 25))
def test_as_a_session_grows_its_threads_only_grow(entries: list[Entry], cut: int) -> None:
    before, after = branches(entries[:cut]), branches(entries)
    for early, late in zip(before, after, strict=False):
        assert late.start == early.start
        assert said(late)[: len(said(early))] == said(early)
    assert len(after) >= len(before)
    answers = {entry.id for entry in entries if entry.answered}
    assert {entry.id for branch in after for entry in branch.path if entry.answered} == answers


def lines(file: Path, rows: list[dict[str, Any]]) -> Path:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return file


def test_claude_codes_session_is_what_its_user_and_it_said(tmp_path: Path) -> None:
    def row(kind: str, uuid: str, content: Any, **more: Any) -> dict[str, Any]:
        return {"type": kind, "uuid": uuid, "cwd": "/code/garden", "message": {"role": kind, "content": content}} | more

    rows = [
        {"type": "summary", "summary": "x"},
        row("user", "1", "<command-name>/clear</command-name>"),
        row("user", "2", "Which port?"),
        row("assistant", "3", [{"type": "thinking", "thinking": "hm"}]),
        row("assistant", "4", [{"type": "tool_use", "name": "Bash", "input": {"command": "cat conf"}}]),
        row("user", "5", [{"type": "tool_result", "content": "8080"}]),
        row("assistant", "6", [{"type": "text", "text": "8080."}]),
        row("user", "7", "to a sub-agent", isSidechain=True),
        row("user", "8", "unseen", isMeta=True),
    ]
    (found,) = claude_code.conversations(lines(tmp_path / "abc.jsonl", rows))
    assert (found.thread_id, found.folder) == ("claude-code-abc", "/code/garden")
    assert texts(found) == ["Which port?", "[Used tool: Bash] cat conf", "8080."]
    assert [external_id(one) for one in found.messages] == ["claude-code-2", "claude-code-4", "claude-code-6"]


def test_codexs_session_is_what_its_user_and_it_said(tmp_path: Path) -> None:
    def item(**payload: Any) -> dict[str, Any]:
        return {"type": "response_item", "timestamp": "t", "payload": payload}

    def message(role: str, text: str) -> dict[str, Any]:
        return item(type="message", role=role, content=[{"type": "input_text", "text": text}])

    rows = [
        {"type": "session_meta", "payload": {"id": ID, "cwd": "/code/garden"}},
        message("developer", "rules"),
        message("user", "<environment_context>x</environment_context>"),
        message("user", "Rename it"),
        item(type="reasoning", summary=[]),
        item(type="function_call", name="shell", arguments='{"command":["ls"]}'),
        item(type="function_call_output", output="a.py"),
        {"type": "event_msg", "payload": {"type": "agent_message", "message": "Renamed."}},
        message("assistant", "Renamed."),
    ]
    (found,) = codex.conversations(lines(tmp_path / f"rollout-2026-11-01T11-00-00-{ID}.jsonl", rows))
    assert (found.thread_id, found.title) == (f"codex-{ID}", "Rename it")
    assert texts(found) == ["Rename it", '[Used tool: shell] {"command":["ls"]}', "Renamed."]
    assert external_id(found.messages[0]) == "codex-line-4"
