"""What a node tells its service manager, and when: in virtual time."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace
from typing import cast

import pytest
import trio
import trio.testing
from attrs import define, field

from metaquorum.node.service_reports import START_EXTENSION_MS, ServiceReports, role_text
from metaquorum.observe.events import EventLog
from metaquorum.observe.health import Health
from metaquorum.quorum.summary import Summary
from metaquorum.runtime.loop.clock import TrioClock
from metaquorum.runtime.loop.service_manager import ServiceManager

EXTENSION = f"EXTEND_TIMEOUT_USEC={START_EXTENSION_MS * 1_000}"
WATCHDOG_MS = 20_000


@define(eq=False)
class Inbox:
    """A service manager that keeps what it is told, with the second in which it came."""

    watchdog_ms: int | None = None
    takes: bool = True
    why_not: str = "nobody is there"
    kept: list[tuple[float, str]] = field(factory=list)

    def send(self, *assignments: str) -> bool:
        if self.takes:
            self.kept += [(trio.current_time(), one) for one in assignments]
        return self.takes

    def times(self, assignment: str) -> list[float]:
        return [time for time, one in self.kept if one == assignment]

    def statuses(self) -> list[str]:
        return [one.partition("=")[2] for _, one in self.kept if one.startswith("STATUS=")]


@define(eq=False)
class Situation:
    """A node whose health and role the test decides."""

    inbox: Inbox = field(factory=Inbox)
    lines: list[str] = field(factory=list)
    stuck: str | None = None
    unready: str | None = "no leader is known"
    summary: Summary = field(
        factory=lambda: cast(Summary, SimpleNamespace(role="Follower", epoch=4, leader_id=2))
    )

    def reports(self) -> ServiceReports:
        health = Health()
        health.alive_when("log-lane", lambda: self.stuck)
        health.ready_when("leader-known", lambda: self.unready)
        manager = cast(ServiceManager, self.inbox)
        log = EventLog(self.lines.append, lambda: 0)
        return ServiceReports(manager, health, lambda: self.summary, 1, TrioClock(), log)


@pytest.fixture
def situation() -> Situation:
    return Situation()


async def test_ready_is_told_once_when_the_page_says_so(
    situation: Situation, autojump_clock: trio.testing.MockClock, nursery: trio.Nursery
):
    start = trio.current_time()
    nursery.start_soon(situation.reports().run)
    await trio.sleep(100.05)
    assert situation.inbox.times("READY=1") == []
    assert situation.inbox.statuses() == ["starting: leader-known: no leader is known"]
    situation.unready = None
    await trio.sleep(60)
    (ready,) = situation.inbox.times("READY=1")
    assert 100 < ready - start <= 100.2
    assert situation.inbox.statuses()[1:] == ["node 1 is a follower in epoch 4, the leader is 2"]


async def test_a_start_that_waits_for_its_quorum_never_times_out(
    situation: Situation, autojump_clock: trio.testing.MockClock, nursery: trio.Nursery
):
    nursery.start_soon(situation.reports().run)
    await trio.sleep(200)
    extended = situation.inbox.times(EXTENSION)
    assert len(extended) >= 190
    assert max(b - a for a, b in pairwise(extended)) < START_EXTENSION_MS / 2_000
    situation.unready = None
    await trio.sleep(200)
    assert situation.inbox.times(EXTENSION)[-1] <= situation.inbox.times("READY=1")[0]


async def test_the_watchdog_is_fed_at_half_of_its_interval(
    situation: Situation, autojump_clock: trio.testing.MockClock, nursery: trio.Nursery
):
    situation.inbox.watchdog_ms = WATCHDOG_MS  # and no leader, all the time: that is no matter
    nursery.start_soon(situation.reports().run)
    await trio.sleep(200.05)
    fed = situation.inbox.times("WATCHDOG=1")
    gaps = [round(b - a, 1) for a, b in pairwise(fed)]
    assert len(fed) == 21
    assert set(gaps) == {10.0}


async def test_a_disk_that_does_not_come_back_starves_the_watchdog(
    situation: Situation, autojump_clock: trio.testing.MockClock, nursery: trio.Nursery
):
    situation.inbox.watchdog_ms = WATCHDOG_MS
    situation.unready = None
    nursery.start_soon(situation.reports().run)
    await trio.sleep(15)
    situation.stuck = "a write has not come back"
    stuck_at = trio.current_time()
    await trio.sleep(100)
    assert all(one <= stuck_at for one in situation.inbox.times("WATCHDOG=1"))
    assert situation.inbox.statuses()[-1] == "not alive: log-lane: a write has not come back"
    situation.stuck = None
    await trio.sleep(10.05)
    assert situation.inbox.times("WATCHDOG=1")[-1] > stuck_at + 100


async def test_a_new_role_and_a_lost_leader_are_told(
    situation: Situation, autojump_clock: trio.testing.MockClock, nursery: trio.Nursery
):
    situation.unready = None
    nursery.start_soon(situation.reports().run)
    await trio.sleep(5)
    situation.unready = "no leader is known in epoch 5"
    await trio.sleep(5)
    situation.unready = None
    situation.summary = cast(Summary, SimpleNamespace(role="Leader", epoch=5, leader_id=1))
    await trio.sleep(5)
    assert situation.inbox.statuses() == [
        "node 1 is a follower in epoch 4, the leader is 2",
        "not ready: leader-known: no leader is known in epoch 5",
        "node 1 leads epoch 5",
    ]
    assert len(situation.inbox.times("READY=1")) == 1


async def test_a_stop_is_told_and_its_status_stays(
    situation: Situation, autojump_clock: trio.testing.MockClock, nursery: trio.Nursery
):
    situation.inbox.watchdog_ms = WATCHDOG_MS
    reports = situation.reports()
    nursery.start_soon(reports.run)
    await trio.sleep(1)
    reports.stopping("SIGTERM")
    situation.unready = None
    stopped_at = trio.current_time()
    await trio.sleep(60)
    assert situation.inbox.times("STOPPING=1") == [stopped_at]
    assert situation.inbox.statuses()[-1] == "stopping: SIGTERM"
    assert situation.inbox.times("READY=1") == []
    assert situation.inbox.times("WATCHDOG=1")[-1] > stopped_at


async def test_a_manager_that_is_away_is_told_when_it_is_back(
    situation: Situation, autojump_clock: trio.testing.MockClock, nursery: trio.Nursery
):
    situation.unready, situation.inbox.takes = None, False
    nursery.start_soon(situation.reports().run)
    await trio.sleep(30)
    assert len(situation.lines) == 1
    assert 'service-manager-unreachable why="nobody is there"' in situation.lines[0]
    situation.inbox.takes = True
    await trio.sleep(1)
    assert len(situation.inbox.times("READY=1")) == 1


@pytest.mark.parametrize(
    ("role", "leader_id", "text"),
    [
        ("Leader", 1, "node 1 leads epoch 4"),
        ("Unattached", None, "node 1 is an unattached in epoch 4, no leader is known"),
        ("Candidate", None, "node 1 is a candidate in epoch 4, no leader is known"),
    ],
)
def test_a_role_in_plain_words(situation: Situation, role: str, leader_id: int, text: str):
    told = SimpleNamespace(role=role, epoch=4, leader_id=leader_id)
    assert role_text(cast(Summary, told), 1) == text
