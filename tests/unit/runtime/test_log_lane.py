"""The lane keeps the order, merges what queued, and never tries a failed disk twice."""

import os
import sys
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio
import trio.testing
from attrs import frozen

from metaquorum.base.clock import NEVER
from metaquorum.base.errors import HouseError
from metaquorum.base.limits import (
    FAST_WRITES_IN_A_ROW,
    FAST_WRITES_PAUSE_MS,
    QUICK_SYNC_US,
    QUICK_SYNCS_IN_A_ROW,
)
from metaquorum.quorum.effects import SaveElection
from metaquorum.quorum.types import ElectionState
from metaquorum.runtime.disk.kernel_sync import KernelSync
from metaquorum.runtime.disk.log_lane import LogLane


@frozen
class Effect:
    ticket: int


class SlowJournal:
    """A journal whose first call waits until it is let go."""

    def __init__(self) -> None:
        self.calls: list[list[int]] = []
        self.started = threading.Event()
        self.go_on = threading.Event()

    def execute(self, effects):
        self.calls.append([effect.ticket for effect in effects])
        if len(self.calls) == 1:
            self.started.set()
            self.go_on.wait(10)
        return effects[-1].ticket


class BrokenJournal:
    calls = 0

    def execute(self, effects):
        self.calls += 1
        raise OSError(5, "input/output error")


async def test_what_queues_during_a_sync_goes_to_the_disk_as_one():
    journal = SlowJournal()
    durable: list[int] = []
    lane = LogLane(journal, durable.append, lambda ticket, why: None)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lane.run)
        lane.submit(Effect(1))
        await trio.testing.wait_all_tasks_blocked()
        lane.begin()
        await trio.to_thread.run_sync(journal.started.wait)
        for ticket in (2, 3, 4):
            lane.submit(Effect(ticket))
        journal.go_on.set()
        await lane.close()
    assert journal.calls == [[1], [2, 3, 4]]
    assert durable == [1, 4]
    assert lane.statistics() == {"queued": 0, "drains": 2, "effects": 4, "last_ticket": 4}


async def test_a_vote_is_reported_before_the_log_behind_it_is_synced():
    journal = SlowJournal()
    durable: list[int] = []
    lane = LogLane(journal, durable.append, lambda ticket, why: None)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lane.run)
        lane.submit(Effect(1))
        await trio.testing.wait_all_tasks_blocked()
        lane.begin()
        await trio.to_thread.run_sync(journal.started.wait)
        for ticket in (2, 3):
            lane.submit(Effect(ticket))
        for ticket in (4, 5):
            lane.submit(SaveElection(ticket, ElectionState(ticket)))
        lane.submit(Effect(6))
        journal.go_on.set()
        await lane.close()
    assert journal.calls == [[1], [2, 3], [4, 5], [6]]
    assert durable == [1, 3, 5, 6]


async def test_a_failed_disk_is_reported_once_and_never_tried_again():
    journal = BrokenJournal()
    failed: list[tuple[int, str]] = []
    lane = LogLane(journal, lambda ticket: None, lambda ticket, why: failed.append((ticket, why)))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lane.run)
        lane.submit(Effect(1))
        lane.submit(Effect(2))
        await lane._idle.wait()
    assert journal.calls == 1
    assert failed[0][0] == 1 and "input/output error" in failed[0][1]


async def test_tickets_out_of_order_are_our_own_fault():
    lane = LogLane(BrokenJournal(), lambda ticket: None, lambda ticket, why: None)
    lane.submit(Effect(2))
    with pytest.raises(HouseError):
        lane.submit(Effect(2))


async def test_what_is_submitted_while_an_idle_lane_closes_still_reaches_the_disk():
    journal = SlowJournal()
    journal.go_on.set()
    durable: list[int] = []
    lane = LogLane(journal, durable.append, lambda ticket, why: None)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lane.run)
        await trio.testing.wait_all_tasks_blocked()
        nursery.start_soon(lane.close)
        while not lane._closing:
            await trio.lowlevel.checkpoint()
        lane.submit(Effect(1))
        lane.begin()
    assert (journal.calls, durable) == ([[1]], [1])


class TimedJournal:
    """Notes the thread that each batch was written by; a batch takes ``seconds``."""

    def __init__(self) -> None:
        self.threads: list[int] = []
        self.seconds = 0.0
        self.now = 0.0

    def execute(self, effects: Sequence[Any]) -> int:
        self.threads.append(threading.get_ident())
        self.now += self.seconds
        return int(effects[-1].ticket)


async def drained(lane: LogLane, ticket: int) -> None:
    """One more batch, written, synced and told."""
    before = lane.drains
    lane.submit(Effect(ticket))
    lane.begin()
    while lane.drains == before:
        await trio.lowlevel.checkpoint()


@asynccontextmanager
async def running(lane: LogLane, *, writes: int = 0) -> AsyncIterator[None]:
    """A lane at work that has done so many batches, of the tickets from 1 on."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lane.run)
        await trio.testing.wait_all_tasks_blocked()
        for ticket in range(1, writes + 1):
            await drained(lane, ticket)
        yield


@pytest.mark.parametrize("sends", [True, False])
async def test_a_request_to_a_peer_is_synced_for_on_the_loop(sends: bool) -> None:
    journal, told = TimedJournal(), list[int]()
    lane = LogLane(
        journal,
        told.append,
        lambda ticket, why: None,
        own_thread=True,
        sends_at=lambda ticket: sends,
        clock=lambda: journal.now,
    )
    loop = threading.get_ident()
    slow = 2 * QUICK_SYNC_US / 1e6
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lane.run)
        await trio.testing.wait_all_tasks_blocked()
        tickets = iter(range(1, 100))
        for journal.seconds in [0.0] * (QUICK_SYNCS_IN_A_ROW + 2) + [slow, 0.0]:
            await drained(lane, next(tickets))
        await lane.close()
    by_loop = [thread == loop for thread in journal.threads]
    quick = [False] * QUICK_SYNCS_IN_A_ROW + [sends] * 2
    # The slow one was begun on the loop, as nobody knew, and the next is not.
    assert by_loop == [*quick, sends, False]
    assert told == list(range(1, len(by_loop) + 1))


async def test_what_is_synced_on_the_loop_is_reported_before_begin_returns() -> None:
    told: list[int] = []
    lane = LogLane(
        TimedJournal(),
        told.append,
        lambda ticket, why: None,
        own_thread=True,
        sends_at=lambda ticket: True,
        clock=lambda: 0.0,
    )
    async with running(lane, writes=QUICK_SYNCS_IN_A_ROW):
        lane.submit(Effect(100))
        lane.begin()
        assert told[-1] == 100
        await lane.close()


async def test_what_fails_on_the_loop_ends_the_lane_as_elsewhere() -> None:
    class Broken(TimedJournal):
        def execute(self, effects: Sequence[Any]) -> int:
            if effects[-1].ticket > QUICK_SYNCS_IN_A_ROW:
                raise OSError("no")
            return super().execute(effects)

    failed: list[int] = []
    lane = LogLane(
        Broken(),
        lambda ticket: None,
        lambda ticket, why: failed.append(ticket),
        own_thread=True,
        sends_at=lambda ticket: True,
        clock=lambda: 0.0,
    )
    async with running(lane, writes=QUICK_SYNCS_IN_A_ROW):
        lane.submit(Effect(QUICK_SYNCS_IN_A_ROW + 1))
        lane.begin()
    assert failed == [QUICK_SYNCS_IN_A_ROW + 1]


class TimedWriter(TimedJournal):
    """One that can also leave a sync to somebody else, which takes ``seconds`` as well."""

    def __init__(self, descriptor: int | None) -> None:
        super().__init__()
        self.descriptor = descriptor
        self.written: list[int] = []
        self.failures: list[OSError | None] = []
        self.fast: list[bool] = []
        self.has_room = False
        self.fails = False

    def appends_to(self, effects: Sequence[Any]) -> int | None:
        return self.descriptor

    def write(self, effects: Sequence[Any]) -> None:
        assert threading.current_thread() is threading.main_thread()
        self.written.append(effects[-1].ticket)
        self.now += self.seconds

    def grows_fast(self, is_so: bool) -> None:
        self.fast.append(is_so)
        self.has_room = self.has_room or is_so

    def give_back_room(self) -> int:
        if self.fails:
            raise OSError("no")
        self.has_room = False
        return self.written[-1] if self.written else 0

    def synced(self, seconds: float, failed: OSError | None) -> int:
        assert seconds == self.seconds
        self.failures.append(failed)
        if failed is not None:
            raise failed
        return self.written[-1]


class Syncs:
    """A kernel that has synced what it is given before anybody asks."""

    def __init__(self) -> None:
        self.error: OSError | None = None
        self.begun = 0

    def begin(self, descriptor: int, counter: int) -> bool:
        self.begun += 1
        os.write(counter, (1).to_bytes(8, sys.byteorder))
        return True

    def has_ended(self) -> bool:
        if self.error is not None:
            raise self.error
        return True

    def close(self) -> None:
        """Nothing is held."""


def written_lane(
    monkeypatch: pytest.MonkeyPatch, writer: TimedWriter, *, sends: bool = False
) -> tuple[LogLane, Syncs, list[int], list[str]]:
    """A lane with such a writer and such a kernel, what was durable and what failed."""
    kernel, durable, failed = Syncs(), list[int](), list[str]()
    monkeypatch.setattr(KernelSync, "found", lambda: kernel)
    lane = LogLane(
        writer,
        durable.append,
        lambda ticket, why: failed.append(f"{ticket}: {why}"),
        own_thread=True,
        writer=writer,
        sends_at=lambda ticket: sends,
        clock=lambda: writer.now,
    )
    return lane, kernel, durable, failed


async def test_the_kernel_syncs_appends_while_the_disk_is_quick(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    writer = TimedWriter(7)
    lane, kernel, durable, _ = written_lane(monkeypatch, writer)
    slow = 2 * QUICK_SYNC_US / 1e6
    async with running(lane):
        tickets = iter(range(1, 100))
        for writer.seconds in [0.0] * (QUICK_SYNCS_IN_A_ROW + 2) + [slow, 0.0]:
            await drained(lane, next(tickets))
        await lane.close()
    first, last = QUICK_SYNCS_IN_A_ROW + 1, QUICK_SYNCS_IN_A_ROW + 4
    assert writer.written == [first, first + 1, first + 2]  # the slow one, as nobody knew
    assert writer.failures == [None] * 3
    assert kernel.begun == 3
    assert durable == list(range(1, last + 1))
    assert threading.main_thread().ident not in writer.threads
    assert len(writer.threads) == QUICK_SYNCS_IN_A_ROW + 1


@pytest.mark.parametrize(("descriptor", "sends"), [(None, False), (7, True)])
async def test_the_kernel_syncs_appends_only_and_none_before_a_request(
    monkeypatch: pytest.MonkeyPatch, descriptor: int | None, sends: bool
) -> None:
    writer = TimedWriter(descriptor)
    lane, kernel, durable, _ = written_lane(monkeypatch, writer, sends=sends)
    async with running(lane, writes=QUICK_SYNCS_IN_A_ROW + 2):
        await lane.close()
    assert (writer.written, kernel.begun) == ([], 0)
    assert durable == list(range(1, QUICK_SYNCS_IN_A_ROW + 3))


async def test_a_sync_of_the_kernels_that_fails_ends_the_lane(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    writer = TimedWriter(7)
    lane, kernel, durable, failed = written_lane(monkeypatch, writer)
    async with running(lane, writes=QUICK_SYNCS_IN_A_ROW):
        kernel.error = OSError("no")
        lane.submit(Effect(QUICK_SYNCS_IN_A_ROW + 1))
        lane.begin()
    assert failed == [f"{QUICK_SYNCS_IN_A_ROW + 1}: OSError: no"]
    assert durable == list(range(1, QUICK_SYNCS_IN_A_ROW + 1))


async def test_what_comes_while_the_kernel_syncs_waits_for_its_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    writer = TimedWriter(7)
    lane, kernel, durable, _ = written_lane(monkeypatch, writer)
    async with running(lane, writes=QUICK_SYNCS_IN_A_ROW):
        first = QUICK_SYNCS_IN_A_ROW + 1
        for ticket in range(first, first + 4):
            lane.submit(Effect(ticket))
            lane.begin()
        assert writer.written == [first]
        await lane.close()
    assert writer.written == [first, first + 3]
    assert kernel.begun == 2
    assert durable[-2:] == [first, first + 3]


async def test_a_log_that_grows_fast_has_room_until_a_pause(
    monkeypatch: pytest.MonkeyPatch, mock_clock: trio.testing.MockClock
) -> None:
    writer = TimedWriter(7)
    lane, _, durable, _ = written_lane(monkeypatch, writer)
    async with running(lane):
        for ticket in range(1, FAST_WRITES_IN_A_ROW + 2):
            assert (lane.tidy_at_ms == NEVER) == (ticket <= FAST_WRITES_IN_A_ROW)
            await drained(lane, ticket)
        assert writer.fast == [False] * (FAST_WRITES_IN_A_ROW - 1) + [True, True]
        assert lane.tidy_at_ms == lane.now_ms() + FAST_WRITES_PAUSE_MS + 1
        lane.submit(Effect(1_000))
        lane.begin()
        assert lane.tidy_at_ms == NEVER  # while the disk works
        lane.tidy()
        while durable[-1] != 1_000:
            await trio.lowlevel.checkpoint()
        assert writer.has_room
        lane.tidy()
        lane.submit(Effect(1_001))
        lane.begin()  # which waits its turn
        while writer.has_room:
            await trio.lowlevel.checkpoint()
        assert durable[-1] == 1_000
        await lane.close()
    assert durable[-1] == 1_001


async def test_room_that_cannot_be_given_back_ends_the_lane(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    writer = TimedWriter(None)
    writer.has_room = writer.fails = True
    lane, _, durable, failed = written_lane(monkeypatch, writer)
    async with running(lane, writes=1):
        lane.tidy()
    assert (durable, failed) == ([1], ["1: OSError: no"])


async def test_a_lane_without_a_writer_has_nothing_to_tidy() -> None:
    journal = TimedJournal()
    lane = LogLane(journal, lambda ticket: None, lambda ticket, why: None, own_thread=True)
    async with running(lane, writes=FAST_WRITES_IN_A_ROW + 1):
        assert lane.tidy_at_ms == NEVER
        lane.tidy()
        await lane.close()
    assert len(journal.threads) == FAST_WRITES_IN_A_ROW + 1
