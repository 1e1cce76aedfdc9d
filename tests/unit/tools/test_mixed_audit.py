"""The audit of mixed runs sees what it is there to see."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaquorum.records.builder import build_batch
from metaquorum.records.metadata_record import encode_metadata_record
from metaquorum.testing.linearizability.history import Kind, Operation
from metaquorum.testing.linearizability.log_files import QUOTA
from metaquorum.wire.generated.records import client_quota_record as quota
from tools.kafka.log_errors import SENT_TO_TWO_LEADERS, kafkas_faults
from tools.mixed.audit import audited
from tools.mixed.node import KAFKA, OURS, MixedNode

CLIENT_QUOTA_RECORD = 14
Changed = dict[tuple[int, int], float]

TOO_SOON = [
    "[22:40:55.919] ERROR [ControllerApis nodeId=2] Unexpected error handling request "
    "RequestHeader(apiKey=API_VERSIONS, apiVersion=4, clientId=raft-client-3, ...)",
    'java.lang.NullPointerException: Cannot invoke "kafka.raft.KafkaRaftManager.client()" '
    'because the return value of "kafka.server.ControllerServer.raftManager()" is null',
]
NOBODY_KNOWS_ITS_FEATURES = (
    'java.lang.NullPointerException: Cannot invoke "org.apache.kafka.metadata.publisher.'
    'FeaturesPublisher.features()" because the return value of '
    '"kafka.server.ControllerServer.featuresPublisher()" is null'
)


def test_every_error_of_kafkas_is_told_with_the_line_below_it() -> None:
    lines = ["[1] INFO fine", "[2] ERROR it broke", "java.lang.Oh: no", "[3] FATAL gone"]
    assert kafkas_faults(lines) == ["[2] ERROR it broke | java.lang.Oh: no", "[3] FATAL gone | "]


REGISTERED_TOO_LATE = [
    "[23:14:02.967] ERROR [ControllerApis nodeId=2] Unexpected error handling request "
    "RequestHeader(apiKey=CONTROLLER_REGISTRATION, apiVersion=0, clientId=2, ...) ... "
    "ClientInformation(softwareName=apache-kafka-java, softwareVersion=4.3.1)",
    "java.util.concurrent.CompletionException: org.apache.kafka.common.errors."
    "NotControllerException: The active controller appears to be node 3.",
]


BEAT_TOO_SOON = [
    "[12:51:46.293] ERROR [ControllerApis nodeId=2] Unexpected error handling request "
    "RequestHeader(apiKey=BROKER_HEARTBEAT, apiVersion=2, clientId=100, ...) ... "
    "ClientInformation(softwareName=apache-kafka-java, softwareVersion=4.3.1)",
    "org.apache.kafka.common.errors.NotControllerException: The active controller appears to be "
    "node 2.",
]


@pytest.mark.parametrize("lines", [REGISTERED_TOO_LATE, BEAT_TOO_SOON])
def test_a_request_amid_leader_change_is_excused_for_kafka_only(lines: list[str]) -> None:
    assert kafkas_faults(lines) == []
    ours = lines[0].replace("apache-kafka-java", "metaquorum")
    assert len(kafkas_faults([ours, lines[1]])) == 1
    assert len(kafkas_faults([lines[0], "java.lang.Oh: no"])) == 1
    assert len(kafkas_faults([lines[0].replace("apiKey=", "apiKey=NOT_"), lines[1]])) == 1


def test_only_a_premature_api_versions_request_is_no_quorum_error() -> None:
    assert kafkas_faults(TOO_SOON) == []
    assert kafkas_faults([TOO_SOON[0], NOBODY_KNOWS_ITS_FEATURES]) == []
    assert len(kafkas_faults([TOO_SOON[0], "java.lang.Oh: no"])) == 1
    assert len(kafkas_faults([TOO_SOON[0].replace("API_VERSIONS", "VOTE"), TOO_SOON[1]])) == 1


STOPPING = "[03:32:27.229] INFO [SocketServer nodeId=3] Shutting down socket server (SocketServer)"
METERS_GONE = [
    "[03:32:27.242] ERROR [Kafka Request Handler 3 on Controller 3] Exception when handling "
    "request (KafkaRequestHandler)",
    'java.lang.NullPointerException: Cannot invoke "org.apache.kafka.network.metrics.'
    'RequestMetrics$ErrorMeter.getOrCreateMeter()" because the return value of '
    '"java.util.Map.get(Object)" is null',
]


def test_a_response_without_metrics_is_excused_once_kafka_is_stopping() -> None:
    assert kafkas_faults([STOPPING, "[1] INFO fine", *METERS_GONE]) == []
    assert len(kafkas_faults(METERS_GONE)) == 1
    assert len(kafkas_faults([*METERS_GONE, STOPPING])) == 1
    assert len(kafkas_faults([STOPPING, METERS_GONE[0], "java.lang.Oh: no"])) == 1


LEADS = (
    "[23:59:50.794] INFO [Broker id=2] Leader round-trips-5 with topic id Some(_8k0) starts at "
    "leader epoch 10 from offset 38272 (logger)"
)
SENT_TOO_EARLY = [
    "[00:00:10.704] ERROR [ReplicaManager broker=2] Error processing append operation on partition "
    "_8k0:round-trips-5 (ReplicaManager)",
    "org.apache.kafka.common.errors.OutOfOrderSequenceException: Out of order sequence number for "
    "producer 1000 at offset 38273 in partition round-trips-5: 38274 (incoming seq. number), 38272 "
    "(current end sequence number)",
]


def test_out_of_order_is_excused_after_a_leader_change_if_asked() -> None:
    more = [SENT_TO_TWO_LEADERS]
    assert kafkas_faults([LEADS, "[1] INFO fine", *SENT_TOO_EARLY], more) == []
    assert len(kafkas_faults([LEADS, *SENT_TOO_EARLY])) == 1
    assert len(kafkas_faults(SENT_TOO_EARLY, more)) == 1
    assert len(kafkas_faults([*SENT_TOO_EARLY, LEADS], more)) == 1


@pytest.mark.parametrize(
    "before",
    [
        LEADS.replace("23:59:50.794", "23:59:40.694"),
        LEADS.replace("round-trips-5", "round-trips-51"),
        LEADS.replace("round-trips-5", "round-trips"),
        LEADS.replace("[23:59:50.794] ", ""),
    ],
    ids=["long before", "another partition", "another topic", "no time"],
)
def test_out_of_order_at_another_leader_is_a_fault(before: str) -> None:
    assert len(kafkas_faults([before, *SENT_TOO_EARLY], [SENT_TO_TWO_LEADERS])) == 1


LOADED_TOO_LATE = [
    "[11:30:51.644] ERROR [GroupCoordinator id=101] Failed to load metadata from "
    "__consumer_offsets-0 with epoch 0 due to Stopped loading records from __consumer_offsets-0 "
    "because the partition is not online or is no longer the leader.. (CoordinatorRuntime)",
    "org.apache.kafka.common.errors.NotLeaderOrFollowerException: Stopped loading records",
]


def test_a_coordinator_that_loses_its_partition_is_excused() -> None:
    assert kafkas_faults(LOADED_TOO_LATE) == []
    assert len(kafkas_faults([LOADED_TOO_LATE[0], "java.lang.Oh: no"])) == 1
    assert len(kafkas_faults([LOADED_TOO_LATE[0].replace("Stopped", "Bad"), "x"])) == 1


BROKER_STOPS = "[03:49:53.582] INFO [BrokerServer id=2] shutting down (BrokerServer)"
LOADER_CLOSED = [
    "[03:49:53.852] ERROR [GroupCoordinator id=2] Failed to load metadata from "
    "__consumer_offsets-2 with epoch 1 due to Coordinator loader is closed.. (CoordinatorRuntime)",
    "java.lang.RuntimeException: Coordinator loader is closed.",
]


def test_a_loader_that_is_closed_as_its_broker_stops_is_excused() -> None:
    assert kafkas_faults([BROKER_STOPS, *LOADER_CLOSED]) == []
    assert len(kafkas_faults(LOADER_CLOSED)) == 1
    assert len(kafkas_faults([BROKER_STOPS, LOADER_CLOSED[0], "java.lang.Oh: no"])) == 1


TOO_FEW_IN_SYNC = [
    "[12:25:30.281] ERROR [ReplicaManager broker=103] Error processing append operation on "
    "partition Uws-dp4fRVScxI5q-I7c0Q:payments-4 (ReplicaManager)",
    "org.apache.kafka.common.errors.NotEnoughReplicasException: The size of the current ISR : 1",
]
TIMER_WAITED = [
    "[12:14:25.259] ERROR [GroupCoordinator id=103 topic=__consumer_offsets partition=1] The write "
    "event Timeout(key=join-readers) for the timer join-readers failed due to CoordinatorWriteEvent"
    "(name=Timeout(key=join-readers)) timed out after 5000ms. Ignoring it.  (CoordinatorTimerImpl)",
    "org.apache.kafka.common.errors.TimeoutException: CoordinatorWriteEvent(name=Timeout(key=a))",
]


ANOTHER_COORDINATOR = [
    "[22:26:03.098] ERROR [ReplicaManager broker=101] Error processing append operation on "
    "partition jN3fbCGqTzurvovbUH759w:payments-4 (ReplicaManager)",
    "org.apache.kafka.common.errors.TransactionCoordinatorFencedException: Invalid coordinator "
    "epoch for producerId 1 at offset 154 in partition payments-4: 0 (zombie), 1 (current)",
]


@pytest.mark.parametrize("lines", [TOO_FEW_IN_SYNC, TIMER_WAITED, ANOTHER_COORDINATOR])
def test_what_a_broker_says_of_those_that_were_out_is_excused(lines: list[str]) -> None:
    assert kafkas_faults(lines) == []
    assert len(kafkas_faults([lines[0], "java.lang.Oh: no"])) == 1


def quota_batch(offset: int, value: float) -> bytes:
    """A batch with one write of a quota."""
    record = quota.ClientQuotaRecord([quota.EntityData("user", "ada")], QUOTA, value, False)
    return build_batch(
        [(None, encode_metadata_record(CLIENT_QUOTA_RECORD, record, 0))],
        timestamp_ms=1_000,
        base_offset=offset,
        leader_epoch=1,
    )


def nodes_with_logs(root: Path, ends: tuple[int, int, int], changed: Changed) -> list[MixedNode]:
    """Three nodes that have ended, with logs of one write an offset, its value the offset.

    ``changed`` gives another value for a node's offset.
    """
    nodes = []
    for node_id, end in enumerate(ends, start=1):
        kind = KAFKA if node_id == 3 else OURS
        node = MixedNode(root / str(node_id), node_id, kind, "cluster", 9_000, {}, lambda: None)
        node.metadata_directory.mkdir(parents=True)
        batches = [quota_batch(one, changed.get((node_id, one), float(one))) for one in range(end)]
        (node.metadata_directory / f"{0:020d}.log").write_bytes(b"".join(batches))
        nodes.append(node)
    return nodes


def writes(*values: float) -> list[Operation]:
    """Writes one after the other, all acknowledged."""
    return [
        Operation("client", Kind.WRITE, "ada", value, 10 * number, 10 * number + 5)
        for number, value in enumerate(values)
    ]


def test_logs_that_are_one_and_hold_every_answer_are_well(tmp_path: Path) -> None:
    nodes = nodes_with_logs(tmp_path, (3, 4, 3), {})
    assert audited(nodes, writes(0.0, 1.0, 2.0), 3) == []


@pytest.mark.parametrize(
    ("ends", "changed", "asked", "fault"),
    [
        ((3, 3, 3), {(3, 1): 7.0}, (0.0, 1.0, 2.0), "nodes 1 and 3 differ at offset 1"),
        ((3, 3, 3), {(3, 2): 7.0}, (0.0, 1.0, 2.0), "hold different states at 2"),
        ((3, 3, 2), {}, (0.0, 1.0, 2.0), "node 3 has the log up to 2, not 3"),
        ((3, 3, 3), {}, (0.0, 1.0, 2.0, 3.0), "3.0 was acknowledged and is not in the log"),
        ((3, 3, 3), {}, (0.0, 2.0), "1.0 was never asked for"),
        ((3, 3, 3), {}, (0.0, 2.0, 1.0), "which began when it was acknowledged already"),
    ],
)
def test_whatever_is_wrong_is_told(
    tmp_path: Path, ends: tuple[int, int, int], changed: Changed, asked: list[float], fault: str
) -> None:
    faults = audited(nodes_with_logs(tmp_path, ends, changed), writes(*asked), 3)
    assert any(fault in one for one in faults)


def test_an_error_in_any_life_of_a_node_is_told(tmp_path: Path) -> None:
    nodes = nodes_with_logs(tmp_path, (3, 3, 3), {})
    for node, kind in zip(nodes, ("ours", "ours", "4.3.1"), strict=True):
        (node.directory / f"life-1-{kind}.log").write_text("2026-11-21T00:00:00Z error oh\n")
    (nodes[0].directory / "life-2-4.3.1.log").write_text("[1] ERROR in another life\n")
    found = audited(nodes, writes(0.0, 1.0, 2.0), 3)
    assert [one.split(":")[0] for one in found] == [
        "node 1, life-2-4.3.1.log",
        "node 1, life-1-ours.log",
        "node 2, life-1-ours.log",
    ]


def test_a_slow_event_on_a_busy_machine_is_no_fault() -> None:
    slow = "[1] ERROR Exceptionally slow controller event x took 2000 ms. (EventPerformanceMonitor)"
    assert kafkas_faults([slow, "[2] INFO fine"]) == []
    assert len(kafkas_faults([slow, "[2] ERROR not fine (Other)"])) == 1
