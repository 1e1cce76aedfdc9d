"""One process of the real Kafka that is controller and broker, and raw batches produced to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from attrs import define, field

from metaquorum.client.connection import Connection
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.produce_request import (
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)
from tests.unit.storage.broker_batches import data
from tools.kafka import JavaHelper
from tools.kafka.cluster import random_id
from tools.kafka.node import KafkaNode
from tools.kafka.ports import LOOPBACK, free_ports

PRODUCE, BY_NAME = 0, 12
HEAP = ("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto")


def one_broker(directory: Path, java: JavaHelper, **properties: str) -> tuple[KafkaNode, int]:
    """A formatted node of both roles that is not started yet, and its port for clients."""
    port, controller_port = free_ports(2)
    rows = {
        "process.roles": "broker,controller",
        "node.id": "1",
        "listeners": f"PLAINTEXT://{LOOPBACK}:{port},CONTROLLER://{LOOPBACK}:{controller_port}",
        "controller.listener.names": "CONTROLLER",
        "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
        "controller.quorum.bootstrap.servers": f"{LOOPBACK}:{controller_port}",
        "offsets.topic.replication.factor": "1",
        "transaction.state.log.replication.factor": "1",
        "transaction.state.log.min.isr": "1",
        "transaction.state.log.num.partitions": "2",
        **{key.replace("_", "."): value for key, value in properties.items()},
    }
    node = KafkaNode(directory, rows, heap_flags=HEAP)
    node.format(random_id(), "--standalone", tool=java.tool)
    return node, port


@define
class Producers:
    """Idempotent producers of one partition, by their ids, and what each wrote last."""

    port: int
    topic: str
    value: bytes
    last: dict[int, tuple[bytes, int]] = field(factory=dict)
    next_sequence: dict[int, int] = field(factory=dict)
    epochs: dict[int, int] = field(factory=dict)

    def send(self, batch: bytes) -> Any:
        """The broker's answer for one batch."""
        part = PartitionProduceData(0, batch)
        topic = TopicProduceData(self.topic, partition_data=[part])
        request = ProduceRequest(acks=-1, timeout_ms=10_000, topic_data=[topic])
        with Connection.open(LOOPBACK, self.port) as connection:
            version = connection.best_version(PRODUCE, most=BY_NAME)
            answer = connection.ask(PRODUCE, version, request)
        return answer.responses[0].partition_responses[0]

    def batch(self, producer_id: int, now_ms: int, *, skip: int = 0) -> bytes:
        """The producer's next batch of two records; ``skip`` sequences are left out."""
        sequence = self.next_sequence.get(producer_id, 0) + skip
        epoch = self.epochs.get(producer_id, 0)
        return data(0, producer_id, epoch, sequence, 2, timestamp_ms=now_ms, value=self.value)

    def write(self, producer_id: int, now_ms: int) -> None:
        """One more batch, which has to be taken."""
        batch = self.batch(producer_id, now_ms)
        answer = self.send(batch)
        assert answer.error_code == error_codes.NONE, answer
        self.last[producer_id] = batch, answer.base_offset
        self.next_sequence[producer_id] = self.next_sequence.get(producer_id, 0) + 2

    def bump(self, producer_id: int) -> None:
        """The producer begins anew, in a later epoch."""
        self.epochs[producer_id] = self.epochs.get(producer_id, 0) + 1
        self.next_sequence[producer_id] = 0
