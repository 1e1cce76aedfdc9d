"""Request ids by which an answer finds its way back, without a table to carry along."""

from __future__ import annotations

from metaquorum.base.ids import NodeId
from metaquorum.quorum.messages import VoteRequest
from metaquorum.testing.explorer.world import Packet

CORRELATIONS = 1_000_000
MANY_PEERS = 100


def request_id(packet: Packet) -> int:
    """Who asked, by which name it knows the other, whether for a real vote, and its number."""
    message = packet.message
    real_vote = isinstance(message, VoteRequest) and not message.pre_vote
    who = (packet.sender * MANY_PEERS - packet.peer) * 2 + real_vote
    return who * CORRELATIONS + packet.correlation


def asked_by(request: int) -> tuple[NodeId, NodeId, bool, int]:
    """Asker, the peer id it used, whether it asked for a real vote, and its number."""
    who, correlation = divmod(request, CORRELATIONS)
    pair, real_vote = divmod(who, 2)
    asker, rest = divmod(pair + MANY_PEERS // 2, MANY_PEERS)
    return asker, MANY_PEERS // 2 - rest, bool(real_vote), correlation
