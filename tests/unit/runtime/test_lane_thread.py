"""The lane's thread runs what it is given, one thing at a time, and is gone afterwards."""

from __future__ import annotations

import signal
import threading

import pytest
import trio
import trio.testing

from metaquorum.base.errors import HouseError
from metaquorum.runtime.lane_thread import LaneThread
from metaquorum.runtime.log_lane import LogLane

SIGNALS = 300  # some of them meet it while it waits


async def test_a_call_runs_aside_and_gives_back_what_it_returns_or_raises() -> None:
    def divided(by: int) -> tuple[float, str]:
        return 12 / by, threading.current_thread().name

    with LaneThread() as thread:
        thread.begin(lambda: divided(3))
        assert await thread.ended() == (4.0, "log-lane")
        thread.begin(lambda: divided(0))
        with pytest.raises(ZeroDivisionError):
            await thread.ended()
        thread.begin(lambda: divided(4))
        assert await thread.ended() == (3.0, "log-lane")


async def test_somebody_else_may_begin_what_a_task_waits_for() -> None:
    told: list[str] = []

    async def wait() -> None:
        told.append(await thread.ended())

    with LaneThread() as thread:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(wait)
            await trio.testing.wait_all_tasks_blocked()
            thread.begin(lambda: "done")
    assert told == ["done"]


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
            nursery.start_soon(thread.ended)
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
        await thread.ended()


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
            number = await thread.ended()
            (lane,) = (one for one in threading.enumerate() if one.native_id == number)
            assert lane.ident is not None
            for _ in range(SIGNALS):
                signal.pthread_kill(lane.ident, signal.SIGUSR1)
                thread.begin(lane.is_alive)
                with trio.fail_after(10):
                    assert await thread.ended()
    finally:
        signal.signal(signal.SIGUSR1, before)
