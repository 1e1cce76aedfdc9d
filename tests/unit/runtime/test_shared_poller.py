"""One wait for descriptors, alarms and trio: who waits is called, and nobody of trio's is late."""

from __future__ import annotations

import os
import select
import signal
import socket
from collections.abc import Iterator
from math import inf
from typing import Any

import pytest
import trio
import trio.testing
from attrs import define, field

from metaquorum.base.limits import TICKS_BEFORE_TIMERS
from metaquorum.runtime.loop.poller import TaskPoller
from metaquorum.runtime.loop.shared_poller import SharedPoller, TriosLoop, poller_of_process
from metaquorum.runtime.loop.timer import Timer

TRIOS = 1_000  # the descriptor of trio's loop where there is none


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        yield ours, theirs


def real() -> SharedPoller:
    found = poller_of_process()
    assert isinstance(found, SharedPoller)
    return found


async def test_this_release_of_trio_tells_what_has_to_be_known() -> None:
    loop = TriosLoop.here()
    assert loop is not None
    assert loop.next_deadline() == inf
    with trio.CancelScope(deadline=trio.current_time() + 60) as scope:
        assert loop.next_deadline() == scope.deadline
    assert abs(loop.time() - trio.current_time()) < 60
    assert os.readlink(f"/proc/self/fd/{loop.descriptor}") == "anon_inode:[eventpoll]"


async def test_where_time_is_not_the_machines_everybody_waits_in_a_task(mock_clock: Any) -> None:
    assert TriosLoop.here() is None
    assert isinstance(poller_of_process(), TaskPoller)


async def test_where_trio_keeps_it_elsewhere_everybody_waits_in_a_task(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr("trio._core._run.SystemClock")
    assert TriosLoop.here() is None


async def test_who_watches_is_called_without_a_turn_of_trio(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    ours, theirs = pair
    one, turns, heard = real(), [], []

    def on_readable() -> bool:
        heard.append(ours.recv(1))
        turns.append(one.trio_steps)
        theirs.send(b"x")
        return len(heard) < 100

    theirs.send(b"x")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.run)
        await one.watch_fd(ours.fileno(), on_readable)
        nursery.cancel_scope.cancel()
    assert len(heard) == 100
    assert len(set(turns)) == 1


async def test_what_is_raised_there_is_raised_where_it_is_watched(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    ours, theirs = pair
    one = real()

    def on_readable() -> bool:
        raise ValueError("this is what it said")

    theirs.send(b"x")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.run)
        with pytest.raises(ValueError, match="what it said"):
            await one.watch_fd(ours.fileno(), on_readable)
        ours.recv(1)
        theirs.send(b"y")
        await one.watch_fd(ours.fileno(), lambda: False)  # another may watch it afterwards
        nursery.cancel_scope.cancel()


async def test_who_was_cancelled_is_not_called_any_more(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    ours, theirs = pair
    one, heard = real(), []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.run)
        with trio.move_on_after(0):
            await one.watch_fd(ours.fileno(), lambda: bool(heard.append(1)) or True)
        theirs.send(b"x")
        for _ in range(5):
            await trio.lowlevel.checkpoint()
        nursery.cancel_scope.cancel()
    assert heard == []


async def test_who_comes_when_it_has_ended_waits_until_cancelled(
    pair: tuple[socket.socket, socket.socket],
) -> None:
    """A node's tasks end in any order, and one may be about to listen once more."""
    one = real()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.run)
        for _ in range(3):
            await trio.lowlevel.checkpoint()
        nursery.cancel_scope.cancel()
    with trio.move_on_after(0) as scope:
        await one.watch_fd(pair[0].fileno(), lambda: False)
    assert scope.cancelled_caught


async def test_tasks_threads_signals_and_the_clock_of_trios_end_the_wait() -> None:
    one = real()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.run)
        for _ in range(3):
            await trio.lowlevel.checkpoint()
        assert await trio.to_thread.run_sync(lambda: 42) == 42
        with trio.open_signal_receiver(signal.SIGUSR1) as signals:
            os.kill(os.getpid(), signal.SIGUSR1)
            async for number in signals:
                assert number == signal.SIGUSR1
                break
        with trio.move_on_after(0.001) as scope:
            await trio.sleep_forever()
        assert scope.cancelled_caught
        left, right = socket.socketpair()
        with left, right:
            left.send(b"x")
            await trio.lowlevel.wait_readable(right)
        done = trio.Event()

        async def other() -> None:
            done.set()

        nursery.start_soon(other)
        await done.wait()
        nursery.cancel_scope.cancel()


@define
class Script:
    """A clock and an epoll: each poll takes as long as it may unless something is to come."""

    now_s: float = 100.0
    trios_deadline: float = inf
    comes: list[tuple[float, int]] = field(factory=list)
    rests: list[float] = field(factory=list)

    def poll(self, rest_s: float) -> list[tuple[int, int]]:
        self.rests.append(rest_s)
        ends = self.now_s + rest_s
        if self.comes and self.comes[0][0] <= ends:
            at, descriptor = self.comes.pop(0)
            self.now_s = max(self.now_s, at)
            return [(descriptor, select.EPOLLIN)]
        self.now_s = ends
        return []

    def register(self, descriptor: int, events: int) -> None:
        """What it tells of is in the script."""

    def unregister(self, descriptor: int) -> None:
        """As little."""

    def one_wait(self) -> SharedPoller:
        loop = TriosLoop(TRIOS, lambda: self.trios_deadline, lambda: self.now_s)
        poll: Any = self
        return SharedPoller(loop, poll)


async def test_it_rests_until_the_next_alarm_rings_it_and_goes_on() -> None:
    script = Script(comes=[(100.030, TRIOS)])
    due, fired = [100_010], []

    def fire() -> None:
        fired.append(round(script.now_s * 1_000))
        due[0] += 15

    one = script.one_wait()
    timer = Timer(lambda: due[0], fire)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.watch_timer, timer)
        await trio.testing.wait_all_tasks_blocked()
        one._hold(set())
        nursery.cancel_scope.cancel()
    assert fired == [100_010, 100_025]
    assert [round(rest * 1_000) for rest in script.rests] == [10, 15, 15]


async def test_a_timer_moved_during_a_callback_counts_before_the_next_wait() -> None:
    script = Script(comes=[(100.002, 7), (100.030, TRIOS)])
    due, fired = [100_020], []

    def fire() -> None:
        fired.append(round(script.now_s * 1_000))
        due[0] = 200_000

    one = script.one_wait()
    timer = Timer(lambda: due[0], fire)

    def on_readable() -> bool:
        due[0] = 100_004
        timer.reschedule()
        return True

    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.watch_timer, timer)
        nursery.start_soon(one.watch_fd, 7, on_readable)
        await trio.testing.wait_all_tasks_blocked()
        one._hold(set())
        nursery.cancel_scope.cancel()
    assert fired == [100_004]


async def test_trios_clock_and_trios_tasks_end_it() -> None:
    script = Script(trios_deadline=100.005)
    script.one_wait()._hold(set())
    assert [round(rest * 1_000) for rest in script.rests] == [5, 0]
    runnable: Any = {"a task"}
    script = Script()
    script.one_wait()._hold(runnable)
    assert script.rests == [0.0]


async def test_a_timer_gives_way_to_tasks_but_descriptors_do_not() -> None:
    script = Script(comes=[(100.0, 7)] * 10)
    fired, read = [], []
    one = script.one_wait()
    timer = Timer(lambda: 100_000, lambda: fired.append(len(read)))

    def on_readable() -> bool:
        read.append(7)
        return True

    runnable: Any = {"a task"}
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.watch_timer, timer)
        nursery.start_soon(one.watch_fd, 7, on_readable)
        await trio.testing.wait_all_tasks_blocked()
        for _ in range(2 * (TICKS_BEFORE_TIMERS + 1)):
            one._hold(runnable)
        nursery.cancel_scope.cancel()
    assert fired == [TICKS_BEFORE_TIMERS, 2 * TICKS_BEFORE_TIMERS + 1]
    assert len(read) == 2 * (TICKS_BEFORE_TIMERS + 1)
