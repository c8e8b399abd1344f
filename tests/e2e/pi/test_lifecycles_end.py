"""What is kept when Pi or its worker ends, however it ends: on a real Pi, and what then lies on the disk."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest

from tests.e2e.pi.host import PiHost
from tests.e2e.pi.model_server import SIDE, Hold, Model, Say
from tests.e2e.pi.remembering import Disk, caught_up, memories, memory, pmem, remember, shown, until
from tests.e2e.pi.rpc import Rpc
from tests.e2e.pi.test_processes import gone

DEADLINE = 60.0
TUESDAYS = "Deploys happen on Tuesdays."
DEPLOYS = memory("Deploys", TUESDAYS)
SAID = [f"user: {TUESDAYS}", "assistant: Done."]
KEPT = {"deploys": TUESDAYS}


def terminate(rpc: Rpc) -> None:
    assert rpc.kill(signal.SIGTERM) == 143


def interrupt(rpc: Rpc) -> None:
    rpc.interrupt()


def kill(rpc: Rpc) -> None:
    rpc.kill(signal.SIGKILL)


def held(model: Model) -> Hold:
    """Let the model of the memory stop in the middle of its answer."""
    hold = Hold()
    model.says(Say(memories(DEPLOYS).text, hold=hold), model=SIDE)
    return hold


def next_session_writes(pi: PiHost, model: Model) -> bool:
    """Let a session work through what waits; tell whether it was shown what was said, and wrote it."""
    disk = Disk(pi)
    before = len(model.of(SIDE))
    model.says(memories(DEPLOYS), model=SIDE)
    with pi.rpc():
        until(lambda: not disk.jobs())
    asked = [shown(request) for request in model.of(SIDE)[before:]]
    return asked == [SAID] and disk.topics() == KEPT


@pytest.mark.parametrize("end", [terminate, interrupt, kill])
def test_what_settled_outlives_pi_and_what_did_not_settle_does_not(
    pi: PiHost, model: Model, end: Callable[[Rpc], None]
) -> None:
    remember(pi)
    disk = Disk(pi)
    hold = Hold()
    with pi.rpc() as rpc:
        rpc.run(TUESDAYS)
        caught_up(rpc)
        (worker,) = pi.workers()
        model.says(Say("A long answer.", hold=hold))
        rpc.prompt("Second")
        assert hold.reached.wait(DEADLINE)
        end(rpc)
        hold.release.set()
    assert gone(worker)
    assert disk.waiting() == [SAID]
    assert (disk.topics(), disk.writes(), disk.pending()) == ({}, [], [])
    assert next_session_writes(pi, model)


@pytest.mark.parametrize("end", [interrupt, kill])
def test_a_pass_that_pi_is_killed_over_is_begun_anew_by_the_next_session(
    pi: PiHost, model: Model, end: Callable[[Rpc], None]
) -> None:
    remember(pi, extractEvery=1)
    disk = Disk(pi)
    hold = held(model)
    with pi.rpc() as rpc:
        rpc.run(TUESDAYS)
        assert hold.reached.wait(DEADLINE)
        (worker,) = pi.workers()
        end(rpc)
        assert gone(worker)
        hold.release.set()
    assert disk.waiting() == [SAID]
    assert [(job.attempts, job.lease) for job in disk.jobs()] == [(0, None)]
    assert (disk.topics(), disk.writes()) == ({}, [])
    assert next_session_writes(pi, model)


def test_a_pass_whose_worker_is_killed_is_begun_anew_by_the_next_worker(pi: PiHost, model: Model) -> None:
    remember(pi, extractEvery=1)
    disk = Disk(pi)
    hold = held(model)
    with pi.rpc() as rpc:
        rpc.run(TUESDAYS)
        assert hold.reached.wait(DEADLINE)
        (worker,) = pi.workers()
        os.kill(worker, signal.SIGKILL)
        assert gone(worker)
        hold.release.set()
        assert [(job.attempts, job.lease and job.lease.process) for job in disk.jobs()] == [(1, worker)]
        assert (disk.topics(), disk.writes()) == ({}, [])
        remember(pi)
        model.says(memories(DEPLOYS), model=SIDE)
        # Pi may not have heard yet that the worker has ended; it says so, and starts another one for the next call.
        until(lambda: "Memory writes itself" in pmem(rpc, "status", ""))
        until(lambda: not disk.jobs())
    assert [shown(request) for request in model.of(SIDE)] == [SAID, SAID]
    assert disk.topics() == KEPT
    assert len(disk.writes()) == 1


def test_the_end_waits_for_a_pass_that_comes_to_its_own(pi: PiHost, model: Model) -> None:
    remember(pi, extractEvery=1)
    disk = Disk(pi)
    hold = held(model)
    with pi.rpc() as rpc:
        rpc.run(TUESDAYS)
        assert hold.reached.wait(DEADLINE)
        rpc.process.send_signal(signal.SIGTERM)
        hold.release.set()
        assert rpc.process.wait(DEADLINE) == 143
    assert disk.topics() == KEPT
    assert disk.jobs() == []


def test_the_end_waits_no_longer_than_it_is_set_to_and_leaves_the_job(pi: PiHost, model: Model) -> None:
    remember(pi, extractEvery=1, extractDrainSeconds=0.1)
    disk = Disk(pi)
    hold = held(model)
    with pi.rpc() as rpc:
        rpc.run(TUESDAYS)
        assert hold.reached.wait(DEADLINE)
        assert rpc.close() == 0
        hold.release.set()
    assert pi.workers() == []
    assert disk.waiting() == [SAID]
    assert [(job.attempts, job.lease) for job in disk.jobs()] == [(0, None)]
    assert (disk.topics(), disk.writes()) == ({}, [])
    remember(pi)
    assert next_session_writes(pi, model)


def test_a_run_of_one_prompt_that_is_to_write_at_once_is_waited_for_no_longer_than_that(
    pi: PiHost, model: Model
) -> None:
    remember(pi, extractEvery=1, extractDrainSeconds=0)
    disk = Disk(pi)
    hold = held(model)
    assert pi.ask(TUESDAYS).stdout == "Done.\n"
    hold.release.set()
    assert disk.waiting() == [SAID]
    assert disk.topics() == {}
