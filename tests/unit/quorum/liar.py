"""A peer that says anything, by seed, and the lines that it is worth."""

from __future__ import annotations

from random import Random
from typing import Any

from attrs import evolve

from metaquorum.base.limits import MAX_EPOCH
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.quorum.effects import Complaint
from metaquorum.quorum.messages import (
    NONE,
    AddVoterRequest,
    ApiVersionsResponse,
    BeginEpochRequest,
    EndEpochRequest,
    EpochResponse,
    FetchRequest,
    FetchResponse,
    FetchSnapshotRequest,
    FetchSnapshotResponse,
    Hint,
    Refused,
    RemoveVoterRequest,
    UpdateVoterRequest,
    UpgradeRequest,
    VoterChangeResponse,
    VoteRequest,
    VoteResponse,
)
from metaquorum.quorum.types import Endpoint, ReplicaKey, SnapshotId
from metaquorum.testing.cluster import Cluster
from metaquorum.testing.fakes import FakeHost, data_batch, directory

HIGHEST = 2**31 - 1
NUMBERS = (-(2**63), -(2**31), -2, -1, 0, 1, 2, 3, 4, 5, 9, MAX_EPOCH, HIGHEST, 2**63 - 1)


class Liar:
    """Builds requests and answers out of whatever numbers come to its mind."""

    def __init__(self, seed: int, epoch: int) -> None:
        self.random, self.epoch = Random(seed), epoch

    def number(self) -> int:
        near = (self.epoch - 1, self.epoch, self.epoch + 1)
        return self.random.choice(NUMBERS + near * 4)

    def key(self) -> ReplicaKey:
        node_id = self.random.choice((-1, 1, 2, 3, 4, HIGHEST))
        return ReplicaKey(node_id, self.random.choice((None, directory(1), directory(2))))

    def endpoints(self) -> tuple[Endpoint, ...]:
        one = Endpoint(
            self.random.choice(("CONTROLLER", "", "X")),
            self.random.choice(("", "host2", "x" * 300)),
            self.random.choice((-1, 0, 9093, 70_000)),
        )
        return self.random.choice(((), (one,), (one, one)))

    def hint(self) -> Hint:
        leader_id = self.random.choice((None, 1, 2, 3, 99))
        return Hint(leader_id, self.number(), self.endpoints())

    def request(self) -> Any:
        number, key, ends = self.number, self.key, self.endpoints
        flag, end = self.random.random() < 0.5, OffsetAndEpoch(number(), number())
        return self.random.choice(
            (
                VoteRequest(number(), key(), end, flag, key()),
                BeginEpochRequest(number(), key().id, ends(), key()),
                EndEpochRequest(number(), key().id, (key(), key()), ends()),
                FetchRequest(key(), number(), number(), number(), number(), number(), number()),
                FetchSnapshotRequest(
                    key(), number(), SnapshotId(number(), number()), number(), number()
                ),
                AddVoterRequest(key(), ends(), flag),
                RemoveVoterRequest(key()),
                UpdateVoterRequest(number(), key(), ends(), number(), number()),
                UpgradeRequest(number(), None if flag else number(), flag),
            )
        )

    def answer(self) -> Any:
        number, hint = self.number, self.hint
        error = self.random.choice((NONE, NONE, NONE, 6, 7, 35, 42, 74, 75, 98, 125, -1))
        end = OffsetAndEpoch(number(), number())
        batch = evolve(data_batch("lie"), base_offset=number(), last_offset=number(), epoch=1)
        return self.random.choice(
            (
                VoteResponse(error, hint(), self.random.random() < 0.5),
                EpochResponse(error, hint()),
                FetchResponse(error, hint(), number(), number(), records=(batch,)),
                FetchResponse(error, hint(), number(), number(), diverging=end),
                FetchResponse(error, hint(), number(), number(), snapshot=SnapshotId(*end_of(end))),
                FetchSnapshotResponse(error, hint(), SnapshotId(*end_of(end)), number(), 0, b"x"),
                VoterChangeResponse(error, hint()),
                ApiVersionsResponse(error, (number(), number())),
                Refused(error),
            )
        )


def end_of(end: OffsetAndEpoch) -> tuple[int, int]:
    return end.epoch, end.offset


def quorum(*ids: int) -> Cluster:
    cluster = Cluster.of(ids, kraft_version=1)
    assert cluster.elected() == 1
    return cluster.run_for(600)


def begin(leader_id: int, epoch: int, host: str = "host") -> BeginEpochRequest:
    endpoints = (Endpoint("CONTROLLER", host, 9093),) if host else ()
    return BeginEpochRequest(epoch, leader_id, endpoints)


def complaints(host: FakeHost) -> list[str]:
    """The lines about mistakes."""
    return [one.text for one in host.notices if isinstance(one, Complaint) and one.mistake]
