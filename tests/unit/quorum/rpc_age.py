"""Both ages of the quorum's requests: without directories (KIP-595) and with them (KIP-853).

Most of Kafka's own cases run in both; so do ours, by ``in_both_ages``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from attrs import frozen

from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.quorum.effects import Answer, Effect, Send
from metaquorum.quorum.events import AppendAsked, RequestArrived, ResignAsked, ResponseArrived
from metaquorum.quorum.messages import NONE, Hint, Request, Response, VoteRequest, VoteResponse
from metaquorum.quorum.types import Batch, ElectionState, ReplicaKey
from metaquorum.quorum.voters import VoterSet
from metaquorum.testing.fakes import FakeHost, data_batch, directory, voters

LOG = (Batch(0, 4, 3, 360, 5),)  # five records of epoch 3
LOG_END = OffsetAndEpoch(3, 5)
OWN = ReplicaKey(1, directory(1))


@frozen
class RpcAge:
    """What replicas know of each other: ids alone, or ids with directories."""

    kraft_version: int

    def key(self, node_id: int) -> ReplicaKey:
        """A replica as others name it."""
        return ReplicaKey(node_id, directory(node_id) if self.kraft_version else None)

    def voters(self, *ids: int) -> VoterSet:
        """The voters of these ids."""
        return voters(*ids, with_directory=bool(self.kraft_version))

    def host(self, election: ElectionState, *ids: int, node_id: int = 1, **more: Any) -> FakeHost:
        """A started node over this disk, one of three voters if no ids are given."""
        known = self.voters(*(ids or (1, 2, 3)))
        more.setdefault("log", LOG)
        return FakeHost.of(
            node_id, known, election=election, kraft_version=self.kraft_version, **more
        ).started()

    def vote(self, epoch: int, candidate: int, log_end: OffsetAndEpoch = LOG_END) -> VoteRequest:
        """A candidate's question to node 1."""
        receiver = self.key(1) if self.kraft_version else None
        return VoteRequest(epoch, self.key(candidate), log_end, receiver=receiver)


Make = Callable[[RpcAge], FakeHost]

in_both_ages = pytest.mark.parametrize("age", [RpcAge(0), RpcAge(1)], ids=["KIP-595", "KIP-853"])


def said(node: FakeHost, request: Request, request_id: int = 9) -> Any:
    """The answer to a request once the disk has everything; None while it is parked."""
    before = len(node.words)
    node.tell(RequestArrived(request_id, request))
    words = node.settle().words[before:]
    found = [one for one in words if isinstance(one, Answer) and one.id == request_id]
    return found[-1].message if found else None


def sent(node: FakeHost, kind: type | None = None) -> list[Send]:
    """What a node has sent so far, of one kind if one is named."""
    words = [one for one in node.words if isinstance(one, Send)]
    return [one for one in words if kind is None or isinstance(one.message, kind)]


def correlation(node: FakeHost, peer_id: int) -> int:
    """The number of the request that a peer has not answered yet."""
    in_flight = node.replica.peers.of(peer_id).in_flight
    assert in_flight is not None
    return in_flight.correlation


def answered(node: FakeHost, peer_id: int, message: Response) -> list[Effect]:
    """Let a peer answer what it was asked last; what the node says to that."""
    return node.tell(ResponseArrived(peer_id, correlation(node, peer_id), message))


def granted(node: FakeHost, peer_id: int, grant: bool = True) -> None:
    """Let a peer grant or refuse the vote that it was asked for, and let the disk work."""
    answered(node, peer_id, VoteResponse(NONE, Hint(None, node.replica.epoch), grant))
    node.settle()


def leader(age: RpcAge, *ids: int, epoch: int = 5, **more: Any) -> FakeHost:
    """Node 1, just elected in ``epoch`` by the voters after it, its opening on the disk."""
    voters_of = ids or (1, 2, 3)
    node = age.host(ElectionState(epoch, None, OWN), *voters_of, **more)
    for peer_id in voters_of[1 : len(voters_of) // 2 + 1]:
        granted(node, peer_id)
    assert node.replica.role.name == "Leader"
    return node


def candidate(age: RpcAge) -> FakeHost:
    """Node 1, which voted for itself in epoch 5."""
    node = age.host(ElectionState(5, None, OWN))
    assert node.replica.role.name == "Candidate"
    return node


def resigned(age: RpcAge) -> FakeHost:
    """Node 1, which led epoch 5."""
    node = leader(age)
    node.tell(ResignAsked(5))
    assert node.replica.role.name == "Resigned"
    return node


def append(node: FakeHost, payload: object = "data") -> list[Effect]:
    """Ask a node to append one record in its present epoch."""
    return node.tell(AppendAsked(7, (data_batch(payload),), node.replica.epoch))
