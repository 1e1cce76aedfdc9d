"""A quorum in memory whose log has a topic and two brokers, and an exporter beside it."""

from __future__ import annotations

from typing import Any

from metaquorum.testing.every_record import uuid
from tests.unit.client.fake_quorum import FakeQuorum, data_batch, feature, leader_change
from tests.unit.exporter.exported_quorum import Exported, record

CONTROLLER = "kafka_controller_kafkacontroller_"
RAFT = "kafka_server_raft_metrics_"


def topic(name: str, *isrs: list[int]) -> list[bytes]:
    """Records of a topic with a partition for each of these ISRs."""
    return [
        record("Topic", name=name, topic_id=uuid(name)),
        *(
            record(
                "Partition",
                2,
                partition_id=number,
                topic_id=uuid(name),
                replicas=[1, 2],
                isr=isr,
                leader=isr[0] if isr else -1,
                directories=[],
            )
            for number, isr in enumerate(isrs)
        ),
    ]


def broker(broker_id: int, *, fenced: bool) -> bytes:
    return record("RegisterBroker", 0, broker_id=broker_id, broker_epoch=5, fenced=fenced)


LOG = [
    leader_change(0, 1, 1),
    data_batch(1, 1, feature("metadata.version", 29), *topic("a", [1, 2], [1], [])),
    data_batch(6, 1, broker(1, fenced=False), broker(2, fenced=True)),
]


def exported(count: int = 3, log: list[bytes] | None = None, **more: Any) -> Exported:
    whole = LOG if log is None else log
    quorum = FakeQuorum.of(count, high_watermark=8)
    for node in quorum.controllers.values():
        node.log = list(whole)
    return Exported(quorum, **more)


def append(one: Exported, *batches: bytes) -> None:
    """Every node has these batches, and they are committed."""
    for node in one.quorum.controllers.values():
        node.log.extend(batches)
        node.high_watermark = node.log_end


def elect(one: Exported, node_id: int, epoch: int) -> None:
    """Another leader, which has written the first batch of its epoch."""
    for node in one.quorum.controllers.values():
        node.leader_id, node.epoch = node_id, epoch
    append(one, leader_change(one.quorum[1].log_end, epoch, node_id))
