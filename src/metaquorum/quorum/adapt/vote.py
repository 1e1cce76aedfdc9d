"""Vote: a question and its answer (KIP-595, KIP-853, KIP-996)."""

from __future__ import annotations

from metaquorum.base.ids import METADATA_PARTITION, METADATA_TOPIC, NO_NODE
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.quorum.adapt.epochs import (
    WITH_DIRECTORIES,
    fill_answer,
    read_answer,
    refused_at_the_top,
)
from metaquorum.quorum.adapt.forms import (
    AnswerContext,
    Settled,
    directory,
    receiver_key,
    wire_directory,
)
from metaquorum.quorum.messages import Refused, VoteRequest, VoteResponse
from metaquorum.quorum.types import ReplicaKey
from metaquorum.wire.generated import vote_request as asked
from metaquorum.wire.generated import vote_response as given

WITH_PRE_VOTE = 2


def read_request(
    version: int, request: asked.VoteRequest, cluster_id: str
) -> VoteRequest | Settled:
    """The core's form; a wrong cluster or shape is answered with a top-level error."""
    refused = refused_at_the_top(request, cluster_id, given.VoteResponse)
    if refused is not None:
        return refused
    row = request.topics[0].partitions[0]
    return VoteRequest(
        epoch=row.replica_epoch,
        candidate=ReplicaKey(row.replica_id, directory(row.replica_directory_id)),
        log_end=OffsetAndEpoch(row.last_offset_epoch, row.last_offset),
        pre_vote=row.pre_vote,
        receiver=receiver_key(request.voter_id, row.voter_directory_id),
    )


def write_response(
    version: int, request: asked.VoteRequest, response: VoteResponse, context: AnswerContext
) -> given.VoteResponse:
    """The wire form."""
    answer = given.VoteResponse()
    fill_answer(answer, given, version, response, context, vote_granted=response.granted)
    return answer


def write_request(version: int, message: VoteRequest, cluster_id: str) -> asked.VoteRequest:
    """The wire form of our own question.

    A pre-vote below version 2 makes the encoder raise UnsupportedField: the caller reports
    ``RequestFailed(unsupported=True)``, and the election is held without pre-votes.
    """
    row = asked.PartitionData(
        partition_index=METADATA_PARTITION,
        replica_epoch=message.epoch,
        replica_id=message.candidate.id,
        last_offset_epoch=message.log_end.epoch,
        last_offset=message.log_end.offset,
        pre_vote=message.pre_vote,
    )
    request = asked.VoteRequest(cluster_id=cluster_id)
    if version >= WITH_DIRECTORIES:
        row.replica_directory_id = wire_directory(message.candidate)
        if message.receiver is not None:
            row.voter_directory_id = wire_directory(message.receiver)
        request.voter_id = NO_NODE if message.receiver is None else message.receiver.id
    request.topics = [asked.TopicData(topic_name=METADATA_TOPIC, partitions=[row])]
    return request


def read_response(
    version: int, response: given.VoteResponse, listener: str
) -> VoteResponse | Refused:
    """The core's form; an answer about anything but the metadata log counts as a refusal."""
    heard = read_answer(response, listener)
    if isinstance(heard, Refused):
        return heard
    row, hint = heard
    return VoteResponse(row.error_code, hint, row.vote_granted)
