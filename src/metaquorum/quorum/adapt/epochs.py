"""Vote, BeginQuorumEpoch and EndQuorumEpoch: one row about one log, and its answer.

KIP-595, KIP-853 (directories and endpoints) and KIP-996 (pre-votes).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from metaquorum.base.ids import METADATA_PARTITION, METADATA_TOPIC, NO_NODE
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.base.value import value
from metaquorum.quorum.adapt.forms import (
    INCONSISTENT_CLUSTER_ID,
    INVALID_REQUEST,
    AnswerContext,
    Settled,
    cluster_differs,
    directory,
    endpoint_rows,
    hint_of,
    is_metadata_log,
    leader_number,
    receiver_key,
    wire_directory,
)
from metaquorum.quorum.messages import (
    NONE,
    BeginEpochRequest,
    EndEpochRequest,
    EpochResponse,
    Refused,
    Request,
    VoteRequest,
    VoteResponse,
)
from metaquorum.quorum.types import Endpoint, ReplicaKey
from metaquorum.wire.generated import (
    begin_quorum_epoch_request,
    begin_quorum_epoch_response,
    end_quorum_epoch_request,
    end_quorum_epoch_response,
    vote_request,
    vote_response,
)

WITH_DIRECTORIES = 1


@value
class EpochApi:
    """The translation of one of the three APIs.

    ``asked`` and ``given`` are the generated modules of its request and response, ``request`` and
    ``response`` the classes in them. ``read_row`` makes the core's request of version, request and
    row. ``write_row`` makes a row of version, message and request, and fills in what of the request
    stands beside the row.
    """

    asked: Any
    given: Any
    request: type[Any]
    response: type[Any]
    read_row: Callable[[int, Any, Any], Request]
    write_row: Callable[[int, Any, Any], Any]

    def read_request(self, version: int, request: Any, cluster_id: str) -> Request | Settled:
        """The core's form; a wrong cluster or shape is answered with a top-level error."""
        if cluster_differs(request.cluster_id, cluster_id):
            return Settled(self.response(error_code=INCONSISTENT_CLUSTER_ID))
        if not is_metadata_log(request.topics):
            return Settled(self.response(error_code=INVALID_REQUEST))
        return self.read_row(version, request, request.topics[0].partitions[0])

    def write_response(
        self,
        version: int,
        request: Any,
        response: EpochResponse | VoteResponse,
        context: AnswerContext,
    ) -> Any:
        """The wire form of an answer."""
        row = self.given.PartitionData(
            partition_index=METADATA_PARTITION,
            error_code=response.error,
            leader_id=leader_number(response.hint),
            leader_epoch=response.hint.epoch,
        )
        if isinstance(response, VoteResponse):
            row.vote_granted = response.granted
        answer = self.response()
        answer.topics = [self.given.TopicData(topic_name=METADATA_TOPIC, partitions=[row])]
        if version >= WITH_DIRECTORIES:
            answer.node_endpoints = endpoint_rows(self.given, response.hint, context.listener)
        return answer

    def write_request(self, version: int, message: Any, cluster_id: str) -> Any:
        """The wire form of a request of our own."""
        request = self.request(cluster_id=cluster_id)
        row = self.write_row(version, message, request)
        request.topics = [self.asked.TopicData(topic_name=METADATA_TOPIC, partitions=[row])]
        return request

    def read_response(
        self, version: int, response: Any, listener: str
    ) -> EpochResponse | VoteResponse | Refused:
        """The core's form; an answer about anything but the metadata log counts as a refusal."""
        if response.error_code != NONE:
            return Refused(response.error_code)
        if not is_metadata_log(response.topics):
            return Refused(INVALID_REQUEST)
        row = response.topics[0].partitions[0]
        hint = hint_of(row.leader_id, row.leader_epoch, response.node_endpoints, listener)
        if self.given is vote_response:
            return VoteResponse(row.error_code, hint, row.vote_granted)
        return EpochResponse(row.error_code, hint)


def _read_endpoints(request: Any) -> tuple[Endpoint, ...]:
    """Where the leader that begins or ends its epoch is reached."""
    return tuple(Endpoint(one.name, one.host, one.port) for one in request.leader_endpoints)


def _write_endpoints(asked: Any, endpoints: tuple[Endpoint, ...]) -> list[Any]:
    """The same for the wire."""
    return [
        asked.LeaderEndpoint(name=one.listener, host=one.host, port=one.port) for one in endpoints
    ]


def _read_vote(
    version: int, request: vote_request.VoteRequest, row: vote_request.PartitionData
) -> VoteRequest:
    return VoteRequest(
        epoch=row.replica_epoch,
        candidate=ReplicaKey(row.replica_id, directory(row.replica_directory_id)),
        log_end=OffsetAndEpoch(row.last_offset_epoch, row.last_offset),
        pre_vote=row.pre_vote,
        receiver=receiver_key(request.voter_id, row.voter_directory_id),
    )


def _write_vote(
    version: int, message: VoteRequest, request: vote_request.VoteRequest
) -> vote_request.PartitionData:
    """A pre-vote below version 2 makes the encoder raise UnsupportedField: the caller reports
    ``RequestFailed(unsupported=True)``, and the election is held without pre-votes.
    """
    row = vote_request.PartitionData(
        partition_index=METADATA_PARTITION,
        replica_epoch=message.epoch,
        replica_id=message.candidate.id,
        last_offset_epoch=message.log_end.epoch,
        last_offset=message.log_end.offset,
        pre_vote=message.pre_vote,
    )
    if version >= WITH_DIRECTORIES:
        row.replica_directory_id = wire_directory(message.candidate)
        if message.receiver is not None:
            row.voter_directory_id = wire_directory(message.receiver)
        request.voter_id = NO_NODE if message.receiver is None else message.receiver.id
    return row


def _read_begin(
    version: int,
    request: begin_quorum_epoch_request.BeginQuorumEpochRequest,
    row: begin_quorum_epoch_request.PartitionData,
) -> BeginEpochRequest:
    return BeginEpochRequest(
        epoch=row.leader_epoch,
        leader_id=row.leader_id,
        endpoints=_read_endpoints(request),
        receiver=receiver_key(request.voter_id, row.voter_directory_id),
    )


def _write_begin(
    version: int,
    message: BeginEpochRequest,
    request: begin_quorum_epoch_request.BeginQuorumEpochRequest,
) -> begin_quorum_epoch_request.PartitionData:
    row = begin_quorum_epoch_request.PartitionData(
        partition_index=METADATA_PARTITION,
        leader_id=message.leader_id,
        leader_epoch=message.epoch,
    )
    if version >= WITH_DIRECTORIES:
        if message.receiver is not None:
            row.voter_directory_id = wire_directory(message.receiver)
        request.voter_id = NO_NODE if message.receiver is None else message.receiver.id
        request.leader_endpoints = _write_endpoints(begin_quorum_epoch_request, message.endpoints)
    return row


def _read_end(
    version: int,
    request: end_quorum_epoch_request.EndQuorumEpochRequest,
    row: end_quorum_epoch_request.PartitionData,
) -> EndEpochRequest:
    if version >= WITH_DIRECTORIES:
        candidates = tuple(
            ReplicaKey(one.candidate_id, directory(one.candidate_directory_id))
            for one in row.preferred_candidates
        )
    else:
        candidates = tuple(ReplicaKey(one) for one in row.preferred_successors)
    return EndEpochRequest(
        epoch=row.leader_epoch,
        leader_id=row.leader_id,
        candidates=candidates,
        endpoints=_read_endpoints(request),
    )


def _write_end(
    version: int,
    message: EndEpochRequest,
    request: end_quorum_epoch_request.EndQuorumEpochRequest,
) -> end_quorum_epoch_request.PartitionData:
    row = end_quorum_epoch_request.PartitionData(
        partition_index=METADATA_PARTITION,
        leader_id=message.leader_id,
        leader_epoch=message.epoch,
    )
    if version >= WITH_DIRECTORIES:
        row.preferred_candidates = [
            end_quorum_epoch_request.ReplicaInfo(
                candidate_id=key.id, candidate_directory_id=wire_directory(key)
            )
            for key in message.candidates
        ]
        request.leader_endpoints = _write_endpoints(end_quorum_epoch_request, message.endpoints)
    else:
        row.preferred_successors = [key.id for key in message.candidates]
    return row


APIS: Final = {
    52: EpochApi(
        vote_request,
        vote_response,
        vote_request.VoteRequest,
        vote_response.VoteResponse,
        _read_vote,
        _write_vote,
    ),
    53: EpochApi(
        begin_quorum_epoch_request,
        begin_quorum_epoch_response,
        begin_quorum_epoch_request.BeginQuorumEpochRequest,
        begin_quorum_epoch_response.BeginQuorumEpochResponse,
        _read_begin,
        _write_begin,
    ),
    54: EpochApi(
        end_quorum_epoch_request,
        end_quorum_epoch_response,
        end_quorum_epoch_request.EndQuorumEpochRequest,
        end_quorum_epoch_response.EndQuorumEpochResponse,
        _read_end,
        _write_end,
    ),
}
