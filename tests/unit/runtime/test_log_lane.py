"""The lane keeps the order, merges what queued, and never tries a failed disk twice."""

import threading

import pytest
import trio
import trio.testing
from attrs import frozen

from metaquorum.base.errors import HouseError
from metaquorum.quorum.effects import SaveElection
from metaquorum.quorum.types import ElectionState
from metaquorum.runtime.log_lane import LogLane


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
