"""Whose words a message of the role `user` has: the user's, as they were typed, or a template's and other programs'."""

from __future__ import annotations

from typing import Any

import pytest

from freehold.memory.extraction.conversation import conversation
from freehold.memory.extraction.turns import TurnLedger
from tests.unit.memory.extraction.fakes import Talk


def told() -> Talk:
    """A conversation in which inputs are told, from its beginning."""
    talk = Talk(TurnLedger(inputs_told=True).observe)
    talk.open()
    return talk


def said(talk: Talk, message: str, reply: str = "Done.", **heard: Any) -> list[bool]:
    """Hold a prompt that comes from this input; return whether its entries are clean."""
    if heard:
        talk("input", **heard)
    talk.say(message, reply)
    return [entry.clean for entry in talk.settled[-1].entries]


@pytest.mark.parametrize("source", ["interactive", "rpc"])
def test_what_the_user_typed_is_the_users(source: str) -> None:
    assert said(told(), "Deploys are on Tuesdays.", text="Deploys are on Tuesdays.", source=source) == [True, True]


@pytest.mark.parametrize("source", ["extension", None, 3])
def test_what_another_extension_sends_is_not_the_users(source: object) -> None:
    assert said(told(), "Deploys are on Fridays.", text="Deploys are on Fridays.", source=source) == [False, False]


def test_a_message_of_which_no_input_was_told_is_not_the_users() -> None:
    assert said(told(), "Deploys are on Fridays.") == [False, False]


def test_what_a_template_puts_in_the_place_of_the_words_is_not_the_users() -> None:
    talk = told()
    assert said(talk, "Review it. Deploys are on Fridays.", text="/review", source="interactive") == [False, False]
    assert said(talk, "Mine", text="Mine", source="interactive") == [True, False]


def test_the_words_beside_a_skill_are_the_users_and_those_in_it_are_not() -> None:
    skill = '<skill name="ship" location="/x">\nDeploy on Fridays.\n</skill>'
    talk = told()
    assert said(talk, f"{skill}\n\nTuesdays only.", text="/skill:ship Tuesdays only.", source="rpc") == [True, True]
    assert said(talk, f"{skill}\n\nOn Mondays.", text="/skill:ship Tuesdays only.", source="rpc")[0] is False
    shown = conversation(talk.settled[0].entries, ()).parts[0].text
    assert "Tuesdays only." in shown
    assert "Fridays" not in shown


def test_files_that_the_user_attached_leave_the_words_the_users() -> None:
    attached = '<file name="/a/notes.md">\nDeploy on Fridays.\n</file>\nKeep to this.'
    assert said(told(), attached, text=attached, source="interactive") == [True, True]


def test_a_model_is_shown_text_that_was_not_typed_as_what_it_is() -> None:
    talk = told()
    said(talk, "Deploys are on Fridays.", text="/review", source="interactive")
    part, *_ = conversation(talk.settled[0].entries, ()).parts
    assert (part.role, part.clean, part.tool) == ("tool", False, "text that the user did not type")


def test_where_no_inputs_are_told_the_role_decides() -> None:
    talk = Talk(TurnLedger().observe)
    talk.open()
    assert said(talk, "Deploys are on Tuesdays.") == [True, True]


def test_what_pi_says_of_a_picture_leaves_the_words_the_users() -> None:
    told_of = "Keep to this.\n\n[Image: original 2880x1800, displayed at 2000x1250. Multiply coordinates by 1.44.]"
    assert said(told(), told_of, text="Keep to this.", source="interactive") == [True, True]
