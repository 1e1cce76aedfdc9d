"""A follower fetches a snapshot: part by part, from one leader in one epoch, whole or none."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.quorum.effects import (
    Answer,
    AppendBatches,
    InstallSnapshot,
    Send,
    WriteSnapshotPart,
)
from metaquorum.quorum.events import (
    Durable,
    RequestArrived,
    RequestFailed,
    ResponseArrived,
    SnapshotInstalled,
    SnapshotRejected,
    TimePassed,
)
from metaquorum.quorum.messages import (
    BROKER_NOT_AVAILABLE,
    FENCED_LEADER_EPOCH,
    INVALID_REQUEST,
    NONE,
    NOT_LEADER_OR_FOLLOWER,
    POSITION_OUT_OF_RANGE,
    SNAPSHOT_NOT_FOUND,
    UNKNOWN_SERVER_ERROR,
    BeginEpochRequest,
    FetchRequest,
    FetchResponse,
    FetchSnapshotRequest,
    FetchSnapshotResponse,
    Hint,
    Refused,
    VoteRequest,
    VoteResponse,
)
from metaquorum.quorum.types import (
    Batch,
    Control,
    ElectionState,
    KRaftVersionControl,
    SnapshotId,
    VotersControl,
)
from metaquorum.testing.fakes import FakeHost, voter, voters

HINT = Hint(3, 5, voter(3).endpoints)
LOG = (Batch(0, 4, 3, 360, 5), Batch(5, 6, 4, 144, 2))
OK = FetchResponse(NONE, HINT, high_watermark=0)
SNAPSHOT = SnapshotId(5, 100)


def follower(**changes: Any) -> FakeHost:
    election = ElectionState(5, 3)
    return FakeHost.of(1, voters(1, 2, 3), election=election, log=LOG, **changes).started()


def sends(node: FakeHost) -> list[Send]:
    return [word for word in node.words if isinstance(word, Send)]


def last(node: FakeHost) -> Any:
    return sends(node)[-1].message


def answer(node: FakeHost, message: Any, peer_id: int = 3) -> None:
    in_flight = node.replica.peers.of(peer_id).in_flight
    assert in_flight is not None
    node.tell(ResponseArrived(peer_id, in_flight.correlation, message))


def later(node: FakeHost, ms: int) -> None:
    node.now += ms
    node.tell(TimePassed())


def part(position: int, data: bytes, **changes: Any) -> FetchSnapshotResponse:
    return evolve(FetchSnapshotResponse(NONE, HINT, SNAPSHOT, 10, position, data), **changes)


def downloading(**changes: Any) -> FakeHost:
    node = follower(**changes)
    answer(node, evolve(OK, snapshot=SNAPSHOT))
    assert last(node) == FetchSnapshotRequest(voter(1).key, 5, SNAPSHOT, 0, 1_048_576)
    return node


def installing() -> FakeHost:
    node = downloading()
    answer(node, part(0, b"1234567890"))
    return node


def test_a_snapshot_comes_in_parts_and_is_installed_when_whole() -> None:
    node = downloading()
    answer(node, part(0, b"123456"))
    answer(node, part(6, b"7890"))
    assert node.unsynced == [
        WriteSnapshotPart(1, SNAPSHOT, 0, b"123456"),
        WriteSnapshotPart(2, SNAPSHOT, 6, b"7890"),
        InstallSnapshot(3, SNAPSHOT),
    ]
    node.unsynced.clear()
    asked = len(sends(node))
    node.tell(Durable(3))
    assert len(sends(node)) == asked, "it waits for the host to have read it"
    controls = (
        Control(0, KRaftVersionControl(1)),
        Control(1, VotersControl(voters(1, 3).voters)),
    )
    node.tell(SnapshotInstalled(SNAPSHOT, 10, controls))
    log = node.replica.log
    assert (log.start, log.end, log.last_epoch, log.high_watermark) == (100, 100, 5, 100)
    assert node.replica.voters.latest == voters(1, 3)
    assert isinstance(last(node), FetchRequest)
    assert (last(node).offset, last(node).last_epoch) == (100, 5)


@pytest.mark.parametrize("error", [SNAPSHOT_NOT_FOUND, POSITION_OUT_OF_RANGE, UNKNOWN_SERVER_ERROR])
def test_a_snapshot_that_is_gone_is_asked_for_by_a_fetch_again(error: int) -> None:
    node = downloading()
    answer(node, part(0, b"123"))
    answer(node, part(0, b"", error=error))
    later(node, 20)
    assert isinstance(last(node), FetchRequest)
    answer(node, evolve(OK, snapshot=SNAPSHOT))
    assert last(node).position == 0, "what is here may be of another file"


def test_a_kafka_leaders_unknown_server_error_leads_back_to_a_fetch() -> None:
    node = downloading()
    answer(node, part(0, b"123"))
    answer(node, Refused(UNKNOWN_SERVER_ERROR))
    later(node, 19)
    assert isinstance(last(node), FetchSnapshotRequest)
    later(node, 1)
    assert isinstance(last(node), FetchRequest)


def test_after_a_lost_connection_the_download_resumes_at_its_position() -> None:
    node = downloading()
    answer(node, part(0, b"1234"))
    node.tell(RequestFailed(3, sends(node)[-1].correlation, "connection lost"))
    later(node, 20)
    assert (last(node).snapshot, last(node).position) == (SNAPSHOT, 4)
    answer(node, part(4, b"567890"))
    parts = [one for one in node.unsynced if isinstance(one, WriteSnapshotPart)]
    assert b"".join(one.data for one in parts) == b"1234567890"
    assert isinstance(node.unsynced[-1], InstallSnapshot)


def test_the_same_snapshot_from_a_bootstrap_server_changes_nothing() -> None:
    servers = tuple(voter(one).endpoints[0] for one in (2, 3))
    node = downloading(bootstrap=servers, request_timeout_ms=400)
    answer(node, part(0, b"1234"))
    later(node, 400)
    assert isinstance(last(node), FetchRequest), "the leader is silent: is it still there?"
    answer(node, evolve(OK, snapshot=SNAPSHOT), peer_id=sends(node)[-1].peer.id)
    assert (last(node).snapshot, last(node).position) == (SNAPSHOT, 4)


def test_it_goes_on_after_a_campaign_that_nobody_granted() -> None:
    node = downloading()
    answer(node, part(0, b"1234"))
    node.tell(RequestFailed(3, sends(node)[-1].correlation, "connection lost"))
    node.now = 4_000
    node.tell(TimePassed())
    assert node.replica.role.name == "Prospective"
    for peer_id in (2, 3):
        if node.replica.role.name == "Prospective":
            answer(node, VoteResponse(NONE, HINT, granted=False), peer_id)
    assert node.replica.role.name == "Follower"
    later(node, 20)
    assert (last(node).snapshot, last(node).position) == (SNAPSHOT, 4)


@pytest.mark.parametrize(("leader_id", "epoch"), [(2, 6), (3, 6)])
def test_with_another_leader_or_epoch_the_part_begins_anew(leader_id: int, epoch: int) -> None:
    node = downloading()
    answer(node, part(0, b"1234"))
    endpoints = voter(leader_id).endpoints
    node.tell(RequestArrived(8, BeginEpochRequest(epoch, leader_id, endpoints, voter(1).key)))
    hint = Hint(leader_id, epoch, endpoints)
    node.unsynced = [one for one in node.unsynced if not isinstance(one, WriteSnapshotPart)]
    node.settle()
    assert isinstance(last(node), FetchRequest)
    answer(node, FetchResponse(NONE, hint, snapshot=SNAPSHOT), leader_id)
    assert (last(node).snapshot, last(node).position, last(node).epoch) == (SNAPSHOT, 0, epoch)
    answer(node, part(0, b"ab", hint=hint), leader_id)
    assert [(one.position, one.data) for one in node.unsynced] == [(0, b"ab")]  # type: ignore[union-attr]


def test_a_newer_snapshot_of_the_same_leader_begins_anew() -> None:
    node = downloading()
    answer(node, part(0, b"1234"))
    answer(node, part(0, b"", error=SNAPSHOT_NOT_FOUND))
    later(node, 20)
    newer = SnapshotId(5, 200)
    answer(node, evolve(OK, snapshot=newer))
    assert (last(node).snapshot, last(node).position) == (newer, 0)


def test_while_a_leader_shuts_down_the_part_is_kept() -> None:
    node = downloading()
    answer(node, part(0, b"1234"))
    answer(node, part(0, b"", error=BROKER_NOT_AVAILABLE))
    later(node, 20)
    assert (last(node).snapshot, last(node).position) == (SNAPSHOT, 4)


def test_a_fence_leads_to_the_new_leader() -> None:
    node = downloading()
    hint = Hint(2, 6, voter(2).endpoints)
    answer(node, part(0, b"", error=FENCED_LEADER_EPOCH, hint=hint))
    node.settle()
    assert node.disk_election == ElectionState(6, 2)
    assert isinstance(last(node), FetchRequest)


def test_a_rejected_snapshot_is_fetched_from_the_start_after_a_while() -> None:
    node = installing()
    node.unsynced.clear()
    node.tell(SnapshotRejected(SNAPSHOT, "no footer"))
    assert isinstance(last(node), FetchSnapshotRequest)
    later(node, 1_000)
    assert isinstance(last(node), FetchRequest)
    answer(node, evolve(OK, snapshot=SNAPSHOT))
    assert last(node).position == 0


@pytest.mark.parametrize(
    "wrong",
    [
        part(3, b"123"),
        part(0, b""),
        part(0, b"1", snapshot=SnapshotId(5, 101)),
        part(0, b"12345678901"),
        part(0, b"1", size_bytes=2**31),
    ],
    ids=["position", "empty", "other snapshot", "too much", "too large"],
)
def test_a_wrong_part_is_not_written(wrong: FetchSnapshotResponse) -> None:
    node = downloading()
    answer(node, wrong)
    assert node.unsynced == []
    later(node, 20)
    assert last(node) == FetchSnapshotRequest(voter(1).key, 5, SNAPSHOT, 0, 1_048_576)


def test_a_file_that_changes_its_size_is_another_file() -> None:
    node = downloading()
    answer(node, part(0, b"1234"))
    answer(node, part(4, b"5678", size_bytes=11))
    assert len(node.unsynced) == 1
    later(node, 20)
    assert isinstance(last(node), FetchRequest)


@pytest.mark.parametrize(
    ("snapshot", "high_watermark"),
    [
        (SnapshotId(3, 5), 6),
        (SnapshotId(4, 7), 0),
        (SnapshotId(4, 6), 0),
        (SnapshotId(0, 0), 0),
        (SnapshotId(6, 100), 0),
        (SnapshotId(5, 6), 7),
        (SnapshotId(-1, 100), 0),
        (SnapshotId(5, -1), 0),
    ],
    ids=[
        "committed",
        "our end",
        "in our log",
        "zero",
        "epoch to come",
        "newer but committed",
        "no epoch",
        "no offset",
    ],
)
def test_a_snapshot_that_is_not_ahead_of_what_we_have_is_refused(
    snapshot: SnapshotId, high_watermark: int
) -> None:
    node = follower()
    if high_watermark:
        answer(node, evolve(OK, high_watermark=high_watermark))
    node.now = 500
    before = node.replica.role.fetch_deadline  # type: ignore[union-attr]
    answer(node, evolve(OK, snapshot=snapshot))
    assert node.replica.role.fetch_deadline == before, "that leader is not heard by it"  # type: ignore[union-attr]
    assert node.replica.download is None
    assert "wants us to start from" in node.notices[-1].text  # type: ignore[union-attr]
    later(node, 20)
    assert isinstance(last(node), FetchRequest)


def test_one_of_a_later_epoch_takes_the_place_of_a_longer_log() -> None:
    node = follower()
    answer(node, evolve(OK, snapshot=SnapshotId(5, 6)))
    assert last(node).snapshot == SnapshotId(5, 6)


def test_an_uncommitted_end_is_truncated_before_the_download() -> None:
    """The leader's log begins at our end: its snapshot alone tells that the logs part below."""
    node = follower()
    answer(node, evolve(OK, snapshot=SnapshotId(3, 7)))
    assert node.replica.download is None
    node.settle()
    assert [batch.base_offset for batch in node.disk_log] == [0]
    request = last(node)
    assert (request.offset, request.last_epoch) == (5, 3)
    answer(node, evolve(OK, snapshot=SnapshotId(3, 7)))
    assert last(node).snapshot == SnapshotId(3, 7)


def test_nothing_committed_is_cut_for_a_snapshot() -> None:
    node = follower()
    answer(node, evolve(OK, high_watermark=7))
    answer(node, evolve(OK, snapshot=SnapshotId(3, 7)))
    assert (node.replica.log.end, node.unsynced, node.replica.download) == (7, [], None)


def test_records_end_a_download() -> None:
    servers = (voter(2).endpoints[0],)
    node = downloading(bootstrap=servers, request_timeout_ms=400)
    later(node, 400)
    answer(node, evolve(OK, records=(Batch(7, 7, 5, 72, 1),)), peer_id=sends(node)[-1].peer.id)
    assert node.replica.download is None
    assert isinstance(node.unsynced[0], AppendBatches)


def test_nothing_is_taken_while_the_disk_exchanges_the_log() -> None:
    node = installing()
    later(node, 2_500)
    assert node.replica.role.name == "Follower", "it is its own disk that it waits for"
    node.tell(RequestArrived(8, BeginEpochRequest(6, 2, voter(2).endpoints, voter(1).key)))
    waits = len(node.unsynced)
    assert sends(node)[-1].peer.id == 3, "the new leader is not asked before"
    node.tell(SnapshotInstalled(SNAPSHOT, 10, ()))
    assert len(node.unsynced) == waits
    assert not node.replica.role.has_fetched, "another leader's snapshot says nothing of this one"  # type: ignore[union-attr]
    node.unsynced = node.unsynced[2:]  # the part and the install are done
    node.settle()
    assert (sends(node)[-1].peer.id, last(node).offset, last(node).epoch) == (2, 100, 6)


def test_votes_go_by_the_snapshot_where_it_is_newer_than_the_log() -> None:
    node = installing()
    node.unsynced.clear()
    node.tell(SnapshotInstalled(SNAPSHOT, 10, ()))

    def vote(log_end: OffsetAndEpoch) -> bool:
        request = VoteRequest(6, voter(2).key, log_end, True, voter(1).key)
        fork = FakeHost(node.replica.fork(), node.now + 10_000)
        fork.tell(TimePassed())
        fork.tell(RequestArrived(9, request))
        (word,) = [one for one in fork.settle().words if isinstance(one, Answer)]
        return bool(word.message.granted)  # type: ignore[union-attr]

    assert [vote(OffsetAndEpoch(5, 99)), vote(OffsetAndEpoch(4, 900))] == [False, False]
    assert [vote(OffsetAndEpoch(5, 100)), vote(OffsetAndEpoch(6, 7))] == [True, True]
    later(node, 10_000)
    asked = [word.message for word in sends(node) if isinstance(word.message, VoteRequest)]
    assert asked[-1].log_end == OffsetAndEpoch(5, 100)


def test_the_request_asks_for_no_more_than_is_configured() -> None:
    node = downloading_with(4)
    assert last(node).max_bytes == 4


def downloading_with(snapshot_max_bytes: int) -> FakeHost:
    node = follower(snapshot_max_bytes=snapshot_max_bytes)
    answer(node, evolve(OK, snapshot=SNAPSHOT))
    return node


def test_an_answer_with_an_invalid_request_in_it_is_no_part() -> None:
    node = downloading()
    answer(node, part(0, b"1", error=INVALID_REQUEST))
    assert node.unsynced == []


def test_each_part_keeps_the_leader_alive() -> None:
    node = downloading()
    node.now = 1_500
    answer(node, part(0, b"1234"))
    assert node.replica.role.fetch_deadline == 3_500  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("hint", "role"),
    [(Hint(None, 6), "Unattached"), (Hint(2, 6, voter(2).endpoints), "Follower")],
    ids=["that nobody leads yet", "that another leads"],
)
@pytest.mark.parametrize("error", [FENCED_LEADER_EPOCH, NOT_LEADER_OR_FOLLOWER, NONE])
def test_an_answer_from_a_later_epoch_ends_the_download(hint: Hint, role: str, error: int) -> None:
    node = downloading()
    answer(node, part(0, b"", error=error, hint=hint))
    node.settle()
    assert (node.replica.role.name, node.disk_election) == (role, ElectionState(6, hint.leader_id))
    assert node.unsynced == []
    later(node, 20)
    if role == "Follower":
        assert isinstance(last(node), FetchRequest)


def test_an_answer_from_an_older_epoch_is_nothing() -> None:
    node = downloading()
    answer(node, part(0, b"1234", hint=Hint(2, 4, voter(2).endpoints)))
    assert node.unsynced == []
    assert (node.replica.role.name, node.replica.leader_id) == ("Follower", 3)
    later(node, 20)
    assert (last(node).snapshot, last(node).position) == (SNAPSHOT, 0)


def test_a_part_that_comes_when_it_follows_no_more_is_nothing() -> None:
    node = downloading()
    late = sends(node)[-1].correlation
    node.now = 2_000
    node.tell(TimePassed(only="fetch"))
    assert node.replica.role.name == "Prospective"
    before = node.replica.value()
    node.tell(ResponseArrived(3, late, part(0, b"1234567890")))
    assert node.replica.value() == before
    assert node.unsynced == []
