"""A log lane keeps the order of tickets and never tries a failed disk twice."""

from __future__ import annotations

from typing import Any

import pytest
import trio
import trio.testing

from metaquorum.base.clock import NEVER
from metaquorum.base.errors import InvariantViolated
from metaquorum.base.limits import FAST_WRITES_IN_A_ROW, FAST_WRITES_PAUSE_MS, QUICK_SYNC_US
from metaquorum.quorum.effects import SaveElection
from metaquorum.quorum.types import ElectionState
from metaquorum.runtime.disk import pace
from metaquorum.runtime.disk.lane_states import LaneState
from tests.unit.runtime.lanes import FIRST, FakeJournal, FakeKernel, Rig


async def test_effects_queued_during_a_sync_are_one_batch() -> None:
    rig = Rig()
    async with rig.held():
        rig.submit(2, 3, 4)
    assert rig.journal.tickets == [[1], [2, 3, 4]]
    assert rig.durable == [1, 4]
    assert rig.lane.statistics() == {"queued": 0, "drains": 2, "effects": 4, "last_ticket": 4}


async def test_a_vote_is_durable_before_the_log_behind_it() -> None:
    rig = Rig()
    async with rig.held():
        rig.submit(2, 3)
        for ticket in (4, 5):
            rig.lane.submit(SaveElection(ticket, ElectionState(ticket)))
        rig.submit(6)
    assert rig.journal.tickets == [[1], [2, 3], [4, 5], [6]]
    assert rig.durable == [1, 3, 5, 6]


def test_tickets_out_of_order_are_refused() -> None:
    rig = Rig()
    rig.submit(2)
    with pytest.raises(InvariantViolated):
        rig.submit(2)


async def test_what_is_queued_before_the_lane_runs_is_written_then() -> None:
    rig = Rig()
    rig.begin(1, 2)
    assert rig.journal.calls == []
    async with rig.running():
        await rig.lane.close()
    assert rig.durable == [2]


async def test_a_lane_closed_before_it_runs_writes_what_is_queued() -> None:
    rig = Rig()
    rig.begin(1)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(rig.lane.close)
        await trio.testing.wait_all_tasks_blocked()
        nursery.start_soon(rig.lane.run)
    assert rig.durable == [1]


async def test_effects_submitted_while_an_idle_lane_closes_are_written() -> None:
    rig = Rig()
    async with rig.running(), trio.open_nursery() as nursery:
        nursery.start_soon(rig.lane.close)
        while rig.lane.state is not LaneState.CLOSING:
            await trio.lowlevel.checkpoint()
        rig.begin(1)
    assert (rig.journal.tickets, rig.durable) == ([[1]], [1])


async def test_what_is_submitted_by_a_report_is_written_after_it(kernel: FakeKernel) -> None:
    rig = Rig(sends=True)
    states: list[LaneState] = []

    def on_durable(ticket: int) -> None:
        rig.durable.append(ticket)
        if ticket == FIRST:
            rig.begin(FIRST + 1)
            states.append(rig.lane.state)
            assert rig.journal.tickets == [[FIRST]]

    rig.lane.on_durable = on_durable
    async with rig.running():
        await rig.fast()
        rig.begin(FIRST)
        assert states == [LaneState.REPORTING]
        assert rig.durable[-2:] == [FIRST, FIRST + 1]
        await rig.lane.close()


# --- failures ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("way", "descriptor", "sends"),
    [("execute", None, False), ("execute", 7, True), ("write", 7, False)],
    ids=["thread", "loop", "kernel"],
)
async def test_a_failed_write_ends_the_lane_and_is_not_tried_again(
    kernel: FakeKernel, way: str, descriptor: int | None, sends: bool
) -> None:
    rig = Rig(FakeJournal(descriptor), sends=sends)
    async with rig.running():
        await rig.fast()
        rig.journal.fails = {way}
        rig.begin(FIRST, FIRST + 1)
        await rig.lane.close()
        rig.begin(FIRST + 2)
        rig.lane.tidy()
    assert rig.journal.names == [f"{way} fails"]
    (why,) = rig.failed
    assert why == f"{FIRST}: OSError: [Errno 5] input/output error"
    assert rig.durable[-1] == FIRST - 1
    assert rig.lane.state is LaneState.ENDED


async def test_a_failed_sync_of_the_kernel_ends_the_lane(kernel: FakeKernel) -> None:
    rig = Rig(FakeJournal(7))
    async with rig.running():
        await rig.fast()
        kernel.error = OSError("no")
        rig.begin(FIRST)
    assert rig.failed == [f"{FIRST}: OSError: no"]
    assert rig.durable[-1] == FIRST - 1


@pytest.mark.parametrize("sends", [True, False])
async def test_an_error_of_ours_ends_the_task_and_not_the_caller(
    kernel: FakeKernel, sends: bool
) -> None:
    rig = Rig(FakeJournal(7, error=InvariantViolated("ours")), sends=sends)
    with pytest.RaisesGroup(
        pytest.RaisesExc(InvariantViolated, match="ours"), flatten_subgroups=True
    ):
        async with rig.running():
            await rig.fast()
            rig.journal.fails = {"execute", "write"}
            rig.begin(FIRST)
    assert rig.failed == []
    assert rig.lane.state is LaneState.ENDED


async def test_a_cancelled_lane_ends_when_its_thread_does() -> None:
    rig = Rig()
    rig.journal.hold = True
    async with trio.open_nursery() as nursery:
        nursery.start_soon(rig.lane.run)
        await trio.testing.wait_all_tasks_blocked()
        rig.begin(1)
        await trio.to_thread.run_sync(rig.journal.started.wait)
        nursery.cancel_scope.cancel()
        with trio.CancelScope(shield=True):
            await trio.testing.wait_all_tasks_blocked()
        assert rig.lane.state is LaneState.BUSY
        rig.journal.go_on.set()
    assert (rig.durable, rig.lane.state) == ([1], LaneState.ENDED)


async def test_what_the_loop_computes_is_not_the_disks_time(
    kernel: FakeKernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    wall_s = computed_s = 0.0
    monkeypatch.setattr(pace, "perf_counter", lambda: wall_s)
    monkeypatch.setattr(pace, "thread_time", lambda: computed_s)
    rig = Rig(FakeJournal(7))
    rig.lane.clock = pace.waited_s
    async with rig.running():
        await rig.fast()
        kernel.slow = True
        for ticket, computes in ((FIRST, True), (FIRST + 1, False)):
            rig.begin(ticket)
            wall_s += 2 * QUICK_SYNC_US / 1e6
            if computes:
                computed_s = wall_s
            rig.journal.seconds = wall_s - computed_s
            kernel.end()
            while rig.durable[-1] != ticket:
                await trio.lowlevel.checkpoint()
            assert rig.lane.pace.is_quick == computes
        await rig.lane.close()


# --- preallocation -------------------------------------------------------------------------


async def test_space_is_preallocated_in_a_burst_until_a_pause(
    kernel: FakeKernel, mock_clock: trio.testing.MockClock
) -> None:
    rig, lane = (rig := Rig(FakeJournal(7))), rig.lane
    async with rig.running():
        for ticket in range(1, FAST_WRITES_IN_A_ROW + 2):
            assert (lane.tidy_at_ms == NEVER) == (ticket <= FAST_WRITES_IN_A_ROW)
            await rig.write(ticket)
        assert rig.journal.fast == [False] * (FAST_WRITES_IN_A_ROW - 1) + [True, True]
        assert lane.tidy_at_ms == lane.now_ms() + FAST_WRITES_PAUSE_MS + 1
        kernel.slow = True
        rig.begin(1_000)
        assert lane.tidy_at_ms == NEVER  # while the disk works
        lane.tidy()
        assert rig.journal.is_preallocated
        kernel.end()
        while rig.durable[-1] != 1_000:
            await trio.lowlevel.checkpoint()
        kernel.slow = False
        lane.tidy()
        rig.begin(1_001)  # which comes after it
        await lane.close()
    assert rig.journal.names[-2:] == ["give back thread", "write loop"]
    assert rig.durable[-1] == 1_001


async def test_space_that_cannot_be_given_back_ends_the_lane() -> None:
    rig = Rig(FakeJournal(fails={"give back"}))
    async with rig.running():
        await rig.write(1)
        rig.lane.tidy()
    assert rig.durable == [1]
    assert rig.failed == ["1: OSError: [Errno 5] input/output error"]


# --- checks of the directory ---------------------------------------------------------------


async def test_an_idle_lane_checks_its_directory_at_once_in_a_thread() -> None:
    rig = Rig()
    async with rig.running():
        rig.lane.check_soon()
        assert rig.lane.draining_since_ms is not None  # a disk that does not answer shows
        while rig.lane.draining_since_ms is not None:
            await trio.lowlevel.checkpoint()
        await rig.write(1)
        await rig.lane.close()
    assert rig.journal.names == ["check thread", "execute thread"]
    assert rig.durable == [1]


@pytest.mark.parametrize("sends", [True, False])
async def test_a_check_comes_before_the_next_write(kernel: FakeKernel, sends: bool) -> None:
    rig = Rig(FakeJournal(7), sends=sends)
    async with rig.running():
        await rig.fast()
        rig.submit(FIRST)
        rig.lane.check_soon()  # with the write, which its caller begins
        assert rig.journal.calls == []
        rig.journal.fails = {"check"}
        rig.lane.begin()
    assert rig.journal.names == ["check fails"]
    assert rig.durable[-1] == FIRST - 1
    assert len(rig.failed) == 1


async def test_a_check_during_a_write_comes_after_it() -> None:
    rig = Rig()
    async with rig.held():
        rig.lane.check_soon()
        rig.submit(2)
    assert rig.journal.names == ["execute thread", "check thread", "execute thread"]


async def test_after_a_failed_check_nothing_is_written() -> None:
    rig = Rig()
    async with rig.running():
        await rig.write(1)
        rig.journal.fails = {"check"}
        rig.lane.check_soon()
        rig.submit(2)
        await rig.lane.close()
        rig.lane.begin()
        rig.lane.check_soon()
    assert rig.journal.names == ["execute thread", "check fails"]
    assert rig.durable == [1]


async def test_an_idle_lane_is_checked_periodically(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async def aside(work: Any, *, limiter: object) -> Any:
        return work()

    rig = Rig(fast_syncs=False)
    rig.lane.run_in_thread = aside
    async with trio.open_nursery() as nursery:
        nursery.start_soon(rig.lane.run)
        nursery.start_soon(rig.lane.keep_checking, 1_000)
        await trio.sleep(10.5)
        assert rig.journal.names == ["check loop"] * 10
        await rig.lane.close()
        nursery.cancel_scope.cancel()
