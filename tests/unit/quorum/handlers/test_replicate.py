"""A follower copies: good batches only, never below the watermark, snapshots part by part."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.quorum.effects import (
    AppendBatches,
    Committed,
    Send,
    TruncateLog,
)
from metaquorum.quorum.events import (
    RequestFailed,
    ResponseArrived,
    TimePassed,
)
from metaquorum.quorum.messages import (
    FENCED_LEADER_EPOCH,
    NONE,
    NOT_LEADER_OR_FOLLOWER,
    UNKNOWN_SERVER_ERROR,
    FetchRequest,
    FetchResponse,
    Hint,
    Refused,
)
from metaquorum.quorum.types import (
    Batch,
    Control,
    ElectionState,
    VotersControl,
)
from metaquorum.testing.fakes import FakeHost, voter, voters

HINT = Hint(3, 5, voter(3).endpoints)
LOG = (Batch(0, 4, 3, 360, 5), Batch(5, 6, 4, 144, 2))
OK = FetchResponse(NONE, HINT, high_watermark=0)


def follower(**changes: Any) -> FakeHost:
    election = ElectionState(5, 3)
    return FakeHost.of(1, voters(1, 2, 3), election=election, log=LOG, **changes).started()


def sends(node: FakeHost) -> list[Send]:
    return [word for word in node.words if isinstance(word, Send)]


def answer(node: FakeHost, message: Any, peer_id: int = 3) -> None:
    in_flight = node.replica.peers.of(peer_id).in_flight
    assert in_flight is not None
    node.tell(ResponseArrived(peer_id, in_flight.correlation, message))


def records(*batches: Batch, high_watermark: int = 0) -> FetchResponse:
    return FetchResponse(NONE, HINT, high_watermark=high_watermark, records=batches)


def test_it_fetches_at_its_end_with_what_it_knows() -> None:
    (first,) = sends(follower())
    assert first.peer.id == 3
    assert first.message == FetchRequest(voter(1).key, 5, 7, 4, 500, 1_048_576, -1)


def test_no_fetch_waits_for_news_as_long_as_the_fetch_time_out() -> None:
    (first,) = sends(follower(fetch_timeout_ms=300))
    assert isinstance(first.message, FetchRequest)
    assert first.message.max_wait_ms == 150


def test_the_next_fetch_waits_for_the_disk() -> None:
    node = follower()
    answer(node, records(Batch(7, 8, 5, 144, 2)))
    assert len(sends(node)) == 1
    assert isinstance(node.unsynced[0], AppendBatches)
    node.sync()
    assert sends(node)[1].message.offset == 9  # type: ignore[union-attr]


def test_the_watermark_is_what_the_leader_says_and_we_have() -> None:
    node = follower()
    answer(node, records(Batch(7, 8, 5, 144, 2), high_watermark=50))
    assert node.replica.log.high_watermark == 9
    node.settle()
    assert Committed(0, 9) in node.words
    answer(node, records(high_watermark=3))
    assert node.replica.log.high_watermark == 9, "it never falls"


@pytest.mark.parametrize(
    ("offered", "taken"),
    [
        ((Batch(7, 7, 5, 72, 1), Batch(9, 9, 5, 72, 1)), 8),
        ((Batch(8, 8, 5, 72, 1),), 7),
        ((Batch(5, 6, 4, 72, 2),), 7),
        ((Batch(7, 7, 6, 72, 1),), 7),
        ((Batch(7, 7, 3, 72, 1),), 7),
        ((Batch(7, 7, 5, 72, 1), Batch(8, 8, 4, 72, 1)), 8),
    ],
    ids=["gap", "beyond", "before", "epoch above", "epoch below", "epoch falls"],
)
def test_only_what_fits_is_appended(offered: tuple[Batch, ...], taken: int) -> None:
    node = follower()
    answer(node, records(*offered))
    assert node.replica.log.end == taken
    node.settle()
    assert node.replica.role.name == "Follower"


def test_what_parted_is_cut_and_fetched_anew() -> None:
    node = follower()
    answer(node, evolve(OK, diverging=OffsetAndEpoch(3, 3)))
    assert node.unsynced == [TruncateLog(1, 3)]
    assert len(sends(node)) == 1
    with pytest.raises(ValueError, match="splits"):
        node.sync()


def test_a_cut_at_a_batch_border_is_followed_by_a_fetch() -> None:
    node = follower()
    answer(node, evolve(OK, diverging=OffsetAndEpoch(3, 5)))
    node.settle()
    assert [batch.base_offset for batch in node.disk_log] == [0]
    request = sends(node)[1].message
    assert isinstance(request, FetchRequest)
    assert (request.offset, request.last_epoch) == (5, 3)


def test_what_is_committed_is_not_cut_for_anybody() -> None:
    node = follower()
    answer(node, records(high_watermark=6))
    answer(node, evolve(OK, diverging=OffsetAndEpoch(3, 5)))
    assert node.replica.log.end == 7
    assert node.unsynced == []
    assert len(sends(node)) == 2, "and that leader is left alone for a moment"
    node.now = 20
    node.tell(TimePassed())
    assert len(sends(node)) == 3


def test_voters_that_were_cut_off_do_not_count_any_more() -> None:
    node = follower()
    added = Control(7, VotersControl(voters(1, 2, 3, 4).voters))
    answer(node, records(Batch(7, 7, 5, 72, 1, controls=(added,))))
    assert len(node.replica.voters.latest) == 4
    node.settle()
    answer(node, evolve(OK, diverging=OffsetAndEpoch(4, 7)))
    assert len(node.replica.voters.latest) == 3


def test_an_answer_without_error_keeps_the_leader_alive() -> None:
    node = follower()
    node.now = 1_500
    answer(node, records())
    assert node.replica.role.fetch_deadline == 3_500  # type: ignore[union-attr]
    assert node.replica.role.has_fetched  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "message",
    [
        FetchResponse(UNKNOWN_SERVER_ERROR, HINT),
        FetchResponse(NOT_LEADER_OR_FOLLOWER, Hint(None, 5)),
        Refused(104),
    ],
)
def test_an_error_does_not_and_is_tried_again_after_a_rest(message: Any) -> None:
    node = follower()
    node.now = 100
    answer(node, message)
    assert node.replica.role.fetch_deadline == 2_000  # type: ignore[union-attr]
    assert (len(sends(node)), node.replica.deadline) == (1, 120)
    node.now = 120
    node.tell(TimePassed())
    assert len(sends(node)) == 2


def test_a_fenced_follower_goes_to_the_leader_it_is_told() -> None:
    node = follower()
    answer(node, FetchResponse(FENCED_LEADER_EPOCH, Hint(2, 6, voter(2).endpoints)))
    node.settle()
    assert node.disk_election == ElectionState(6, 2)
    assert sends(node)[-1].peer.id == 2


def test_a_response_naming_us_leader_of_a_lost_epoch_bars_our_vote() -> None:
    node = follower()
    answer(node, FetchResponse(FENCED_LEADER_EPOCH, Hint(1, 9, voter(1).endpoints)))
    node.settle()
    assert node.disk_election == ElectionState(9, 1)
    assert node.replica.hint.leader_id is None


def test_bootstrap_servers_are_asked_in_turn_for_a_silent_leader() -> None:
    servers = tuple(voter(one).endpoints[0] for one in (1, 2, 3))
    node = follower(bootstrap=servers, request_timeout_ms=400)
    node.now = 400
    node.tell(TimePassed())
    assert [word.peer.id for word in sends(node)] == [3, -3], "its own address is passed over"
    node.tell(RequestFailed(-3, sends(node)[-1].correlation, "refused"))
    assert [word.peer.id for word in sends(node)] == [3, -3, 3], "the leader may be back"
