from __future__ import annotations

from typing import Any

import pytest

from freehold.errors import UnavailableError
from freehold.memory.extraction.extraction import Extraction
from freehold.model.completer import Answer, Request
from tests.unit.memory.extraction.conftest import Place
from tests.unit.memory.extraction.fakes import ScriptedModel, answer, memory

pytestmark = pytest.mark.anyio

FACT = "The nightly build runs on the machine called Falke."
KEPT = answer(memory("Nightly build", f"{FACT}\n"))


async def test_what_the_user_said_is_kept_and_can_be_found(place: Place) -> None:
    extraction = place.extraction(ScriptedModel(KEPT))
    place.talk(extraction).say(FACT)
    outcome = await extraction.extract()
    assert (outcome.result, outcome.wrote) == ("written", ("nightly-build",))
    assert place.bodies() == {"nightly-build": f"{FACT}\n"}
    assert "(nightly-build.md)" in place.store.index()
    assert place.store.topic("nightly-build").source == "extraction"
    assert extraction.records.jobs.waiting() == []


async def test_a_conversation_is_shown_in_its_own_order_whenever_its_jobs_were_made(place: Place) -> None:
    model = ScriptedModel('{"memories": []}')
    extraction = place.extraction(model, auto_extract=False)
    talk = place.talk(extraction)
    talk.say("Said first, while it was off.")
    extraction.turn(on=True)
    talk.say("Said second.")
    await extraction.extract()
    assert model.asked.index("Said first") < model.asked.index("Said second")


async def test_nothing_worth_keeping_is_a_success(place: Place) -> None:
    extraction = place.extraction(ScriptedModel('{"memories": []}'))
    place.talk(extraction).say("Thanks!")
    assert (await extraction.extract()).result == "nothing"
    assert extraction.records.jobs.waiting() == []
    assert place.bodies() == {}
    assert extraction.status()["budget"]["failures"] == 0


async def test_an_existing_topic_that_is_near_is_shown_and_changed_not_doubled(place: Place) -> None:
    place.store.save("Nightly build", "The nightly build runs on the machine called Adler.\n")
    body = "The nightly build runs on the machine called Falke, no longer on Adler.\n"
    model = ScriptedModel(answer(memory("Nightly build", body, topic="nightly-build")))
    extraction = place.extraction(model)
    place.talk(extraction).say("The nightly build no longer runs on Adler; it runs on the machine called Falke.")
    outcome = await extraction.extract()
    assert "Adler" in model.asked.split("The conversation")[0]
    assert outcome.wrote == ("nightly-build",)
    assert place.bodies() == {"nightly-build": body}


async def test_a_topic_that_the_model_was_not_shown_whole_is_not_replaced(place: Place) -> None:
    place.store.save("Zebras", "Stripes and hooves everywhere in the savannah.\n")
    extraction = place.extraction(ScriptedModel(answer(memory("Zebras", FACT, topic="zebras"))))
    place.talk(extraction).say(FACT)
    assert (await extraction.extract()).result == "failed"
    assert "Stripes" in place.bodies()["zebras"]


@pytest.mark.parametrize("text", ["nightly build by hand\n", "---\ntitle: [\n---\nnightly build\n"])
async def test_a_file_written_by_hand_is_never_changed(place: Place, text: str) -> None:
    place.store.prepare()
    (place.store.path / "mine.md").write_text(text)
    extraction = place.extraction(ScriptedModel(answer(memory("Nightly build", FACT, topic="mine"))))
    place.talk(extraction).say(FACT)
    assert (await extraction.extract()).result == "failed"
    assert (place.store.path / "mine.md").read_text() == text


async def test_a_fact_that_stands_there_already_is_not_written_again(place: Place) -> None:
    place.store.save("Builds", f"{FACT}\n")
    extraction = place.extraction(ScriptedModel(KEPT))
    talk = place.talk(extraction)
    talk.say(f"You know, there is more to it. {FACT}")
    assert (await extraction.extract()).wrote == ()
    assert list(place.bodies()) == ["builds"]


async def test_secrets_reach_neither_the_model_nor_the_disk(place: Place) -> None:
    secret = "hf_" + "a1B2" * 8
    told = f"The deploy token of the machine Falke is {secret} by the way."
    model = ScriptedModel(answer(memory("Deploy token", told)))
    extraction = place.extraction(model)
    talk = place.talk(extraction)
    talk.say(told, f"I noted {secret}.")
    await extraction.extract()
    assert "Falke" in model.asked
    assert secret not in model.asked
    written = "".join(file.read_text() for file in place.store.path.rglob("*") if file.is_file())
    assert "Falke" in written
    assert secret not in written


async def test_a_secret_in_a_proposed_title_is_taken_out_too(place: Place) -> None:
    secret = "hf_" + "a1B2" * 8
    extraction = place.extraction(ScriptedModel(answer(memory(f"Token {secret}", FACT, description=secret))))
    place.talk(extraction).say(FACT)
    assert (await extraction.extract()).result == "written"
    assert not any(secret in file.name or secret in file.read_text() for file in place.store.path.glob("*.md"))


async def test_a_topic_that_is_too_long_to_be_shown_is_not_replaced(place: Place) -> None:
    body = f"{FACT}\n" + "The nightly build is long.\n" * 400
    place.store.save("Nightly build", body)
    extraction = place.extraction(
        ScriptedModel(answer(memory("Nightly build", "The nightly build.", topic="nightly-build")))
    )
    place.talk(extraction).say("The nightly build runs on another machine now.")
    assert (await extraction.extract()).result == "failed"
    assert place.bodies()["nightly-build"] == body


async def test_a_secret_that_the_user_allowed_in_a_topic_stays_and_is_not_shown(place: Place) -> None:
    secret = "hf_" + "a1B2" * 8
    place.store.save("Nightly build", f"The nightly build uses {secret}.\n", allow_secrets=True)
    model = ScriptedModel(answer(memory("Nightly build", FACT, topic="nightly-build")))
    extraction = place.extraction(model)
    place.talk(extraction).say(FACT)
    assert (await extraction.extract()).result == "failed"
    assert secret not in model.asked
    assert secret in place.bodies()["nightly-build"]


async def test_what_the_memory_says_already_is_not_shown_as_said(place: Place) -> None:
    line = "Releases are cut on Tuesdays after the review of the changes."
    place.store.save("Releases", f"{line}\n")
    model = ScriptedModel('{"memories": []}')
    extraction = place.extraction(model)
    talk = place.talk(extraction)
    said = [*talk.prompt("When do we release?"), talk.entry("toolResult", f"1: ---\n2: {line}", "read")]
    said += [talk.entry("assistant", f"- {line}\nShall I prepare one?")]
    said += [talk.entry("user", f"<recalled-memory>\n{line}\n</recalled-memory>\nYes, and {FACT}")]
    talk.turn(said)
    talk.end()
    talk.settle()
    await extraction.extract()
    assert line not in model.asked.split("The conversation")[1]
    assert FACT in model.asked


async def test_without_the_model_nothing_runs_nothing_is_lost_and_the_status_says_so(place: Place) -> None:
    gone = UnavailableError("model_unavailable", "No key for qoder.")
    model = ScriptedModel(gone, KEPT)
    extraction = place.extraction(model, extract_model="qoder/fast")
    place.talk(extraction).say(FACT)
    for _ in range(5):
        model.replies.insert(0, gone)
        assert (await extraction.extract()).result == "skipped"
    status = extraction.status()
    assert "qoder/fast" in status["last"]["why"]
    assert (status["budget"]["passes"], status["budget"]["failures"], status["waiting"]) == (0, 0, 1)
    model.replies = [KEPT]
    assert (await extraction.extract()).result == "written"


async def test_the_dedicated_model_is_asked_and_the_conversations_own_only_by_choice(place: Place) -> None:
    model = ScriptedModel('{"memories": []}')
    for chosen in ("session", "qoder/fast"):
        extraction = place.extraction(model, extract_model=chosen)
        place.talk(extraction).say(FACT)
        await extraction.extract()
    assert [request.model for request in model.requests] == ["", "qoder/fast"]
    assert Extraction(place.store, model).settings.extract_model == "qoder/fast"


async def test_a_failing_model_is_tried_three_times_with_growing_waits_and_then_given_up(place: Place) -> None:
    extraction = place.extraction(ScriptedModel(UnavailableError("model_failed", "503")))
    place.talk(extraction).say(FACT)
    assert (await extraction.work()).result == "failed"
    assert (await extraction.work()).result == "skipped"
    first = extraction.status()["budget"]
    assert (first["failures"], first["notBefore"]) == (1, "2026-01-01T00:01:00Z")
    place.clock.advance(60)
    assert (await extraction.work()).result == "failed"
    assert extraction.status()["budget"]["notBefore"] == "2026-01-01T00:03:00Z"
    place.clock.advance(120)
    assert "given up" in (await extraction.work()).why
    assert extraction.records.jobs.waiting() == []


async def test_the_days_budget_ends_passes_until_the_next_day(place: Place) -> None:
    extraction = place.extraction(ScriptedModel('{"memories": []}'), daily_passes=1)
    talk = place.talk(extraction)
    talk.say(FACT)
    assert (await extraction.work()).result == "nothing"
    talk.say("More.")
    skipped = await extraction.work()
    assert (skipped.result, "dailyPasses" in skipped.why) == ("skipped", True)
    assert extraction.status()["waiting"] == 1
    place.clock.advance(86_400)
    assert (await extraction.work()).result == "nothing"


async def test_tokens_are_counted_also_of_an_answer_that_was_refused(place: Place) -> None:
    extraction = place.extraction(
        ScriptedModel(Answer(text="no", input_tokens=900, output_tokens=100)), daily_tokens=999
    )
    place.talk(extraction).say(FACT)
    assert (await extraction.extract()).tokens == 1_000
    assert "dailyTokens" in (await extraction.extract()).why


async def test_a_store_that_a_person_edits_meanwhile_is_read_again_and_the_model_asked_once_more(place: Place) -> None:
    place.store.save("Nightly build", "The nightly build runs on the machine called Adler.\n")
    file = place.store.path / "nightly-build.md"

    def edited(request: Request) -> str:
        file.write_text(file.read_text().replace("Adler", "Milan"))
        return answer(memory("Nightly build", FACT, topic="nightly-build"))

    def joined(request: Request) -> str:
        assert "Milan" in request.messages[0].text
        return answer(memory("Nightly build", f"{FACT} Before it was Milan.", topic="nightly-build"))

    extraction = place.extraction(ScriptedModel(edited, joined))
    place.talk(extraction).say(f"{FACT} Before it was on the machine called Milan.")
    outcome = await extraction.extract()
    assert outcome.wrote == ("nightly-build",), outcome
    assert place.bodies() == {"nightly-build": f"{FACT} Before it was Milan.\n"}


async def test_a_store_that_changes_every_time_is_left_alone_and_the_job_waits(place: Place) -> None:
    place.store.save("Other", "zero\n")

    def edited(request: Request) -> str:
        with (place.store.path / "other.md").open("a") as stream:
            stream.write("by hand\n")
        return KEPT

    model = ScriptedModel(edited)
    extraction = place.extraction(model)
    place.talk(extraction).say(FACT)
    assert (await extraction.extract()).result == "skipped"
    assert len(model.requests) == 2
    assert list(place.bodies()) == ["other"]
    assert [job.attempts for job in extraction.records.jobs.waiting()] == [0]


async def test_off_nothing_is_noted_and_asking_for_it_works_all_the_same(place: Place) -> None:
    extraction = place.extraction(ScriptedModel(KEPT), auto_extract=False)
    place.talk(extraction).say(FACT)
    assert not place.store.path.exists()
    assert (await extraction.extract()).result == "written"


async def test_a_conversation_that_is_kept_nowhere_leaves_no_job(place: Place) -> None:
    extraction = place.extraction(ScriptedModel(KEPT))
    place.talk(extraction, kept=False).say(FACT)
    assert extraction.records.jobs.waiting() == []
    assert extraction.status()["waiting"] == 1
    assert (await extraction.extract()).result == "written"


async def test_a_fault_of_the_completer_ends_the_pass_and_nothing_else(place: Place) -> None:
    extraction = place.extraction(ScriptedModel(RuntimeError("bug")))
    place.talk(extraction).say(FACT)
    outcome: Any = await extraction.extract()
    assert (outcome.result, "bug" in outcome.why) == ("failed", True)
