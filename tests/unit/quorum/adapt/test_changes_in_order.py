"""Changes of the voters with every pair of defects: the earlier check answers, and says why."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import evolve

from metaquorum.base.clock import NEVER
from metaquorum.quorum.roles.leader import VoterChange
from metaquorum.testing.fakes import FakeHost, directory
from metaquorum.wire.generated import (
    add_raft_voter_request,
    remove_raft_voter_request,
    update_raft_voter_request,
)
from tests.unit.quorum.adapt.over_the_wire import (
    CLUSTER,
    EPOCH,
    INVALID,
    Defect,
    ask,
    follower,
    leading,
    pairs,
    put,
)

ADD, REMOVE, UPDATE = 80, 81, 82
OTHER_CLUSTER, NOT_LEADER, TIMED_OUT, UNSUPPORTED = 104, 6, 7, 35
FENCED, UNKNOWN_EPOCH, DUPLICATE, NOT_FOUND = 74, 75, 126, 127
NO_ID = bytes(16)


def listeners(*places: tuple[str, str]) -> Any:
    """Other endpoints, of the class that the request has."""

    def spoil(node: FakeHost, request: Any) -> None:
        kind = type(request.listeners[0])
        request.listeners = [kind(name, host, 9093) for name, host in places]

    return spoil


def under_way(node: FakeHost, request: Any) -> None:
    node.replica.role = evolve(node.replica.role, change=VoterChange("add", NEVER, 1))  # type: ignore[call-arg]


def nothing_committed(node: FakeHost, request: Any) -> None:
    node.replica.log = evolve(node.replica.log, high_watermark=None)


def version_0(node: FakeHost, request: Any) -> None:
    node.replica.voters = evolve(node.replica.voters, versions=())


def voters_not_committed(node: FakeHost, request: Any) -> None:
    history = node.replica.voters
    latest = (node.replica.log.end, history.latest)
    node.replica.voters = evolve(history, sets=(*history.sets, latest))


CLUSTERS = [
    Defect("other cluster", OTHER_CLUSTER, put("cluster_id", "other"), "cluster", words="cluster"),
    Defect("empty cluster", OTHER_CLUSTER, put("cluster_id", ""), "cluster", words="cluster"),
]
KEYS = [
    Defect("negative id", INVALID, put("voter_id", -1), "key", words="no node id"),
    Defect("no directory", INVALID, put("voter_directory_id", NO_ID), words="no directory id"),
]
PLACES = [
    Defect("no listener", INVALID, listeners(), "listeners", words="no endpoint"),
    Defect("other listener", INVALID, listeners(("B", "h")), "listeners", words="no endpoint"),
    Defect("empty host", INVALID, listeners(("CONTROLLER", "")), "listeners", words="has no host"),
]
BUSY = [
    Defect("under way", TIMED_OUT, under_way, words="another change"),
    Defect("nothing committed", TIMED_OUT, nothing_committed, words="of epoch 5 is committed"),
]
VERSION = Defect("kraft.version 0", UNSUPPORTED, version_0, words="kraft.version 0")
UNCOMMITTED = Defect(
    "voters not committed", TIMED_OUT, voters_not_committed, words="are not committed yet"
)

ADDS = [
    *CLUSTERS,
    *KEYS,
    *PLACES,
    *BUSY,
    VERSION,
    UNCOMMITTED,
    Defect("a voter already", DUPLICATE, put("voter_id", 2), "key", words="already"),
]
REMOVES = [
    *CLUSTERS,
    *KEYS,
    *BUSY,
    VERSION,
    UNCOMMITTED,
    Defect("no voter", NOT_FOUND, put("voter_id", 9), "key", words="is no voter"),
    Defect("other directory", NOT_FOUND, put("voter_directory_id", b"x" * 16), "no directory"),
]
UPDATES = [
    *CLUSTERS,
    Defect("older epoch", FENCED, put("current_leader_epoch", EPOCH - 1), "epoch"),
    Defect("newer epoch", UNKNOWN_EPOCH, put("current_leader_epoch", EPOCH + 1), "epoch"),
    *KEYS,
    *PLACES,
    Defect("no range", INVALID, lambda node, request: levels(request, 1, 0), "levels"),
    Defect("negative range", INVALID, lambda node, request: levels(request, -1, 1), "levels"),
    *BUSY,
    UNCOMMITTED,
    Defect("range above", INVALID, lambda node, request: levels(request, 2, 3), "levels"),
    Defect("no voter", NOT_FOUND, put("voter_id", 9), "key"),
    Defect("other directory", NOT_FOUND, put("voter_directory_id", b"x" * 16), "no directory"),
]


def levels(request: Any, lowest: int, highest: int) -> None:
    feature = update_raft_voter_request.KRaftVersionFeature(lowest, highest)
    request.kraft_version_feature = feature


def add() -> Any:
    place = add_raft_voter_request.Listener("CONTROLLER", "host4", 9093)
    return add_raft_voter_request.AddRaftVoterRequest(CLUSTER, 1_000, 4, directory(4), [place])


def remove() -> Any:
    return remove_raft_voter_request.RemoveRaftVoterRequest(CLUSTER, 3, directory(3))


def update() -> Any:
    module = update_raft_voter_request
    place = module.Listener("CONTROLLER", "elsewhere", 9093)
    feature = module.KRaftVersionFeature(0, 1)
    return module.UpdateRaftVoterRequest(CLUSTER, EPOCH, 3, directory(3), [place], feature)


KINDS = [(ADD, 0, add, ADDS), (ADD, 1, add, ADDS), (REMOVE, 0, remove, REMOVES)]


@pytest.mark.parametrize(
    ("key", "version", "request_of", "defects"), [*KINDS, (UPDATE, 0, update, UPDATES)]
)
def test_a_change_of_voters_is_checked_in_order(
    key: int, version: int, request_of: Any, defects: list[Defect]
) -> None:
    for first, second in pairs(defects, version):
        node, request = leading(), request_of()
        for defect in (second, first) if second is not first else (first,):
            defect.spoil(node, request)
        end = node.replica.log.end
        answer = ask(node, key, version, request)
        assert answer is not None, (first.name, second.name)
        assert answer.error_code == first.error, (first.name, second.name)
        assert node.replica.log.end == end
        if key != UPDATE:
            assert first.words in answer.error_message, (first.name, second.name)
        else:
            leader = answer.current_leader
            told = (leader.leader_id, leader.leader_epoch, leader.host, leader.port)
            assert told == (1, EPOCH, "host1", 9093)


@pytest.mark.parametrize(
    ("key", "version", "request_of", "defects"), [*KINDS, (UPDATE, 0, update, UPDATES)]
)
def test_anyone_who_does_not_lead_looks_at_the_cluster_alone(
    key: int, version: int, request_of: Any, defects: list[Defect]
) -> None:
    for defect in defects:
        node, request = follower(), request_of()
        if defect.name in ("under way", "nothing committed", "voters not committed"):
            continue
        defect.spoil(node, request)
        answer = ask(node, key, version, request)
        early = defect.error in (OTHER_CLUSTER, FENCED, UNKNOWN_EPOCH)
        assert answer.error_code == (defect.error if early else NOT_LEADER), defect.name


def test_under_kraft_version_0_an_update_is_kept_in_memory() -> None:
    """Of a voter that the set knows; another is not found (KAFKA-16538)."""
    for voter_id, error in ((3, 0), (9, NOT_FOUND)):
        node, request = leading(), update()
        version_0(node, request)
        request.voter_id, end = voter_id, node.replica.log.end
        assert ask(node, UPDATE, 0, request).error_code == error
        assert node.replica.log.end == end


@pytest.mark.parametrize("cluster_id", [None, CLUSTER], ids=["no cluster", "our cluster"])
def test_a_right_change_is_begun(cluster_id: str | None) -> None:
    for key, version, request_of, _ in KINDS:
        node, request = leading(), request_of()
        request.cluster_id = cluster_id
        assert ask(node, key, version, request) is None, "it waits for the commit"
        assert node.replica.role.change is not None  # type: ignore[union-attr]
    node, request = leading(), update()
    request.cluster_id = cluster_id
    assert ask(node, UPDATE, 0, request).error_code == 0
    stored = node.replica.voters.latest.by_id(3)
    assert stored is not None
    assert stored.endpoints[0].host == "elsewhere"
