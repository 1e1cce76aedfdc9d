"""Asks a quorum how it is: DescribeCluster for the cluster, DescribeQuorum at the leader.

Asked at a follower, the hint in the answers (KIP-595: the error row of a server that knows, else
the controller id of DescribeCluster) leads to the leader.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from attrs import define, field

from metaquorum.base.errors import OperatorError, PeerError
from metaquorum.base.ids import METADATA_PARTITION, METADATA_TOPIC
from metaquorum.cli.quorum_text import QuorumView, ReplicaRow
from metaquorum.client.connection import Connection, ConnectionFailed, VersionsDoNotMeet
from metaquorum.config.listeners import HostPort
from metaquorum.wire.generated import error_codes

DESCRIBE_CLUSTER: Final = 60
DESCRIBE_QUORUM: Final = 55
BROKERS, CONTROLLERS = 1, 2
RETRY_BACKOFF_MS: Final = 100  # retry.backoff.ms of Kafka's admin client
_TRY_ELSEWHERE = (
    error_codes.NOT_LEADER_OR_FOLLOWER,
    error_codes.LEADER_NOT_AVAILABLE,
    error_codes.NOT_CONTROLLER,
    error_codes.COORDINATOR_NOT_AVAILABLE,
    error_codes.REQUEST_TIMED_OUT,
)


class _Elsewhere(Exception):
    """This server does not lead; ``hint`` is where the leader is said to be, if anywhere."""

    def __init__(self, why: str, hint: HostPort | None) -> None:
        super().__init__(why)
        self.hint = hint


@define
class QuorumQuestion:
    """One question, put to the bootstrap servers in turn until the leader has answered it.

    ``open`` makes connections, ``now`` and ``sleep`` are in seconds: tests pass their own.
    """

    bootstrap: Sequence[HostPort]
    endpoint_type: int
    timeout_ms: int
    client_id: str = "metaquorum-admin"
    request_timeout_ms: int = 30_000
    open: Callable[..., Connection] = Connection.open
    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    _failures: dict[str, str] = field(factory=dict, init=False)

    def answer(self) -> QuorumView:
        """The quorum as its leader describes it; OperatorError says why nobody did."""
        deadline = self.now() + self.timeout_ms / 1000
        places = list(self.bootstrap)
        at = 0
        while True:
            place = places[at % len(places)]
            try:
                with self._connect(place, deadline) as connection:
                    return self._ask(connection)
            except _Elsewhere as elsewhere:
                self._failures[str(place)] = str(elsewhere)
                hint = elsewhere.hint
                if hint is not None and hint not in places:
                    places.insert(at % len(places) + 1, hint)
                elif hint is not None and hint != place:
                    at = places.index(hint) - 1
            except (ConnectionFailed, PeerError) as error:
                self._failures[str(place)] = str(error)
            except VersionsDoNotMeet as error:
                raise OperatorError(str(error)) from None
            at += 1
            if self.now() + RETRY_BACKOFF_MS / 1000 >= deadline:
                raise OperatorError(self._why())
            if at % len(places) == 0 or places[at % len(places)] == place:
                self.sleep(RETRY_BACKOFF_MS / 1000)

    def _connect(self, place: HostPort, deadline: float) -> Connection:
        left_ms = max(1, int((deadline - self.now()) * 1000))
        return self.open(
            place.host,
            place.port,
            client_id=self.client_id,
            connect_timeout_ms=min(left_ms, 5_000),
            timeout_ms=min(left_ms, self.request_timeout_ms),
        )

    def _ask(self, connection: Connection) -> QuorumView:
        cluster = self._describe_cluster(connection)
        answer = self._describe_quorum(connection)
        partition = _only_partition(connection, answer)
        code = partition.error_code
        if code in _TRY_ELSEWHERE:
            raise _Elsewhere(_told(code, ""), _hint(answer, partition, cluster))
        if code != error_codes.NONE:
            message = getattr(partition, "error_message", None)
            raise OperatorError(f"{connection.host}:{connection.port}: {_told(code, message)}")
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

    def _describe_cluster(self, connection: Connection) -> Any:
        from metaquorum.wire.generated.describe_cluster_request import DescribeClusterRequest

        least = 0 if self.endpoint_type == BROKERS else 1
        version = connection.best_version(DESCRIBE_CLUSTER, least=least)
        request = DescribeClusterRequest(endpoint_type=self.endpoint_type)
        answer = connection.ask(DESCRIBE_CLUSTER, version, request)
        code = answer.error_code
        if code == error_codes.MISMATCHED_ENDPOINT_TYPE:
            flags = ("--bootstrap-server", "--bootstrap-controller")
            ours, theirs = flags if self.endpoint_type == BROKERS else flags[::-1]
            raise OperatorError(
                f"{connection.host}:{connection.port} is not for {ours}; use {theirs}"
            )
        if code != error_codes.NONE:
            told = _told(code, answer.error_message)
            raise OperatorError(f"{connection.host}:{connection.port}: {told}")
        return answer

    def _describe_quorum(self, connection: Connection) -> Any:
        from metaquorum.wire.generated import describe_quorum_request as wire

        partitions = [wire.PartitionData(METADATA_PARTITION)]
        request = wire.DescribeQuorumRequest([wire.TopicData(METADATA_TOPIC, partitions)])
        version = connection.best_version(DESCRIBE_QUORUM)
        answer = connection.ask(DESCRIBE_QUORUM, version, request)
        code = answer.error_code
        if code in _TRY_ELSEWHERE:
            raise _Elsewhere(_told(code, ""), None)
        if code != error_codes.NONE:
            told = _told(code, answer.error_message)
            raise OperatorError(f"{connection.host}:{connection.port}: {told}")
        return answer

    def _why(self) -> str:
        said = "; ".join(
            why if why.startswith(place) else f"{place}: {why}"
            for place, why in self._failures.items()
        )
        return f"nobody described the quorum within {self.timeout_ms / 1000:g} s ({said})"


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
    if partition.leader_epoch > 0:  # an error row without a leader has zeros only
        for node in answer.nodes:
            if node.node_id == partition.leader_id and node.listeners:
                return HostPort(node.listeners[0].host, node.listeners[0].port)
    named = {cluster.controller_id}
    if partition.leader_epoch > 0:
        named.add(partition.leader_id)
    for row in cluster.brokers:
        if row.broker_id in named:
            return HostPort(row.host, row.port)
    return None


def _row(state: Any) -> ReplicaRow:
    return ReplicaRow(
        state.replica_id,
        state.replica_directory_id,
        state.log_end_offset,
        state.last_fetch_timestamp,
        state.last_caught_up_timestamp,
    )


def _told(code: int, message: str | None) -> str:
    name = error_codes.NAMES.get(code, f"error {code}")
    return f"{name}: {message}" if message else name
