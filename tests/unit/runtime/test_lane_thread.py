"""The lane's thread runs what it is given, one thing at a time, and is gone afterwards."""

from __future__ import annotations

import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing

from metaquorum.base.errors import HouseError
from metaquorum.runtime.disk.lane_thread import LaneThread, Unsynced
from metaquorum.runtime.disk.log_lane import LogLane
from metaquorum.runtime.loop.lookout import Hear, WaitingTasks

SIGNALS = 300  # some of them meet it while it waits


async def end_of_one(thread: LaneThread) -> Any:
    """What the work that was begun, or will be, comes to."""
    ends: list[Any] = []

    def tell(result: Any, error: OSError | None) -> bool:
        ends.append(result if error is None else error)
        return False

    await thread.ends(tell)
    (end,) = ends
    return end


async def test_a_call_runs_aside_and_gives_back_what_it_returns_or_raises() -> None:
    def divided(by: int) -> tuple[float, str]:
        return 12 / by, threading.current_thread().name

    def broken() -> None:
        raise OSError(5, "input/output error")

    with LaneThread() as thread:
        thread.begin(lambda: divided(3))
        assert await end_of_one(thread) == (4.0, "log-lane")
        thread.begin(lambda: divided(0))
        with pytest.raises(ZeroDivisionError):
            await end_of_one(thread)
        thread.begin(broken)
        assert isinstance(await end_of_one(thread), OSError)
        thread.begin(lambda: divided(4))
        assert await end_of_one(thread) == (3.0, "log-lane")


async def test_who_is_told_of_an_end_may_begin_the_next_and_hears_of_that_too() -> None:
    told: list[int] = []

    def tell(result: int, error: OSError | None) -> bool:
        told.append(result)
        if result < 3:
            thread.begin(lambda: result + 1)
        return result < 3

    with LaneThread() as thread:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(thread.ends, tell)
            await trio.testing.wait_all_tasks_blocked()
            thread.begin(lambda: 1)
    assert told == [1, 2, 3]


async def test_a_call_for_nothing_is_no_end() -> None:
    """Who heeds a descriptor may be called once too often when its number has a new owner."""
    hears: list[Hear] = []

    class Hasty(WaitingTasks):
        async def heed(self, descriptor: int, hear: Hear) -> None:
            hears.append(hear)
            await super().heed(descriptor, hear)

    with LaneThread(Hasty()) as thread:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(thread.ends, lambda result, error: False)
            await trio.testing.wait_all_tasks_blocked()
            assert hears[0]()  # and does not wait for a word that nobody says
            thread.begin(lambda: 1)


async def test_a_cancelled_caller_waits_until_what_it_began_has_ended() -> None:
    began, go_on = threading.Event(), threading.Event()
    ended: list[str] = []

    def slow() -> None:
        began.set()
        assert go_on.wait(10)
        ended.append("slow")

    with LaneThread() as thread:
        async with trio.open_nursery() as nursery:
            thread.begin(slow)
            nursery.start_soon(thread.ends, lambda result, error: True)
            await trio.to_thread.run_sync(began.wait)
            nursery.cancel_scope.cancel()
            with trio.CancelScope(shield=True):
                await trio.testing.wait_all_tasks_blocked()
                assert not ended
                go_on.set()
        assert ended == ["slow"]


async def test_it_does_one_thing_at_a_time() -> None:
    go_on = threading.Event()
    with LaneThread() as thread:
        thread.begin(lambda: go_on.wait(10))
        with pytest.raises(HouseError, match="one thing at a time"):
            thread.begin(go_on.is_set)
        go_on.set()
        await end_of_one(thread)


async def test_the_thread_ends_with_the_lane_and_its_queue_is_done_before() -> None:
    names: list[str] = []

    class Effect:
        ticket = 1

    class Journal:
        def execute(self, effects: object) -> int:
            names.append(threading.current_thread().name)
            return 1

    before = threading.active_count()
    lane = LogLane(Journal(), lambda ticket: None, lambda ticket, why: None, own_thread=True)
    lane.submit(Effect())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lane.run)
        await lane.close()
    assert names == ["log-lane"]
    assert threading.active_count() == before


async def test_a_signal_that_meets_the_thread_is_none_of_its_business() -> None:
    """``os.eventfd_read`` is not called again when a signal ends it, unlike most of ``os``."""
    before = signal.signal(signal.SIGUSR1, lambda number, frame: None)
    try:
        with LaneThread() as thread:
            thread.begin(threading.get_native_id)
            number = await end_of_one(thread)
            (lane,) = (one for one in threading.enumerate() if one.native_id == number)
            assert lane.ident is not None
            for _ in range(SIGNALS):
                signal.pthread_kill(lane.ident, signal.SIGUSR1)
                thread.begin(lane.is_alive)
                with trio.fail_after(10):
                    assert await end_of_one(thread)
    finally:
        signal.signal(signal.SIGUSR1, before)


class TakenAside:
    """A kernel that ends a sync when it is told to, and how."""

    def __init__(self, *, takes: bool = True) -> None:
        self.takes = takes
        self.begun: list[int] = []
        self.counter = -1
        self.error: OSError | None = None
        self.is_over = False

    def begin(self, descriptor: int, counter: int) -> bool:
        self.begun.append(descriptor)
        self.counter = counter
        return self.takes

    def has_ended(self) -> bool:
        if self.is_over and self.error is not None:
            raise self.error
        return self.is_over

    def end(self, error: OSError | None = None) -> None:
        self.error, self.is_over = error, True
        os.write(self.counter, (1).to_bytes(8, sys.byteorder))

    def close(self) -> None:
        """Nothing is held."""


def _unsynced(file: Path, heard: list[OSError | None]) -> Unsynced:
    file.touch()
    descriptor = os.open(file, os.O_RDWR)

    def ended(failed: OSError | None) -> str:
        heard.append(failed)
        os.close(descriptor)
        if failed is not None:
            raise OSError("it is lost") from failed
        return "synced"

    return Unsynced(descriptor, ended)


@pytest.mark.parametrize("here", [True, False])
async def test_what_is_left_unsynced_is_synced_by_the_kernel_there_is(
    tmp_path: Path, here: bool
) -> None:
    heard: list[OSError | None] = []
    with LaneThread() as thread:
        for number in range(3):
            left = _unsynced(tmp_path / f"{number}", heard)
            thread.begin(lambda left=left: left, here=here)  # type: ignore[misc]
            with trio.fail_after(10):
                assert await end_of_one(thread) == "synced"
    assert heard == [None] * 3


async def test_the_end_of_a_sync_is_heard_once_the_kernel_says_so(tmp_path: Path) -> None:
    heard: list[OSError | None] = []
    told: list[Any] = []
    kernel = TakenAside()
    with LaneThread() as thread:
        thread._kernel = kernel  # type: ignore[assignment]
        left = _unsynced(tmp_path / "file", heard)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(thread.ends, lambda result, error: bool(told.append(result)))
            thread.begin(lambda: left, here=True)
            await trio.testing.wait_all_tasks_blocked()
            assert (kernel.begun, told) == ([left.descriptor], [])
            with pytest.raises(HouseError, match="one thing at a time"):
                thread.begin(lambda: None)
            kernel.end()
    assert (heard, told) == ([None], ["synced"])


async def test_a_sync_that_failed_is_told_as_what_came_of_it(tmp_path: Path) -> None:
    heard: list[OSError | None] = []
    kernel = TakenAside()
    with LaneThread() as thread:
        thread._kernel = kernel  # type: ignore[assignment]
        left = _unsynced(tmp_path / "file", heard)
        thread.begin(lambda: left, here=True)
        failure = OSError(5, "input/output error")
        kernel.end(failure)
        error = await end_of_one(thread)
    assert heard == [failure]
    assert isinstance(error, OSError)
    assert str(error) == "it is lost"


@pytest.mark.parametrize("kernel", [None, TakenAside(takes=False)])
async def test_what_the_kernel_does_not_take_is_synced_where_it_was_written(
    tmp_path: Path, kernel: TakenAside | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[OSError | None] = []
    synced: list[int] = []
    monkeypatch.setattr(os, "fdatasync", synced.append)
    with LaneThread() as thread:
        thread._kernel = kernel  # type: ignore[assignment]
        assert thread.leaves_syncs == (kernel is not None)
        left = _unsynced(tmp_path / "file", heard)
        thread.begin(lambda: left, here=True)
        assert await end_of_one(thread) == "synced"
    assert (heard, synced) == ([None], [left.descriptor])


async def test_who_is_cancelled_while_the_kernel_syncs_waits_for_it(tmp_path: Path) -> None:
    kernel = TakenAside()
    order: list[str] = []
    with LaneThread() as thread:
        thread._kernel = kernel  # type: ignore[assignment]
        thread.begin(lambda: _unsynced(tmp_path / "file", []), here=True)
        async with trio.open_nursery() as nursery:

            async def waits() -> None:
                try:
                    await thread.ends(lambda result, error: True)
                finally:
                    order.append("left")

            nursery.start_soon(waits)
            await trio.testing.wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
            with trio.CancelScope(shield=True):
                await trio.testing.wait_all_tasks_blocked()
            order.append("ended")
            kernel.end()
    assert order == ["ended", "left"]
