"""Asks a quorum how it is: DescribeCluster for the cluster, DescribeQuorum at the leader.

Asked at a follower, the hint in the answers (KIP-595: the error row of a server that knows, else
the controller id of DescribeCluster) leads to the leader.
"""

from __future__ import annotations

from typing import Any, Final

from attrs import define

from metaquorum.base.errors import OperatorError, PeerError
from metaquorum.base.ids import METADATA_PARTITION, METADATA_TOPIC
from metaquorum.client.connection import Connection
from metaquorum.client.leader_question import (
    BROKERS,
    CONTROLLERS,
    DESCRIBE_CLUSTER,
    Elsewhere,
    LeaderQuestion,
    controller_hint,
    error_text,
)
from metaquorum.client.quorum_view import QuorumView, ReplicaRow
from metaquorum.config.listeners import HostPort
from metaquorum.wire.generated import error_codes

DESCRIBE_QUORUM: Final = 55
_TRY_ELSEWHERE = (
    error_codes.NOT_LEADER_OR_FOLLOWER,
    error_codes.LEADER_NOT_AVAILABLE,
    error_codes.NOT_CONTROLLER,
    error_codes.COORDINATOR_NOT_AVAILABLE,
    error_codes.REQUEST_TIMED_OUT,
)


@define
class QuorumQuestion(LeaderQuestion):
    """The question how the quorum is."""

    def answer(self) -> QuorumView:
        """The quorum as its leader describes it; OperatorError says why nobody did."""
        return self.put(self._ask, "described the quorum")

    def _ask(self, connection: Connection) -> QuorumView:
        cluster = self.describe_cluster(connection)
        answer = self._describe_quorum(connection)
        partition = _only_partition(connection, answer)
        code = partition.error_code
        if code in _TRY_ELSEWHERE:
            raise Elsewhere(error_text(code, ""), _hint(answer, partition, cluster))
        if code != error_codes.NONE:
            message = getattr(partition, "error_message", None)
            raise OperatorError(f"{connection.host}:{connection.port}: {error_text(code, message)}")
        return QuorumView(
            cluster_id=cluster.cluster_id,
            leader_id=partition.leader_id,
            leader_epoch=partition.leader_epoch,
            high_watermark=partition.high_watermark,
            voters=tuple(map(_row, partition.current_voters)),
            observers=tuple(map(_row, partition.observers)),
            endpoints={
                node.node_id: tuple((one.name, one.host, one.port) for one in node.listeners)
                for node in answer.nodes
            },
        )

    def _describe_quorum(self, connection: Connection) -> Any:
        from metaquorum.wire.generated import describe_quorum_request as wire

        partitions = [wire.PartitionData(METADATA_PARTITION)]
        request = wire.DescribeQuorumRequest([wire.TopicData(METADATA_TOPIC, partitions)])
        version = connection.best_version(DESCRIBE_QUORUM)
        answer = connection.ask(DESCRIBE_QUORUM, version, request)
        code = answer.error_code
        if code in _TRY_ELSEWHERE:
            raise Elsewhere(error_text(code, ""), None)
        if code != error_codes.NONE:
            said = error_text(code, answer.error_message)
            raise OperatorError(f"{connection.host}:{connection.port}: {said}")
        return answer


def _only_partition(connection: Connection, answer: Any) -> Any:
    partitions = [one for topic in answer.topics for one in topic.partitions]
    if len(partitions) != 1:
        raise PeerError(
            f"{connection.host}:{connection.port} described {len(partitions)} partitions, "
            "the metadata log has one"
        )
    return partitions[0]


def _hint(answer: Any, partition: Any, cluster: Any) -> HostPort | None:
    """Where the leader is: among the nodes of the answer, else where the cluster says."""
    if partition.leader_epoch <= 0:  # an error row without a leader has zeros only
        return controller_hint(cluster)
    for node in answer.nodes:
        if node.node_id == partition.leader_id and node.listeners:
            return HostPort(node.listeners[0].host, node.listeners[0].port)
    return controller_hint(cluster, partition.leader_id)


def _row(state: Any) -> ReplicaRow:
    return ReplicaRow(
        state.replica_id,
        state.replica_directory_id,
        state.log_end_offset,
        state.last_fetch_timestamp,
        state.last_caught_up_timestamp,
    )


__all__ = ["BROKERS", "CONTROLLERS", "DESCRIBE_CLUSTER", "DESCRIBE_QUORUM", "QuorumQuestion"]
