"""One request in flight to each peer; failures rest, time-outs do not."""

from __future__ import annotations

from metaquorum.base.clock import NEVER
from metaquorum.quorum.messages import FetchRequest
from metaquorum.quorum.peers import InFlight, Peers
from metaquorum.quorum.types import ReplicaKey

FETCH = FetchRequest(ReplicaKey(1), 1, 0, 0)
SENT = Peers().sent(2, InFlight(7, 100, FETCH))


def test_a_peer_is_busy_until_it_answers() -> None:
    assert Peers().is_ready(2, 0)
    assert not SENT.is_ready(2, 0)
    assert SENT.any_in_flight()
    assert SENT.answered(2).is_ready(2, 0)


def test_only_the_answer_that_is_awaited_is_taken() -> None:
    assert SENT.expects(2, 7) == FETCH
    assert SENT.expects(2, 6) is None
    assert SENT.expects(3, 7) is None
    assert SENT.answered(2).expects(2, 7) is None


def test_after_a_failure_a_peer_rests() -> None:
    resting = SENT.rests(2, 20)
    assert not resting.is_ready(2, 19)
    assert resting.is_ready(2, 20)
    assert resting.next_ready == 20
    assert resting.rested(19) == resting
    assert resting.rested(20).next_ready == NEVER


def test_after_a_time_out_a_peer_is_ready_and_marked() -> None:
    late = SENT.timed_out(2)
    assert late.is_ready(2, 0)
    assert late.of(2).timed_out
    assert late.expects(2, 7) is None
    assert not late.sent(2, InFlight(8, 200, FETCH)).of(2).timed_out


def test_deadlines_are_those_of_requests_in_flight() -> None:
    two = SENT.sent(1, InFlight(8, 90, FETCH)).rests(3, 50)
    assert two.request_deadlines == ((1, 90), (2, 100))


def test_a_value_says_nothing_of_numbers_that_only_grow() -> None:
    assert SENT.value() == Peers().sent(2, InFlight(99, 100, FETCH)).value()
    assert SENT.answered(2).value() == Peers().value()
