"""Refused requests of peers: each is a line or counted in one, and the count comes by itself."""

from __future__ import annotations

import re

import trio
import trio.testing

from metaquorum.base.limits import CLOSE_NOTES_PER_SECOND
from metaquorum.node.notices import Notices
from metaquorum.observe.events import EventLog
from metaquorum.quorum.effects import Complaint
from metaquorum.runtime.loop.clock import TrioClock

LEFT_OUT = re.compile(r'why="(\d+) more lines of this kind were left out"')


def accounted(lines: list[str], event: str) -> int:
    """How many refusals the lines of one event stand for."""
    total = 0
    for line in lines:
        if f" {event} " in line:
            folded = LEFT_OUT.search(line)
            total += int(folded[1]) if folded else 1
    return total


async def test_what_was_left_out_is_told_though_nothing_else_happens(
    autojump_clock: trio.testing.MockClock, nursery: trio.Nursery
) -> None:
    lines: list[str] = []
    notices = Notices(7, EventLog(lines.append, lambda: 0), TrioClock())
    nursery.start_soon(notices.run)
    for seconds, count in ((0.3, 25), (0.9, 40), (0.1, 1), (5.0, 3)):
        for number in range(count):
            notices(Complaint(f"lie {number}"))
        await trio.sleep(seconds)
    await trio.sleep(3)
    assert accounted(lines, "peer-mistake") == 25 + 40 + 1 + 3
    assert len(lines) < 5 * (CLOSE_NOTES_PER_SECOND + 1)


async def test_many_ordinary_refusals_hide_no_mistake(
    autojump_clock: trio.testing.MockClock, nursery: trio.Nursery
) -> None:
    lines: list[str] = []
    notices = Notices(7, EventLog(lines.append, lambda: 0), TrioClock())
    nursery.start_soon(notices.run)
    for _ in range(500):
        notices(Complaint("an old epoch", mistake=False))
    notices(Complaint("a second leader"))
    assert lines[-1].endswith('warn peer-mistake node=7 why="a second leader"')
    await trio.sleep(3)
    assert accounted(lines, "peer-refused") == 500
    assert accounted(lines, "peer-mistake") == 1


async def test_nothing_is_told_of_a_quiet_time(
    autojump_clock: trio.testing.MockClock, nursery: trio.Nursery
) -> None:
    lines: list[str] = []
    notices = Notices(7, EventLog(lines.append, lambda: 0), TrioClock())
    nursery.start_soon(notices.run)
    notices(Complaint("one"))
    await trio.sleep(60)
    assert len(lines) == 1
