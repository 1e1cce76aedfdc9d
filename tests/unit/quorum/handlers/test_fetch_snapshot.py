"""FetchSnapshot at the leader."""

from __future__ import annotations

import pytest
from attrs import evolve

from metaquorum.quorum.effects import Answer
from metaquorum.quorum.events import (
    AppendAsked,
    RequestArrived,
    ResponseArrived,
    SnapshotWritten,
)
from metaquorum.quorum.messages import (
    FENCED_LEADER_EPOCH,
    INVALID_REQUEST,
    NONE,
    NOT_LEADER_OR_FOLLOWER,
    POSITION_OUT_OF_RANGE,
    SNAPSHOT_NOT_FOUND,
    UNKNOWN_LEADER_EPOCH,
    DescribeRequest,
    DescribeResponse,
    FetchResponse,
    FetchSnapshotRequest,
    FetchSnapshotResponse,
    Hint,
    SnapshotSlice,
)
from metaquorum.quorum.types import ZERO_SNAPSHOT, ElectionState, ReplicaKey, SnapshotId
from metaquorum.testing.fakes import FakeHost, data_batch, voter, voters

OLD, NEW = SnapshotId(1, 1), SnapshotId(1, 3)
PART = FetchSnapshotRequest(ReplicaKey(-1), 1, NEW, 0, 100)


def ask(request: FetchSnapshotRequest, **changes: object) -> FetchSnapshotResponse:
    host = FakeHost.of(1, voters(1), **changes).started()
    host.tell(AppendAsked(1, (data_batch(records=4),), 1))
    host.sync()
    host.tell(SnapshotWritten(OLD, 250))
    host.tell(SnapshotWritten(NEW, 260))
    words = host.tell(RequestArrived(5, request))
    message = words[0].message  # type: ignore[union-attr]
    assert isinstance(message, FetchSnapshotResponse)
    return message


def test_parts_follow_each_other_up_to_the_size() -> None:
    first = ask(PART)
    assert (first.error, first.size_bytes, first.position) == (NONE, 260, 0)
    assert first.data == SnapshotSlice(NEW, 0, 100)
    assert ask(evolve(PART, position=200)).data == SnapshotSlice(NEW, 200, 60)
    assert ask(evolve(PART, max_bytes=0)).data == SnapshotSlice(NEW, 0, 0)


@pytest.mark.parametrize(
    ("asked", "limit", "given"), [(100, 60, 60), (60, 100, 60), (500, 400, 260)]
)
def test_a_snapshot_part_respects_the_requests_and_the_servers_limits(
    asked: int, limit: int, given: int
) -> None:
    answer = ask(evolve(PART, max_bytes=asked), snapshot_response_max_bytes=limit)
    assert answer.data == SnapshotSlice(NEW, 0, given)


def test_an_older_snapshot_is_served_too() -> None:
    assert ask(evolve(PART, snapshot=OLD)).size_bytes == 250


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"epoch": 0}, FENCED_LEADER_EPOCH),
        ({"epoch": 2}, UNKNOWN_LEADER_EPOCH),
        ({"snapshot": SnapshotId(1, 2)}, SNAPSHOT_NOT_FOUND),
        ({"snapshot": ZERO_SNAPSHOT}, SNAPSHOT_NOT_FOUND),
        ({"position": -1}, POSITION_OUT_OF_RANGE),
        ({"position": 260}, POSITION_OUT_OF_RANGE),
        ({"max_bytes": -1}, INVALID_REQUEST),
    ],
)
def test_a_wrong_request_is_refused_with_empty_data(changes: dict[str, object], error: int) -> None:
    answer = ask(evolve(PART, **changes))  # type: ignore[arg-type]
    assert (answer.error, answer.data, answer.hint.leader_id) == (error, b"", 1)


@pytest.mark.parametrize(
    ("epoch", "error"),
    [(4, FENCED_LEADER_EPOCH), (5, NOT_LEADER_OR_FOLLOWER), (6, UNKNOWN_LEADER_EPOCH)],
)
def test_a_follower_serves_none_and_names_the_leader(epoch: int, error: int) -> None:
    host = FakeHost.of(1, voters(1, 2, 3), election=ElectionState(5, 3)).started()
    in_flight = host.replica.peers.of(3).in_flight
    assert in_flight is not None
    heard = FetchResponse(NONE, Hint(3, 5, voter(3).endpoints), high_watermark=0)
    host.tell(ResponseArrived(3, in_flight.correlation, heard))
    words = host.tell(RequestArrived(5, evolve(PART, epoch=epoch)))
    (answer,) = [one.message for one in words if isinstance(one, Answer)]
    assert isinstance(answer, FetchSnapshotResponse)
    assert (answer.error, answer.data, answer.snapshot) == (error, b"", NEW)
    assert answer.hint == Hint(3, 5, voter(3).endpoints)


def test_it_shows_that_a_replica_lives_and_not_how_far_it_is() -> None:
    host = FakeHost.of(1, voters(1)).started()
    host.tell(AppendAsked(1, (data_batch(records=4),), 1))
    host.sync()
    host.tell(SnapshotWritten(NEW, 260))
    host.tell(RequestArrived(5, evolve(PART, replica=ReplicaKey(9, b"n" * 16))))
    (described,) = host.tell(RequestArrived(6, DescribeRequest()))
    assert isinstance(described, Answer)
    assert isinstance(described.message, DescribeResponse)
    assert described.message.observers == ()
