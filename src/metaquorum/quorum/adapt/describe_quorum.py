"""DescribeQuorum: the quorum as its leader sees it (KIP-595, KIP-836, KIP-853)."""

from __future__ import annotations

from metaquorum.base.ids import METADATA_PARTITION, METADATA_TOPIC
from metaquorum.quorum.adapt.forms import (
    UNKNOWN_TOPIC_OR_PARTITION,
    AnswerContext,
    Settled,
    leader_number,
    leader_text,
    wire_directory,
)
from metaquorum.quorum.messages import NONE, DescribeRequest, DescribeResponse, ReplicaStatus
from metaquorum.quorum.types import Voter
from metaquorum.wire.generated import describe_quorum_request as asked
from metaquorum.wire.generated import describe_quorum_response as given

WITH_DIRECTORIES = 2
_NO_SUCH_LOG = "The only partition with a quorum is partition 0 of __cluster_metadata."


def read_request(
    version: int, request: asked.DescribeQuorumRequest, cluster_id: str
) -> DescribeRequest | Settled:
    """The core's form when exactly the metadata log is asked about."""
    named = [
        (topic.topic_name, partition.partition_index)
        for topic in request.topics
        for partition in topic.partitions
    ]
    if named == [(METADATA_TOPIC, METADATA_PARTITION)] and len(request.topics) == 1:
        return DescribeRequest()
    topics = [
        given.TopicData(
            topic_name=topic.topic_name,
            partitions=[
                _refused(version, partition.partition_index) for partition in topic.partitions
            ],
        )
        for topic in request.topics
    ]
    return Settled(given.DescribeQuorumResponse(topics=topics))


def _refused(version: int, index: int) -> given.PartitionData:
    row = given.PartitionData(partition_index=index, error_code=UNKNOWN_TOPIC_OR_PARTITION)
    if version >= WITH_DIRECTORIES:
        row.error_message = _NO_SUCH_LOG
    return row


def write_response(
    version: int,
    request: asked.DescribeQuorumRequest,
    response: DescribeResponse,
    context: AnswerContext,
) -> given.DescribeQuorumResponse:
    """The wire form. A replica that does not lead names the leader that it knows (595-72)."""
    row = given.PartitionData(
        partition_index=METADATA_PARTITION,
        error_code=response.error,
        leader_id=leader_number(response.hint),
        leader_epoch=response.hint.epoch,
        high_watermark=response.high_watermark,
        current_voters=[_replica(version, one, context) for one in response.voters],
        observers=[_replica(version, one, context) for one in response.observers],
    )
    if version >= WITH_DIRECTORIES and response.error != NONE:
        words = leader_text(response.hint, context.listener)
        row.error_message = f"This replica does not lead the quorum; {words}."
    topic = given.TopicData(topic_name=METADATA_TOPIC, partitions=[row])
    answer = given.DescribeQuorumResponse(topics=[topic])
    if version >= WITH_DIRECTORIES:
        answer.nodes = [_node(voter) for voter in response.nodes]
    return answer


def _replica(version: int, status: ReplicaStatus, context: AnswerContext) -> given.ReplicaState:
    row = given.ReplicaState(replica_id=status.key.id, log_end_offset=status.log_end)
    if version >= WITH_DIRECTORIES:
        row.replica_directory_id = wire_directory(status.key)
    if status.last_fetch_ms >= 0:
        row.last_fetch_timestamp = status.last_fetch_ms + context.wall_minus_now_ms
    if status.last_caught_up_ms >= 0:
        row.last_caught_up_timestamp = status.last_caught_up_ms + context.wall_minus_now_ms
    return row


def _node(voter: Voter) -> given.Node:
    return given.Node(
        node_id=voter.id,
        listeners=[
            given.Listener(name=one.listener, host=one.host, port=one.port)
            for one in voter.endpoints
        ],
    )
