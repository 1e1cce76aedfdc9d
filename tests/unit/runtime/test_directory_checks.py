"""The lane has its directory checked: in its order, never on the loop, and a failure ends it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing
from attrs import define, field, frozen

from metaquorum.base.limits import QUICK_SYNCS_IN_A_ROW
from metaquorum.runtime.disk.kernel_sync import KernelSync
from metaquorum.runtime.disk.log_lane import LogLane


@frozen
class Effect:
    ticket: int


@define(eq=False)
class Disk:
    """A journal that notes what is asked of it; ``is_gone`` makes a check fail."""

    asked: list[str] = field(factory=list)
    threads: set[int] = field(factory=set)
    is_gone: bool = False
    has_room: bool = False

    def execute(self, effects: Sequence[Any]) -> int:
        self.asked += [str(effect.ticket) for effect in effects]
        return int(effects[-1].ticket)

    def check(self) -> int:
        self.asked.append("check")
        self.threads.add(threading.get_ident())
        if self.is_gone:
            raise OSError("gone")
        return 0

    # What a writer has beside it

    def appends_to(self, effects: Sequence[Any]) -> int | None:
        return 7

    def write(self, effects: Sequence[Any]) -> None:
        raise AssertionError("written on the loop, past the check that was due")

    def synced(self, seconds: float, failed: OSError | None) -> int:
        raise AssertionError("nothing was left to the kernel")

    def grows_fast(self, is_so: bool) -> None:
        """No room is made."""

    def give_back_room(self) -> int:
        return 0


class Kernel:
    """One that must not be asked."""

    def begin(self, descriptor: int, counter: int) -> bool:
        raise AssertionError("a sync was left to the kernel")

    def close(self) -> None:
        """Nothing is held."""


@define(eq=False)
class Lane:
    disk: Disk = field(factory=Disk)
    durable: list[int] = field(factory=list)
    failed: list[str] = field(factory=list)
    lane: LogLane = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.lane = LogLane(
            self.disk,
            self.durable.append,
            lambda ticket, why: self.failed.append(why),
            own_thread=True,
            check_place=self.disk.check,
            clock=lambda: 0.0,
        )

    async def write(self, *tickets: int) -> None:
        before = self.lane.drains
        for ticket in tickets:
            self.lane.submit(Effect(ticket))
        self.lane.begin()
        while self.lane.drains == before and not self.failed:
            await trio.lowlevel.checkpoint()


async def until(lane: LogLane, *, busy: bool) -> None:
    while (lane.draining_since_ms is not None) != busy:
        await trio.lowlevel.checkpoint()


async def test_an_idle_lane_checks_at_once_and_not_on_the_loop() -> None:
    one = Lane()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.lane.run)
        await trio.testing.wait_all_tasks_blocked()
        one.lane.check_soon()
        assert one.lane.draining_since_ms is not None  # a disk that does not answer shows
        await until(one.lane, busy=False)
        await one.write(1)
        await one.lane.close()
    assert one.disk.asked == ["check", "1"]
    assert one.disk.threads.isdisjoint({threading.get_ident()})
    assert one.durable == [1]


@pytest.mark.parametrize("way", ["thread", "loop", "kernel"])
async def test_a_check_comes_before_the_next_write_whichever_way_it_goes(
    monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    one = Lane()
    if way == "loop":
        one.lane.sends_at = lambda ticket: True
    if way == "kernel":
        monkeypatch.setattr(KernelSync, "found", Kernel)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.lane.run)
        await trio.testing.wait_all_tasks_blocked()
        for ticket in range(1, QUICK_SYNCS_IN_A_ROW + 1):
            await one.write(ticket)
        if way == "kernel":
            one.lane.writer = one.disk
        one.lane.submit(Effect(100))
        one.lane.check_soon()  # it takes the write along, which is begun by whoever submitted it
        assert "check" not in one.disk.asked
        one.disk.is_gone = True
        one.lane.begin()
        await one.lane._idle.wait()
    assert one.disk.asked[-2:] == [str(QUICK_SYNCS_IN_A_ROW), "check"]
    assert one.disk.threads.isdisjoint({threading.get_ident()})
    assert one.durable[-1] == QUICK_SYNCS_IN_A_ROW
    assert one.failed == ["OSError: gone"]


async def test_a_check_during_a_write_waits_for_it_and_comes_before_the_next() -> None:
    one = Lane()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.lane.run)
        await trio.testing.wait_all_tasks_blocked()
        one.lane.submit(Effect(1))
        one.lane.begin()
        one.lane.check_soon()
        one.lane.submit(Effect(2))
        await one.lane.close()
    assert one.disk.asked == ["1", "check", "2"]


async def test_after_a_failed_check_nothing_is_written_or_told() -> None:
    one = Lane()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.lane.run)
        await trio.testing.wait_all_tasks_blocked()
        await one.write(1)
        one.disk.is_gone = True
        one.lane.check_soon()
        one.lane.submit(Effect(2))
        await one.lane._idle.wait()
        one.lane.begin()
        one.lane.check_soon()
    assert one.disk.asked == ["1", "check"]
    assert (one.durable, one.failed) == ([1], ["OSError: gone"])


async def test_a_check_is_made_so_often_on_an_idle_lane(
    autojump_clock: trio.testing.MockClock,
) -> None:
    disk = Disk()

    async def aside(work: Any, *, limiter: object) -> Any:
        return work()

    lane = LogLane(
        disk,
        lambda ticket: None,
        lambda ticket, why: None,
        run_aside=aside,
        check_place=disk.check,
    )
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lane.run)
        nursery.start_soon(lane.keep_checking, 1_000)
        await trio.sleep(10.5)
        assert disk.asked == ["check"] * 10
        await lane.close()
        nursery.cancel_scope.cancel()


async def test_a_lane_without_a_directory_checks_nothing(tmp_path: Path) -> None:
    lane = LogLane(Disk(), lambda ticket: None, lambda ticket, why: None)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lane.run)
        await trio.testing.wait_all_tasks_blocked()
        lane.check_soon()
        assert lane.draining_since_ms is None
        await lane.close()
