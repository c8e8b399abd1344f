"""Wrong keys are counted by address, with a clock that the test holds."""

from __future__ import annotations

from freehold.server.throttle import BLOCKED, WINDOW, WRONG, Throttle


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def guess(throttle: Throttle, address: str, times: int) -> None:
    for _ in range(times):
        throttle.count(address)


def test_the_eighth_wrong_key_blocks_its_address_alone() -> None:
    throttle = Throttle(Clock())
    guess(throttle, "a", WRONG - 1)
    assert throttle.wait("a") == 0
    guess(throttle, "a", 1)
    assert throttle.wait("a") == BLOCKED
    assert throttle.wait("b") == 0


def test_a_block_ends_and_counting_begins_anew() -> None:
    clock = Clock()
    throttle = Throttle(clock)
    guess(throttle, "a", WRONG)
    clock.now += BLOCKED
    assert throttle.wait("a") == 0
    guess(throttle, "a", WRONG - 1)
    assert throttle.wait("a") == 0


def test_wrong_keys_that_are_far_apart_block_nobody() -> None:
    clock = Clock()
    throttle = Throttle(clock)
    for _ in range(3 * WRONG):
        throttle.count("a")
        clock.now += WINDOW / (WRONG - 2)
    assert throttle.wait("a") == 0
