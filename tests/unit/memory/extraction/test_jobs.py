from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from freehold.memory.extraction import session_file
from freehold.memory.extraction.entry import Entry
from freehold.memory.extraction.jobs import ATTEMPTS, MOST, Jobs
from freehold.memory.extraction.turns import Settled, TurnLedger
from tests.unit.memory.extraction.fakes import Talk, as_line, watched


def settled(name: str = "a", file: str = "session.jsonl") -> Settled:
    entries = (
        Entry(id=name, role="user", text="secret words", clean=True),
        Entry(id=f"{name}2", role="assistant", text="x"),
    )
    return Settled(session_id="s", session_file=file, entries=entries)


def test_a_job_names_its_entries_and_holds_no_word_of_them(tmp_path: Path) -> None:
    jobs = Jobs(tmp_path / "jobs")
    job = jobs.add(settled(), 5.0)
    assert job is not None
    assert (job.entries, job.clean, job.session_file) == (("a", "a2"), ("a",), "session.jsonl")
    assert not any("secret words" in file.read_text() for file in tmp_path.rglob("*.json"))


def test_without_a_session_file_there_is_no_job(tmp_path: Path) -> None:
    jobs = Jobs(tmp_path / "jobs")
    assert jobs.add(settled(file=""), 5.0) is None
    assert not tmp_path.joinpath("jobs").exists()


def test_a_claimed_job_is_nobody_elses(tmp_path: Path) -> None:
    one, other = Jobs(tmp_path / "jobs"), Jobs(tmp_path / "jobs")
    one.add(settled(), 5.0)
    claims = one.claim(9, 6.0)
    assert [claim.job.attempts for claim in claims] == [1]
    assert other.claim(9, 6.0) == []
    one.release(claims)
    assert [claim.job.attempts for claim in other.claim(9, 7.0)] == [1]


def test_a_finished_job_is_never_made_again_also_by_a_fork_that_copies_its_entries(tmp_path: Path) -> None:
    jobs = Jobs(tmp_path / "jobs")
    jobs.add(settled(), 5.0)
    jobs.finish(jobs.claim(9, 6.0))
    assert jobs.add(settled(file="fork.jsonl"), 7.0) is None
    assert jobs.waiting() == []
    assert list((tmp_path / "jobs").iterdir()) == []


def test_the_same_run_told_twice_is_one_job(tmp_path: Path) -> None:
    jobs = Jobs(tmp_path / "jobs")
    jobs.add(settled(), 5.0)
    jobs.add(settled(), 6.0)
    assert len(jobs.waiting()) == 1


def test_a_job_that_fails_is_given_up_after_its_last_attempt(tmp_path: Path) -> None:
    jobs = Jobs(tmp_path / "jobs")
    jobs.add(settled(), 5.0)
    gone = [len(jobs.fail(jobs.claim(9, 6.0))) for _ in range(ATTEMPTS)]
    assert gone == [0] * (ATTEMPTS - 1) + [1]
    assert jobs.waiting() == []


def test_jobs_that_nobody_works_through_do_not_pile_up(tmp_path: Path) -> None:
    jobs = Jobs(tmp_path / "jobs")
    for number in range(MOST + 3):
        jobs.add(settled(f"{number}-"), float(number))
    waiting = jobs.waiting()
    assert (len(waiting), waiting[0].entries[0]) == (MOST, "3-")


def test_a_damaged_job_is_passed_over(tmp_path: Path) -> None:
    jobs = Jobs(tmp_path / "jobs")
    jobs.add(settled(), 5.0)
    (tmp_path / "jobs" / "x.json").write_text('{"id": ')
    assert len(jobs.claim(9, 6.0)) == 1


def test_a_session_file_gives_the_entries_that_are_wanted_and_no_other(tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    talk = Talk(TurnLedger().observe, file)
    wanted = [talk.entry("user", "Q"), talk.entry("assistant", "A\u2028B"), talk.entry("toolResult", "page", "read")]
    talk.entry("user", "cancelled")
    with file.open("a") as stream:
        stream.write('{"type":"custom_message","id":"c","content":"injected"}\nnot json\n[1]\n{"type":"mess')
    found = session_file.read(file, {entry["id"] for entry in wanted} | {"c"}, {wanted[0]["id"], wanted[1]["id"]})
    assert [(one.role, one.text, one.clean) for one in found] == [
        ("user", "Q", True),
        ("assistant", "A\u2028B", True),
        ("tool", "page", False),
    ]


def test_a_session_that_is_gone_or_no_file_gives_nothing(tmp_path: Path) -> None:
    assert session_file.read(tmp_path / "none", {"a"}, set()) == []
    assert session_file.read(tmp_path, {"a"}, set()) == []


@pytest.mark.parametrize("content", [None, 3, [None, 3, {"type": "image"}], {"text": "x"}])
def test_content_of_any_shape_is_no_fault(tmp_path: Path, content: object) -> None:
    file = tmp_path / "s.jsonl"
    line = as_line(watched().entry("user", "Q"))
    line["message"]["content"] = content
    file.write_bytes(msgspec.json.encode(line) + b"\n")
    assert [one.text for one in session_file.read(file, {line["id"]}, set())] == [""]


def test_a_users_message_that_the_job_does_not_call_clean_is_not(tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    entry = Talk(TurnLedger().observe, file).entry("user", "text of a template")
    assert [one.clean for one in session_file.read(file, {entry["id"]}, set())] == [False]
