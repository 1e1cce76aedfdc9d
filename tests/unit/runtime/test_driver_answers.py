"""Whom the driver answers in the same step, and who waits for the next ones."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from metaquorum.base.clock import NEVER
from metaquorum.base.errors import InvariantViolated, RequestError
from metaquorum.base.limits import TURN_MS, WAKES_PER_TURN
from metaquorum.quorum import effects, events
from metaquorum.quorum.messages import FetchRequest
from metaquorum.quorum.types import ReplicaKey
from metaquorum.runtime.disk.tail import Tail
from metaquorum.runtime.driver.driver import Driver
from metaquorum.runtime.driver.watermark import OVERDUE
from metaquorum.testing.fake_ports import ports_over

VOTER, OBSERVER = 1, 100


class StubReplica:
    """Answers everybody who asked, in order, at the next event of another kind."""

    deadline = NEVER
    parked = SimpleNamespace(holds_back=False)
    role = SimpleNamespace(name="Leader")
    voters = SimpleNamespace(latest=SimpleNamespace(is_voter=lambda key: key.id == VOTER))

    def __init__(self) -> None:
        self.asked: list[int] = []
        self.told: list[object] = []

    def step(self, event, now):
        if hasattr(event, "message"):
            self.asked.append(event.id)
            return []
        asked, self.asked = self.asked, []
        return [*(effects.Answer(0, one, f"to {one}") for one in asked), *self.told]


@pytest.fixture
def driver():
    clock = SimpleNamespace(now_ms=lambda: 0, wall_ms=lambda: 0)
    controller = SimpleNamespace(deadline=NEVER)
    lane = SimpleNamespace(submit=lambda effect: None, begin=lambda: None, tidy_at_ms=NEVER)
    return Driver(StubReplica(), controller, clock, Tail(), None, ports_over(lane))


def fetch(replica_id: int) -> FetchRequest:
    return FetchRequest(ReplicaKey(replica_id, None), 1, 0, 0, 500, 1_000, None)


def ask(driver, replica_id: int, heard: list[int]) -> None:
    driver.ask_quorum(fetch(replica_id)).then(lambda done: heard.append(replica_id))


def test_one_step_answers_a_limit_of_observers_and_the_rest_in_order(driver):
    heard: list[int] = []
    observers = list(range(OBSERVER, OBSERVER + 3 * WAKES_PER_TURN))
    for number in observers:
        ask(driver, number, heard)
    driver.post(object())
    assert heard == observers[:WAKES_PER_TURN]
    assert driver.deadline == OVERDUE
    driver._send_deferred(WAKES_PER_TURN)
    driver._send_deferred(WAKES_PER_TURN)
    assert heard == observers
    assert driver.deadline == NEVER


def test_a_voter_never_waits_for_observers(driver):
    heard: list[int] = []
    for number in range(OBSERVER, OBSERVER + 2 * WAKES_PER_TURN):
        ask(driver, number, heard)
    ask(driver, VOTER, heard)
    driver.post(object())
    assert heard[-1] == VOTER and len(heard) == WAKES_PER_TURN + 1


def test_truncation_waits_for_all_answers_and_is_reported_before_disk(driver):
    heard: list[object] = []
    for number in range(OBSERVER, OBSERVER + 2 * WAKES_PER_TURN):
        ask(driver, number, heard)
    driver.listeners.cut.append(lambda to: heard.append(f"cut at {to}"))
    driver.lane.submit = lambda effect: heard.append("disk")
    driver.replica.told = [effects.TruncateLog(1, 5)]
    driver.post(object())
    assert heard[-2:] == ["cut at 5", "disk"]
    assert len(heard) == 2 * WAKES_PER_TURN + 2


def test_waiting_requests_are_answered_only_as_long_as_a_turn_lasts(driver):
    heard: list[int] = []
    observers = list(range(OBSERVER, OBSERVER + 10 * WAKES_PER_TURN))
    for number in observers:
        ask(driver, number, heard)
    driver.post(object())
    now = [0.0]

    def passing() -> int:
        now[0] += TURN_MS / 3  # what a few answers take
        return int(now[0])

    driver.clock = SimpleNamespace(now_ms=passing)
    driver._wake_waiting(0)
    assert heard == observers[: 4 * WAKES_PER_TURN]
    driver.clock = SimpleNamespace(now_ms=lambda: 0)
    driver._wake_waiting(0)
    assert heard == observers


def test_appends_during_batched_requests_are_reported_once_at_the_end(driver):
    appended: list[bool] = []
    paused: list[object] = []

    def step(event, now):
        if isinstance(event, events.AppendAsked):
            appended.append(event.more_follow)
            return [effects.AppendDropped(event.id, 41)]
        paused.append(event)
        return []

    driver.replica.step = step
    driver.begin_batch()
    driver._appends._ask((), 1)
    driver._appends._ask((), 1)
    assert (appended, paused) == ([True, True], [])
    assert driver.flush_batch()
    assert paused == [events.AppendsPaused()]
    driver.begin_batch()
    assert not driver.flush_batch()
    driver._appends._ask((), 1)
    assert appended == [True, True, False]
    assert len(paused) == 1


def test_a_voter_fetch_during_batched_requests_is_answered_at_the_end(driver):
    asked: list[bool] = []
    paused: list[object] = []

    def step(event, now):
        if isinstance(event, events.RequestArrived):
            asked.append(event.more_follow)
        else:
            paused.append(event)
        driver.replica.parked = SimpleNamespace(holds_back=event != events.AppendsPaused())
        return []

    driver.replica.step = step
    driver.begin_batch()
    ask(driver, VOTER, [])
    assert driver.flush_batch()
    assert (asked, paused) == ([True], [events.AppendsPaused()])
    ask(driver, VOTER, [])
    assert asked == [True, False]


@pytest.mark.parametrize("raised", [KeyError("ours"), RequestError(41), InvariantViolated("known")])
def test_any_exception_in_a_step_is_an_invariant_violation_to_callers(driver, raised):
    def step(event, now):
        raise raised

    driver.replica.step = step
    with pytest.raises(InvariantViolated) as stopped:
        driver.ask_quorum(fetch(VOTER))
    assert raised in (stopped.value, stopped.value.__cause__)
