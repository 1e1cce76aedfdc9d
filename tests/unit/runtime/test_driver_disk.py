"""When the disk is told to begin, and when a follower applies what is committed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from attrs import define, field

from metaquorum.base.clock import NEVER
from metaquorum.controller.events import HighWatermark
from metaquorum.controller.log import Placed
from metaquorum.quorum import effects, events
from metaquorum.runtime.disk.tail import Tail
from metaquorum.runtime.driver.driver import Driver
from metaquorum.testing.fake_ports import ports_over

COMMITTED = effects.Committed(0, 4)


@define
class Lane:
    """Notes what it is given and when it is to begin."""

    heard: list[str] = field(factory=list)
    tidy_at_ms: int = NEVER

    def submit(self, effect: Any) -> None:
        self.heard.append(f"ticket {effect.ticket}")

    def begin(self) -> None:
        self.heard.append("begin")

    def tidy(self) -> None:
        self.heard.append("tidy")
        self.tidy_at_ms = NEVER


class Replica:
    """Says what it was told to say, once."""

    role = SimpleNamespace(name="Follower")
    deadline = NEVER
    parked = SimpleNamespace(holds_back=False)

    def __init__(self) -> None:
        self.says: list[list[Any]] = []
        self.last_ticket = 0

    def step(self, event: Any, now: int) -> list[Any]:
        said = self.says.pop(0) if self.says else []
        for effect in said:
            self.last_ticket = max(self.last_ticket, getattr(effect, "ticket", 0))
        return said


@pytest.fixture
def driver() -> Driver:
    clock: Any = SimpleNamespace(now_ms=lambda: 0, wall_ms=lambda: 0)
    controller: Any = SimpleNamespace(deadline=NEVER)
    replica: Any = Replica()
    entry_of: Any = None
    return Driver(replica, controller, clock, Tail(), entry_of, ports_over(Lane()))


def says(driver: Driver, *said: Any) -> None:
    driver.replica.says.append(list(said))  # type: ignore[attr-defined]


def heard(driver: Driver) -> list[str]:
    return driver.lane.heard  # type: ignore[attr-defined,no-any-return]


def test_the_disk_begins_when_a_step_is_over(driver: Driver) -> None:
    says(driver, effects.DropPrefix(1, 5), effects.DropPrefix(2, 6))
    driver.post(events.TimePassed())
    assert heard(driver) == ["ticket 1", "ticket 2", "begin"]


def test_what_is_batched_reaches_the_disk_together(driver: Driver) -> None:
    driver.begin_batch()
    for ticket in (1, 2):
        says(driver, effects.DropPrefix(ticket, 5))
        driver.post(events.TimePassed())
    assert heard(driver) == ["ticket 1", "ticket 2"]
    driver.flush_batch()
    assert heard(driver) == ["ticket 1", "ticket 2", "begin"]


def test_what_is_committed_is_applied_at_once_while_the_disk_is_idle(driver: Driver) -> None:
    says(driver, COMMITTED)
    driver.post(events.TimePassed())
    assert driver.work_to_apply.is_set()


def test_records_written_at_a_commit_reach_the_disk_behind_its_step(driver: Driver) -> None:
    class Writing:
        """Writes a record of nobody's at each commit, as a coordinator may."""

        deadline = NEVER

        def step(self, event: Any, now: int, wall_ms: int, log: Any) -> list[Any]:
            if isinstance(event, HighWatermark):
                assert log.append((b"",), 1, atomic=True, timestamp_ms=0) == Placed(4, 1)
            return []

    driver.controller, driver.active = Writing(), True  # type: ignore[assignment]
    driver._appends.entry_of = lambda record: (None, record)
    says(driver, COMMITTED, effects.DropPrefix(1, 4))
    says(driver, effects.DropPrefix(2, 4), effects.Appended(1, 4, 5, 1))
    driver.post(events.TimePassed())
    assert heard(driver) == ["ticket 1", "ticket 2", "begin"]
    assert driver.watermark.value == 4


def test_a_commit_is_applied_once_the_writes_of_its_step_are_durable(driver: Driver) -> None:
    says(driver, effects.DropPrefix(1, 5), COMMITTED)
    driver.post(events.TimePassed())
    assert not driver.work_to_apply.is_set()
    driver.became_durable(1)
    assert driver.work_to_apply.is_set()


def test_unneeded_preallocation_is_released_when_it_is_due(driver: Driver) -> None:
    lane: Any = driver.lane
    lane.tidy_at_ms = 5
    assert driver.deadline == 5
    driver._time_has_come()
    assert heard(driver) == []
    lane.tidy_at_ms = 0
    driver._time_has_come()
    assert heard(driver) == ["tidy"]
    assert driver.deadline == NEVER
