"""Two of our nodes and one of Kafka's controllers are one quorum, whoever leads it."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from attrs import define

from metaquorum.base.errors import PeerError
from metaquorum.client.connection import ConnectionFailed
from tests.interop.disk_records import data_records
from tools.kafka import JavaHelper
from tools.kafka.cluster import random_id
from tools.kafka.node import KafkaNode
from tools.kafka.ports import LOOPBACK, free_ports
from tools.own_node import OwnNode, describe_leader, metaquorum

KAFKAS_ID = 3
PATIENCE_S = 60.0
POLL_S = 0.05


@define
class MixedQuorum:
    """Voters 1 and 2 are ours, voter 3 is Kafka's."""

    ours: dict[int, OwnNode]
    kafka: KafkaNode
    ports: dict[int, int]

    def leader(self, among: tuple[int, ...] = (1, 2, 3)) -> int:
        """Wait until one of these nodes says that it leads."""
        ends = time.monotonic() + PATIENCE_S
        while time.monotonic() < ends:
            for node_id in among:
                try:
                    if describe_leader(LOOPBACK, self.ports[node_id]) == node_id:
                        return node_id
                except (ConnectionFailed, PeerError):
                    continue
            time.sleep(POLL_S)
        raise AssertionError(f"none of {among} leads after {PATIENCE_S} s")

    def node(self, node_id: int) -> OwnNode | KafkaNode:
        """The process behind an id."""
        return self.kafka if node_id == KAFKAS_ID else self.ours[node_id]


@pytest.fixture(scope="module")
def quorum(tmp_path_factory: pytest.TempPathFactory, java: JavaHelper) -> Iterator[MixedQuorum]:
    """Formatted each by its own tool with the same voters, started, led by somebody."""
    directory: Path = tmp_path_factory.mktemp("mixed")
    ports = dict(zip((1, 2, 3), free_ports(3), strict=True))
    cluster_id = random_id()
    voters = ",".join(f"{i}@{LOOPBACK}:{port}:{random_id()}" for i, port in ports.items())
    bootstrap = ",".join(f"{LOOPBACK}:{port}" for port in ports.values())
    common = {"controller.quorum.bootstrap.servers": bootstrap}
    ours = {
        node_id: OwnNode(
            directory / f"ours-{node_id}",
            common,
            node_id=node_id,
            cluster_id=cluster_id,
            voters=voters,
            controller_port=ports[node_id],
        )
        for node_id in (1, 2)
    }
    kafka = KafkaNode(
        directory / "kafkas",
        {
            "process.roles": "controller",
            "node.id": str(KAFKAS_ID),
            "listeners": f"CONTROLLER://{LOOPBACK}:{ports[KAFKAS_ID]}",
            "controller.listener.names": "CONTROLLER",
            "listener.security.protocol.map": "CONTROLLER:PLAINTEXT",
            "metadata.log.max.record.bytes.between.snapshots": "500",
            **common,
        },
    )
    mixed = MixedQuorum(ours, kafka, ports)
    try:
        kafka.format(cluster_id, "--initial-controllers", voters, tool=java.tool)
        for node in ours.values():
            node.format()
            node.start()
        kafka.start()
        mixed.leader()
        yield mixed
    finally:
        kafka.kill()
        for node in ours.values():
            node.kill()


def until(done: Callable[[], bool], why: Callable[[], str]) -> None:
    """Wait until it is so; AssertionError with ``why`` when it takes too long."""
    ends = time.monotonic() + PATIENCE_S
    while not done():
        assert time.monotonic() < ends, why()
        time.sleep(POLL_S)


def lead_by_kafka(quorum: MixedQuorum) -> None:
    """Kill whoever of ours leads until Kafka's controller does."""
    for _ in range(20):
        leader = quorum.leader()
        if leader == KAFKAS_ID:
            return
        quorum.node(leader).kill()
        quorum.leader(tuple(i for i in (1, 2, 3) if i != leader))
        quorum.node(leader).start()
    raise AssertionError("Kafka's controller never led")


def test_a_wiped_node_starts_from_the_snapshot_of_kafkas_leader(quorum: MixedQuorum):
    lead_by_kafka(quorum)
    kafkas = quorum.kafka.metadata_directory
    until(lambda: len(list(kafkas.glob("*.checkpoint"))) > 1, lambda: "Kafka wrote no snapshot")
    wiped = quorum.ours[1]
    start_wiped(wiped)

    kept = high_watermark(quorum, quorum.leader())

    def has_gone_on() -> bool:
        """It has what was committed, and some of what came behind its snapshot."""
        records = data_records(wiped.metadata_directory)
        return len(records) > 1 and records[-1].offset >= kept

    until(has_gone_on, wiped.log_tail)
    ours = data_records(wiped.metadata_directory)
    theirs = {record.offset: record for record in data_records(kafkas)}
    assert ours[0].offset > 0, "its log begins at the snapshot's end"
    assert ours == [theirs[one.offset] for one in ours]


def test_a_wiped_controller_of_kafka_starts_from_our_snapshot(
    quorum: MixedQuorum, java: JavaHelper
):
    lead_by_kafka(quorum)
    start_wiped(quorum.ours[2])  # now both of ours have a snapshot, and logs without a beginning
    quorum.kafka.kill()
    served = quorum.ours[quorum.leader((1, 2))]
    (ours,) = [one for one in served.metadata_directory.glob("*.checkpoint") if is_of_state(one)]
    shutil.rmtree(quorum.kafka.data_directory)
    voters = served.voters
    assert voters is not None
    quorum.kafka.format(served.cluster_id, "--initial-controllers", voters, tool=java.tool)
    quorum.kafka.start()
    theirs = quorum.kafka.metadata_directory / ours.name
    until(theirs.exists, quorum.kafka.log_tail)
    assert theirs.read_bytes() == ours.read_bytes()

    kept = high_watermark(quorum, quorum.leader((1, 2)))
    kafkas = quorum.kafka.metadata_directory
    until(lambda: any(one.offset >= kept for one in data_records(kafkas)), quorum.kafka.log_tail)
    known = {record.offset: record for record in data_records(served.metadata_directory)}
    copied = [one for one in data_records(kafkas) if one.offset < kept]
    assert copied and copied[0].offset >= int(ours.name[:20])
    assert copied == [known[one.offset] for one in copied]


def is_of_state(checkpoint: Path) -> bool:
    """Whether it is a snapshot, and not the bootstrap checkpoint."""
    return int(checkpoint.name[:20]) > 0


def start_wiped(node: OwnNode) -> None:
    """Start a node of ours anew with an empty disk; it fetches a snapshot."""
    node.kill()
    shutil.rmtree(node.data_directory)
    node.log_file.unlink()
    node.format()
    node.start()
    until(lambda: "snapshot-installed" in node.log_file.read_text(), node.log_tail)


def test_every_voter_of_a_mixed_quorum_leads_in_turn_and_all_logs_are_one(quorum: MixedQuorum):
    led: list[int] = []
    for _ in range(6):
        leader = quorum.leader()
        led.append(leader)
        if KAFKAS_ID in led and len(set(led)) > 1:
            break
        quorum.node(leader).kill()
        quorum.leader(tuple(i for i in (1, 2, 3) if i != leader))
        quorum.node(leader).start()
        if leader == KAFKAS_ID:
            quorum.kafka.wait_ready()
    assert len(set(led)) > 1

    committed = high_watermark(quorum, quorum.leader())
    for node_id in (1, 2, 3):
        quorum.node(node_id).stop()
    logs = [
        [
            record
            for record in data_records(quorum.node(node_id).metadata_directory)
            if record.offset < committed
        ]
        for node_id in (1, 2, 3)
    ]
    known = {record.offset: record for log in logs for record in log}
    assert all(record == known[record.offset] for log in logs for record in log)
    last = max(known)
    assert sum(log[-1].offset == last for log in logs) >= 2, "a majority holds what is committed"


def high_watermark(quorum: MixedQuorum, leader: int) -> int:
    """What the leader says is committed."""
    controller = f"{LOOPBACK}:{quorum.ports[leader]}"
    told = metaquorum(
        *("metadata-quorum", "--bootstrap-controller", controller),
        *("describe", "--status", "-o", "json"),
    )
    assert told.exit_code == 0, told.stderr
    return int(json.loads(told.stdout)["highWatermark"])
