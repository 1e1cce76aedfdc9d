"""Which requests make a connection a voter's.

On a listener without authentication anybody can claim to be a voter; with an authorizer it takes
the right CLUSTER_ACTION.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from metaquorum.base.errors import RequestError
from metaquorum.metadata.acl_codes import CLUSTER_NAME, Operation, ResourceType
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.message import AnyMessage, Message

if TYPE_CHECKING:  # decoding a request imports its codec
    from metaquorum.wire.generated.begin_quorum_epoch_request import BeginQuorumEpochRequest
    from metaquorum.wire.generated.end_quorum_epoch_request import EndQuorumEpochRequest
    from metaquorum.wire.generated.fetch_request import FetchRequest
    from metaquorum.wire.generated.vote_request import VoteRequest

_STATE_FROM: Final = 15  # the version of Fetch that moves the replica's id into ReplicaState


def note_voter(request: Request[Message], services: Services) -> None:
    """A request of a replica or a broker was served: note whether a voter sent it."""
    origin = request.origin
    if origin.standing.is_voter or not origin.listener.is_controller:
        return
    asking = _ASKING.get(request.header.api_key)
    if asking is None:  # brokers ask for that
        return
    replica_id = asking(request.message, request.version)
    if replica_id not in services.voter_ids() or replica_id == services.node_id:
        return
    if _may_act(request):
        origin.standing.spoke_as_voter()


def _may_act(request: Request[Message]) -> bool:
    rights = request.rights
    if not rights.are_guarded:
        return True
    try:
        return rights.may(Operation.CLUSTER_ACTION, ResourceType.CLUSTER, CLUSTER_NAME, noted=False)
    except RequestError:  # nobody knows yet what is allowed
        return False


def _of_fetch(message: FetchRequest, version: int) -> int:
    return message.replica_state.replica_id if version >= _STATE_FROM else message.replica_id


def _of_vote(message: VoteRequest, version: int) -> int:
    return next((one.replica_id for topic in message.topics for one in topic.partitions), -1)


def _of_epoch(message: BeginQuorumEpochRequest | EndQuorumEpochRequest, version: int) -> int:
    return next((one.leader_id for topic in message.topics for one in topic.partitions), -1)


_ASKING: Final[dict[int, Callable[[AnyMessage, int], int]]] = {
    1: _of_fetch,
    52: _of_vote,
    53: _of_epoch,
    54: _of_epoch,
    59: lambda message, version: message.replica_id,
    70: lambda message, version: message.controller_id,
    82: lambda message, version: message.voter_id,
}
"""Who asks, by API key, as the request says."""
