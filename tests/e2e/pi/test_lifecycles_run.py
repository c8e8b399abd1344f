"""What of a run is kept: its lifecycles on a real Pi, and what lies on the disk after each."""

from __future__ import annotations

from tests.e2e.pi.host import PiHost
from tests.e2e.pi.model_server import SIDE, Model, Say
from tests.e2e.pi.remembering import Disk, memories, memory, pmem, remember, shown

TUESDAYS = "Deploys happen on Tuesdays."
DEPLOYS = memory("Deploys", TUESDAYS)


def test_what_a_run_said_is_kept_as_a_job_and_a_pass_writes_it(pi: PiHost, model: Model) -> None:
    remember(pi)
    disk = Disk(pi)
    with pi.rpc() as rpc:
        model.says(Say("Noted."))
        rpc.run(TUESDAYS)
        assert disk.waiting(rpc) == [[f"user: {TUESDAYS}", "assistant: Noted."]]
        assert disk.topics() == {}
        model.says(memories(DEPLOYS), model=SIDE)
        pmem(rpc, "extract", "written")
    assert shown(model.of(SIDE)[0]) == [f"user: {TUESDAYS}", "assistant: Noted."]
    assert disk.topics() == {"deploys": TUESDAYS}
    assert disk.jobs() == []
