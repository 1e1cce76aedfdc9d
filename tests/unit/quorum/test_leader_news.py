"""What the state machine beside the core is told: who leads, and how far it may read."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from metaquorum.base.offsets import LeaderAndEpoch, OffsetAndEpoch
from metaquorum.quorum.effects import Committed, LeaderChanged
from metaquorum.quorum.events import RequestArrived, ResignAsked, Started, TimePassed
from metaquorum.quorum.messages import (
    NONE,
    BeginEpochRequest,
    FetchRequest,
    FetchResponse,
    Hint,
)
from metaquorum.quorum.types import Batch, ElectionState, ReplicaKey
from metaquorum.testing.fakes import FakeHost, directory, voter
from tests.unit.quorum.rpc_age import (
    RpcAge,
    answered,
    append,
    granted,
    in_both_ages,
    leader,
    said,
)

OWN = ReplicaKey(1, directory(1))


def news(node: FakeHost) -> list[LeaderChanged]:
    return [one for one in node.words if isinstance(one, LeaderChanged)]


def watermarks(node: FakeHost) -> list[int]:
    return [one.high_watermark for one in node.words if isinstance(one, Committed)]


@in_both_ages
@pytest.mark.parametrize(
    ("election", "told"),
    [
        (ElectionState(), []),
        (ElectionState(5), [LeaderAndEpoch(None, 5)]),
        (ElectionState(5, 3), [LeaderAndEpoch(3, 5)]),
        (ElectionState(5, 1), [LeaderAndEpoch(None, 5)]),
    ],
    ids=["nothing known", "unattached", "follower", "resigned"],
)
def test_a_start_reports_the_leader_and_for_a_resigned_node_no_leader(
    age: RpcAge, election: ElectionState, told: list[LeaderAndEpoch]
) -> None:
    node = age.host(election, log=())
    assert [one.leader for one in news(node)] == told
    assert all(one.active_from is None for one in news(node))


@in_both_ages
@pytest.mark.parametrize("empty", [False, True], ids=["a log", "an empty log"])
def test_a_leader_may_act_from_behind_the_opening_of_its_epoch(age: RpcAge, empty: bool) -> None:
    """Not before: by then it has read everything that earlier leaders committed."""
    log = () if empty else (Batch(0, 4, 3, 360, 5),)
    node = leader(age, log=log)
    first = 0 if empty else 5
    opening = 3 if age.kraft_version else 1
    assert news(node)[-1].leader == LeaderAndEpoch(1, 5)
    assert news(node)[-1].active_from == first + opening
    assert watermarks(node) == [], "nothing is committed before another voter has it"
    key = ReplicaKey(2, directory(2))
    said(node, FetchRequest(key, 5, first + opening, 5, 0, 1_000))
    assert watermarks(node) == [first + opening]


@in_both_ages
def test_a_resignation_reports_no_leader_until_another_one_leads(age: RpcAge) -> None:
    node = leader(age)
    before = len(news(node))
    node.tell(ResignAsked(5))
    node.tell(TimePassed(only="retry"))
    assert [one.leader for one in news(node)[before:]] == [LeaderAndEpoch(None, 5)]
    said(node, BeginEpochRequest(6, 3, voter(3).endpoints))
    assert [one.leader for one in news(node)[before + 1 :]] == [LeaderAndEpoch(3, 6)]


@in_both_ages
def test_news_wait_for_the_disk_that_has_to_know_the_epoch(age: RpcAge) -> None:
    node = age.host(ElectionState(5))
    before = len(news(node))
    node.tell(RequestArrived(9, BeginEpochRequest(6, 3, voter(3).endpoints)))
    assert len(news(node)) == before
    node.settle()
    assert news(node)[-1].leader == LeaderAndEpoch(3, 6)


def follower_with_news(age: RpcAge) -> FakeHost:
    """A follower of node 3 that has heard that all five records are committed."""
    node = age.host(ElectionState(5, 3))
    hint = Hint(3, 5, voter(3).endpoints)
    answered(node, 3, FetchResponse(NONE, hint, high_watermark=2))
    answered(node, 3, FetchResponse(NONE, hint, high_watermark=5))
    assert watermarks(node) == [2, 5]
    return node


def stays_follower(node: FakeHost, age: RpcAge) -> None:
    pass


def votes(node: FakeHost, age: RpcAge) -> None:
    assert said(node, age.vote(6, 2, OffsetAndEpoch(5, 9))).granted
    assert node.replica.role.name == "Unattached"


def stands(node: FakeHost, age: RpcAge) -> None:
    node.now = node.replica.deadline
    node.tell(TimePassed(only="fetch"))
    granted(node, 2)
    assert node.replica.role.name == "Candidate"


def leads_and_resigns(node: FakeHost, age: RpcAge) -> None:
    stands(node, age)
    granted(node, 3)
    node.tell(ResignAsked(6))
    assert node.settle().replica.role.name == "Resigned"


@in_both_ages
@pytest.mark.parametrize("becomes", [stays_follower, votes, stands, leads_and_resigns])
def test_a_known_high_watermark_is_kept_through_every_role_change(
    age: RpcAge, becomes: Callable[[FakeHost, RpcAge], None]
) -> None:
    """A reader that is behind goes on reading up to it, though nobody leads."""
    node = follower_with_news(age)
    becomes(node, age)
    assert node.replica.log.high_watermark == 5
    assert watermarks(node) == [2, 5], "told once and never taken back"


@in_both_ages
def test_a_watermark_is_not_remembered_over_a_restart(age: RpcAge) -> None:
    again = follower_with_news(age).restarted()
    again.tell(Started())
    assert again.replica.log.high_watermark is None
    assert watermarks(again) == []


@in_both_ages
def test_appends_on_a_majority_are_reported_committed_in_order(age: RpcAge) -> None:
    node = leader(age)
    append(node, "a")
    append(node, "b")
    node.settle()
    end = node.replica.log.end
    assert watermarks(node) == []
    for offset in (end - 1, end):
        key = ReplicaKey(3, directory(3))
        said(node, FetchRequest(key, 5, offset, 5, 0, 1_000))
    assert watermarks(node) == [end - 1, end]
