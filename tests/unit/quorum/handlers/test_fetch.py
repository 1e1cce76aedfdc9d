"""Fetch at the leader: checks in Kafka's order, data at once, parking, and no trace of readers."""

from __future__ import annotations

import pytest
from attrs import evolve

from metaquorum.base.limits import (
    SPARE_VOTER_LATEST_MS,
    SPARE_VOTER_MS,
    WAITERS_AT_ONCE,
    WAITERS_PAUSE_MS,
)
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.quorum.effects import Answer, Committed
from metaquorum.quorum.events import (
    AppendAsked,
    AppendsPaused,
    RequestArrived,
    RequestGone,
    ResignAsked,
    SnapshotWritten,
    TimePassed,
)
from metaquorum.quorum.handlers.replication.fetch import can_skip_step, look
from metaquorum.quorum.messages import (
    FENCED_LEADER_EPOCH,
    INVALID_REQUEST,
    NONE,
    NOT_LEADER_OR_FOLLOWER,
    UNKNOWN_LEADER_EPOCH,
    UNKNOWN_SERVER_ERROR,
    DescribeRequest,
    DescribeResponse,
    FetchRequest,
    FetchResponse,
    LogSlice,
)
from metaquorum.quorum.types import ElectionState, ReplicaKey, SnapshotId, Voter
from metaquorum.quorum.voters import VoterHistory
from metaquorum.testing.fakes import FakeHost, data_batch, directory, voters

READER = ReplicaKey(-1)
BROKER = ReplicaKey(100, b"b" * 16)
AT_END = FetchRequest(BROKER, 1, 1, 1, max_wait_ms=500, max_bytes=1000)


OF_VOTER = evolve(AT_END, replica=ReplicaKey(2, directory(2)), high_watermark=1)


def leader(**changes: object) -> FakeHost:
    return FakeHost.of(1, voters(1), **changes).started()  # type: ignore[arg-type]


def two_voters() -> FakeHost:
    """A leader of two that has committed the first record of its epoch."""
    host = leader()
    host.replica.voters = VoterHistory(voters(1, 2))
    return host


def ask(
    host: FakeHost, request: FetchRequest, request_id: int = 9, *, more_follow: bool = False
) -> FetchResponse | None:
    """The answer if there is one at once; None when the request is parked."""
    arrived = RequestArrived(request_id, request, more_follow=more_follow)
    return answer_to(host, request_id, host.tell(arrived))


def answer_to(host: FakeHost, request_id: int, words: list[object]) -> FetchResponse | None:  # type: ignore[type-arg]
    for word in words:
        if isinstance(word, Answer) and word.id == request_id:
            assert isinstance(word.message, FetchResponse)
            return word.message
    return None


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"max_wait_ms": -1}, INVALID_REQUEST),
        ({"offset": -1}, INVALID_REQUEST),
        ({"last_epoch": -1}, INVALID_REQUEST),
        ({"last_epoch": 2}, INVALID_REQUEST),
        ({"epoch": -1, "last_epoch": -1}, INVALID_REQUEST),
        ({"epoch": 0, "last_epoch": 0}, FENCED_LEADER_EPOCH),
        ({"epoch": 2}, UNKNOWN_LEADER_EPOCH),
        ({"replica": ReplicaKey(1)}, UNKNOWN_SERVER_ERROR),
        ({"max_bytes": -1}, UNKNOWN_SERVER_ERROR),
    ],
)
def test_a_wrong_request_is_refused_with_the_leader_named(
    changes: dict[str, object], error: int
) -> None:
    answer = ask(leader(), evolve(AT_END, **changes))  # type: ignore[arg-type]
    assert answer is not None
    assert (answer.error, answer.high_watermark, answer.log_start) == (error, -1, 0)
    assert (answer.hint.leader_id, answer.hint.epoch) == (1, 1)
    assert answer.hint.endpoints


def test_records_beyond_the_asker_are_answered_at_once() -> None:
    answer = ask(leader(), evolve(AT_END, offset=0, last_epoch=0))
    assert answer is not None
    assert answer == FetchResponse(
        NONE, answer.hint, high_watermark=1, log_start=0, records=LogSlice(0, 1000, 1)
    )


def test_what_the_disk_does_not_have_yet_is_copied_to_a_voter_already() -> None:
    host = two_voters()
    host.tell(AppendAsked(1, (data_batch(records=4),), 1))
    answer = ask(host, OF_VOTER)
    assert answer is not None
    assert (answer.records, answer.high_watermark) == (LogSlice(1, 1000, 5), 1)


def test_a_voter_that_waits_at_the_end_is_woken_by_an_append() -> None:
    host = two_voters()
    assert ask(host, OF_VOTER) is None
    words = host.tell(AppendAsked(1, (data_batch(),), 1))
    answer = answer_to(host, 9, words)
    assert answer is not None
    assert (answer.records, answer.high_watermark) == (LogSlice(1, 1000, 2), 1)
    assert len(host.replica.parked) == 0


@pytest.mark.parametrize("asker", [BROKER, READER], ids=["observer", "reader"])
@pytest.mark.parametrize("known", [1, None], ids=["knows the watermark", "cannot say"])
def test_non_voters_are_answered_at_the_commit_and_not_at_the_append(
    asker: ReplicaKey, known: int | None
) -> None:
    host = leader()
    waiting = evolve(AT_END, replica=asker, high_watermark=known)
    assert ask(host, waiting) is None
    assert answer_to(host, 9, host.tell(AppendAsked(1, (data_batch(),), 1))) is None
    assert ask(host, waiting, 10) is None  # nor one that comes between the two
    words = host.sync()
    for request_id in (9, 10):
        answer = answer_to(host, request_id, words)
        assert answer is not None
        assert (answer.records, answer.high_watermark) == (LogSlice(1, 1000, 2), 2)


def test_an_answer_after_a_commit_holds_what_is_not_committed_yet_too() -> None:
    host = leader()
    assert ask(host, AT_END) is None
    host.tell(AppendAsked(1, (data_batch(),), 1))
    host.tell(AppendAsked(2, (data_batch(),), 1))
    answer = answer_to(host, 9, host.sync(1))
    assert answer is not None
    assert (answer.records, answer.high_watermark) == (LogSlice(1, 1000, 3), 2)


def test_an_observer_made_voter_is_woken_by_the_next_append() -> None:
    host = leader()
    assert ask(host, evolve(AT_END, high_watermark=1)) is None
    newcomer = Voter(BROKER, (), 0, 1)
    host.replica.voters = VoterHistory(voters(1).with_voter(newcomer))
    words = host.tell(AppendAsked(1, (data_batch(),), 1))
    answer = answer_to(host, 9, words)
    assert answer is not None
    assert (answer.records, answer.high_watermark) == (LogSlice(1, 1000, 2), 1)


def test_appends_that_come_together_travel_together() -> None:
    host = two_voters()
    assert ask(host, OF_VOTER) is None
    for number in range(3):
        asked = AppendAsked(number, (data_batch(),), 1, more_follow=True)
        assert answer_to(host, 9, host.tell(asked)) is None
    answer = answer_to(host, 9, host.tell(AppendsPaused()))
    assert answer is not None
    assert answer.records == LogSlice(1, 1000, 4)
    assert host.tell(AppendsPaused()) == []


def test_a_voters_fetch_between_appends_gets_all_of_them_together() -> None:
    host = two_voters()
    host.tell(AppendAsked(1, (data_batch(),), 1))
    assert ask(host, OF_VOTER, more_follow=True) is None
    assert host.replica.parked.holds_back
    asked = AppendAsked(2, (data_batch(),), 1, more_follow=True)
    assert answer_to(host, 9, host.tell(asked)) is None
    answer = answer_to(host, 9, host.tell(AppendsPaused()))
    assert answer is not None
    assert answer.records == LogSlice(1, 1000, 3)
    assert not host.replica.parked.holds_back


def test_a_voter_that_does_not_wait_is_told_whatever_follows() -> None:
    host = two_voters()
    host.tell(AppendAsked(1, (data_batch(),), 1))
    answer = ask(host, evolve(OF_VOTER, max_wait_ms=0), more_follow=True)
    assert answer is not None
    assert answer.records == LogSlice(1, 1000, 2)


def test_a_commit_between_appends_is_not_yet_answered_to_voters() -> None:
    host = two_voters()
    host.replica.voters = VoterHistory(voters(1, 2, 3))
    third = evolve(OF_VOTER, replica=ReplicaKey(3, directory(3)))
    host.tell(AppendAsked(1, (data_batch(),), 1))
    assert ask(host, evolve(third, offset=2), 30) is None
    assert ask(host, evolve(AT_END, offset=1, high_watermark=1), 40) is None
    host.tell(AppendAsked(2, (data_batch(),), 1, more_follow=True))
    words = host.tell(RequestArrived(20, evolve(OF_VOTER, offset=2), more_follow=True))
    assert [word.high_watermark for word in words if isinstance(word, Committed)] == [2]
    assert answer_to(host, 20, words) is answer_to(host, 30, words) is None
    told = answer_to(host, 40, words)
    assert told is not None and told.high_watermark == 2
    words = host.tell(AppendsPaused())
    for voter in (20, 30):
        answer = answer_to(host, voter, words)
        assert answer is not None
        assert (answer.records, answer.high_watermark) == (LogSlice(2, 1000, 3), 2)


def test_a_spare_that_comes_for_records_gets_them_once_a_round() -> None:
    host = two_voters()
    host.replica.voters = VoterHistory(voters(1, 2, 3))
    spare = evolve(OF_VOTER, replica=ReplicaKey(3, directory(3)))
    host.tell(AppendAsked(1, (data_batch(),), 1))
    assert ask(host, OF_VOTER) is not None and ask(host, spare) is not None  # a round begins
    assert ask(host, evolve(OF_VOTER, offset=2), 20) is None  # and with this it is committed
    host.now = 1
    host.tell(AppendAsked(2, (data_batch(),), 1))
    assert ask(host, evolve(spare, offset=2), 30) is None
    assert host.replica.deadline == host.replica.parked.deadline == SPARE_VOTER_LATEST_MS
    host.now = SPARE_VOTER_LATEST_MS
    answer = answer_to(host, 30, host.tell(TimePassed()))
    assert answer is not None and answer.records == LogSlice(2, 1000, 3)
    # The next round began just now; when it is over the spare is told at once, and that is one.
    host.tell(AppendAsked(3, (data_batch(),), 1))
    host.now += SPARE_VOTER_MS
    answer = ask(host, evolve(spare, offset=3), 31)
    assert answer is not None and answer.records == LogSlice(3, 1000, 4)
    host.tell(AppendAsked(4, (data_batch(),), 1))
    assert ask(host, evolve(spare, offset=4), 32) is None


def test_a_voter_that_was_to_have_more_hears_of_a_leader_that_resigns() -> None:
    host = two_voters()
    host.tell(AppendAsked(1, (data_batch(),), 1))
    assert ask(host, OF_VOTER, more_follow=True) is None
    answer = answer_to(host, 9, host.tell(ResignAsked(1, "a test")))
    assert answer is not None and answer.error == NOT_LEADER_OR_FOLLOWER
    assert not host.replica.parked.holds_back
    assert host.tell(AppendsPaused()) == []


def test_a_fetch_that_waits_is_answered_empty_at_its_deadline() -> None:
    host = leader()
    assert ask(host, AT_END) is None
    assert host.replica.deadline == 500
    host.now = 499
    assert host.tell(TimePassed()) == []
    host.now = 500
    answer = answer_to(host, 9, host.tell(TimePassed()))
    assert answer is not None
    assert (answer.error, answer.records, answer.high_watermark) == (NONE, None, 1)


def test_no_wait_means_an_empty_answer_at_once() -> None:
    answer = ask(leader(), evolve(AT_END, max_wait_ms=0))
    assert answer is not None
    assert (answer.error, answer.records) == (NONE, None)


def test_a_follower_that_knows_an_older_watermark_learns_it_at_once() -> None:
    host = leader()
    behind = ask(host, evolve(AT_END, high_watermark=-1))
    assert behind is not None
    assert (behind.records, behind.high_watermark) == (None, 1)
    assert ask(host, evolve(AT_END, high_watermark=1)) is None


def test_a_parked_fetch_is_woken_when_the_watermark_moves() -> None:
    host = leader()
    host.tell(AppendAsked(1, (data_batch(),), 1))
    waiting = evolve(AT_END, offset=2)
    assert ask(host, evolve(waiting, high_watermark=1), 10) is None
    assert ask(host, waiting, 11) is None
    words = host.sync()
    for request_id in (10, 11):
        answer = answer_to(host, request_id, words)
        assert answer is not None
        assert answer.high_watermark == 2
    assert Committed(2, 2) in words


def test_a_fetch_whose_asker_hung_up_is_forgotten() -> None:
    host = leader()
    assert ask(host, AT_END) is None
    host.tell(RequestGone(9))
    assert len(host.replica.parked) == 0
    assert host.replica.deadline > 500
    assert answer_to(host, 9, host.tell(AppendAsked(1, (data_batch(),), 1))) is None


def test_anyone_who_waits_is_told_at_once_when_the_leader_resigns() -> None:
    host = leader()
    assert ask(host, AT_END) is None
    answer = answer_to(host, 9, host.tell(ResignAsked(1)))
    assert answer is not None
    assert (answer.error, answer.hint.leader_id) == (NOT_LEADER_OR_FOLLOWER, None)


def test_parked_fetches_have_a_limit() -> None:
    host = leader(parked_max=1)
    assert ask(host, AT_END, 1) is None
    answer = ask(host, AT_END, 2)
    assert answer is not None
    assert (answer.error, answer.records) == (NONE, None)


def test_a_candidate_refuses() -> None:
    host = FakeHost.of(1, voters(1, 2, 3), election=ElectionState(4)).started()
    answer = ask(host, evolve(AT_END, epoch=4))
    assert answer is not None
    assert (answer.error, answer.hint.leader_id) == (NOT_LEADER_OR_FOLLOWER, None)


def test_a_log_that_parted_is_told_where_at_once() -> None:
    answer = ask(leader(), evolve(AT_END, offset=5))
    assert answer is not None
    assert answer.diverging == OffsetAndEpoch(1, 1)
    assert answer.records is None


def test_a_replica_from_zero_is_sent_to_the_snapshot() -> None:
    host = leader()
    host.tell(SnapshotWritten(SnapshotId(1, 1), 300))
    answer = ask(host, evolve(AT_END, offset=0, last_epoch=0))
    assert answer is not None
    assert (answer.snapshot, answer.records) == (SnapshotId(1, 1), None)


def observers(host: FakeHost) -> list[tuple[int, int, int, int]]:
    words = host.tell(RequestArrived(77, DescribeRequest()))
    message = words[-1].message  # type: ignore[union-attr]
    assert isinstance(message, DescribeResponse)
    return [
        (row.key.id, row.log_end, row.last_fetch_ms, row.last_caught_up_ms)
        for row in message.observers
    ]


def test_a_reader_leaves_no_trace() -> None:
    host = leader()
    assert ask(host, evolve(AT_END, replica=READER, offset=0, last_epoch=0)) is not None
    assert ask(host, evolve(AT_END, replica=READER)) is None
    assert observers(host) == []


def test_an_observer_shows_with_its_end_and_times() -> None:
    host = leader()
    host.now = 1_000
    ask(host, AT_END)
    assert observers(host) == [(100, 1, 1_000, 1_000)]
    host.tell(AppendAsked(1, (data_batch(),), 1))
    host.now = 2_000
    ask(host, AT_END)
    assert observers(host) == [(100, 1, 2_000, 1_000)]


def test_a_diverging_fetch_is_no_progress() -> None:
    host = leader()
    ask(host, evolve(AT_END, offset=5))
    assert observers(host) == []


def test_an_observer_is_forgotten_after_five_silent_minutes() -> None:
    host = leader()
    ask(host, evolve(AT_END, max_wait_ms=0))
    host.now = 299_999
    assert len(observers(host)) == 1
    host.now = 300_000
    assert observers(host) == []


def test_an_observer_never_moves_the_watermark() -> None:
    host = leader()
    host.tell(AppendAsked(1, (data_batch(),), 1))
    ask(host, evolve(AT_END, offset=2, max_wait_ms=0))
    assert host.replica.shown_high_watermark == 1


@pytest.mark.parametrize("offset", [0, 1])
@pytest.mark.parametrize("replica", [BROKER, READER])
def test_a_look_is_what_the_whole_step_comes_to(offset: int, replica: ReplicaKey) -> None:
    looked, stepped = leader(), leader()
    request = evolve(AT_END, replica=replica, offset=offset, last_epoch=min(offset, 1))
    assert can_skip_step(looked.replica, request)
    assert look(looked.replica, 9, request, looked.now) == ask(stepped, request)
    assert looked.replica.value() == stepped.replica.value()
    assert looked.replica.deadline == stepped.replica.deadline
    assert observers(looked) == observers(stepped)


def test_a_voters_or_unanswerable_fetch_takes_no_fast_path() -> None:
    host = two_voters()
    assert not can_skip_step(host.replica, OF_VOTER)
    assert not can_skip_step(host.replica, evolve(AT_END, epoch=0, last_epoch=0))
    assert not can_skip_step(host.replica, evolve(AT_END, offset=7))
    follower = FakeHost.of(1, voters(1, 2)).started()
    assert not can_skip_step(follower.replica, AT_END)


def test_observers_are_answered_in_limited_rounds_with_all_records() -> None:
    host = leader()
    count = WAITERS_AT_ONCE + 5
    for number in range(count):
        request = evolve(AT_END, replica=ReplicaKey(100 + number), high_watermark=1)
        assert look(host.replica, number, request, host.now) is None
    host.tell(AppendAsked(1_000, (data_batch(),), 1))
    first = [word.id for word in host.sync() if isinstance(word, Answer)]
    assert first == list(range(WAITERS_AT_ONCE))
    for number in range(WAITERS_AT_ONCE):
        request = evolve(AT_END, replica=ReplicaKey(100 + number), offset=2, high_watermark=2)
        assert look(host.replica, number, request, host.now) is None
    late = evolve(AT_END, replica=ReplicaKey(900), high_watermark=1)
    assert look(host.replica, 900, late, host.now) is None
    host.now += WAITERS_PAUSE_MS
    assert host.replica.deadline <= host.now
    rest = [word.id for word in host.tell(TimePassed()) if isinstance(word, Answer)]
    assert rest == [*range(WAITERS_AT_ONCE, count), 900]
