"""A watch over a quorum in memory: virtual time, its readers by hand, and scenes of a cluster."""

from __future__ import annotations

from collections import deque
from typing import Any

from attrs import define

from metaquorum.cli.top.layout import page_lines
from metaquorum.cli.top.sight import Sight
from metaquorum.cli.top.watch import Watch
from metaquorum.cli.top.watched_log import WatchedLog
from metaquorum.exporter.readers import Readers
from metaquorum.records.builder import build_batch
from metaquorum.records.control import ControlType, encode_control
from metaquorum.testing.every_record import uuid
from metaquorum.wire.generated import leader_change_message
from tests.unit.client.fake_quorum import TIME_MS, FakeQuorum, feature
from tests.unit.exporter.exported_quorum import Exported, record

WINDOW_MS = 600_000
BEGAN_MS = TIME_MS + 60_000  # the wall clock when nothing has slept yet
CLUSTER_ID = "4L6g3nShT-eMCtK--X86sw"


def broker(broker_id: int, *, rack: str | None = "r1", fenced: bool = False) -> bytes:
    """A registration with one directory."""
    return record(
        "RegisterBroker",
        3,
        broker_id=broker_id,
        broker_epoch=broker_id,
        rack=rack,
        fenced=fenced,
        end_points=[("BrokerEndpoint", "CLIENTS", f"b{broker_id}.example", 9092, 0)],
        log_dirs=[directory(broker_id)],
    )


def directory(broker_id: int) -> bytes:
    return uuid(f"dir {broker_id}")


def controller(node_id: int) -> bytes:
    return record(
        "RegisterController",
        0,
        controller_id=node_id,
        end_points=[("ControllerEndpoint", "CONTROLLER", f"c{node_id}.example", 9093, 0)],
    )


def topic(name: str, *partitions: tuple[list[int], list[int]]) -> list[bytes]:
    """Records of a topic: replicas and ISR of each partition; the first of the ISR leads."""
    return [
        record("Topic", name=name, topic_id=uuid(name)),
        *(
            record(
                "Partition",
                1,
                partition_id=number,
                topic_id=uuid(name),
                replicas=replicas,
                isr=in_sync,
                leader=in_sync[0] if in_sync else -1,
                directories=[directory(one) for one in replicas],
            )
            for number, (replicas, in_sync) in enumerate(partitions)
        ),
    ]


def partition_change(name: str, number: int, **fields: Any) -> bytes:
    return record(
        "PartitionChange", 1, topic_id=uuid(name), partition_id=number, **{"leader": -2, **fields}
    )


ALL = [101, 102, 103]
CALM: list[list[bytes]] = [
    [feature("metadata.version", 29)],
    [controller(1), controller(2), controller(3)],
    [broker(101), broker(102, rack="r2"), broker(103, rack=None)],
    topic("orders", (ALL, ALL), ([102, 103, 101], ALL[1:] + ALL[:1])),
    topic("payments", (ALL, ALL)),
]
"""Batches of a cluster in which all is well."""


@define(eq=False)
class Watched:
    """The watch, and the quorum that it is over."""

    quorum: FakeQuorum
    exported: Exported
    watch: Watch

    def append(self, *batches: bytes) -> None:
        """Every node has these batches, and they are committed."""
        for node in self.quorum.controllers.values():
            node.log.extend(batches)
            node.high_watermark = node.log_end

    def commit(self, *values: bytes) -> None:
        """A batch of these records, written now."""
        node = self.quorum[1]
        self.append(
            build_batch(
                [(None, value) for value in values],
                timestamp_ms=self.watch.readers.wall_ms(),
                base_offset=node.log_end,
                leader_epoch=node.epoch,
            )
        )

    def elect(self, node_id: int, epoch: int) -> None:
        """Another leader, which has written the first batch of its epoch."""
        for node in self.quorum.controllers.values():
            node.leader_id, node.epoch = node_id, epoch
        voter = leader_change_message.Voter
        message = leader_change_message.LeaderChangeMessage(
            leader_id=node_id, granting_voters=[voter(node_id), voter(3)]
        )
        self.append(
            build_batch(
                [encode_control(ControlType.LEADER_CHANGE, message)],
                timestamp_ms=self.watch.readers.wall_ms(),
                base_offset=self.quorum[1].log_end,
                leader_epoch=epoch,
                control=True,
            )
        )

    def read(self, requests: int = 4) -> Sight:
        """Read the log for so many requests, ask the leader once, and look."""
        self.exported.follow(requests)
        return self.look()

    def look(self) -> Sight:
        """Ask the leader once, and look."""
        self.watch.readers.poller.poll()
        return self.watch.sight()

    def lose(self) -> None:
        """No node can be reached any more."""
        for node in self.quorum.controllers.values():
            node.up = False


def watched(batches: list[list[bytes]] | None = None) -> Watched:
    """A quorum of three, led by node 1 in epoch 1, with these batches of records."""
    quorum = FakeQuorum.of(3)
    quorum.cluster_id, quorum.tells_places = CLUSTER_ID, False
    log = WatchedLog(1)
    exported = Exported(quorum, log=log)
    readers = exported.readers
    mine = Readers(
        readers.follower,
        readers.poller,
        exported.now_ms,
        lambda: BEGAN_MS + exported.now_ms(),
        readers.stopping,
    )
    one = Watched(quorum, exported, Watch(mine, log, deque()))
    one.elect(1, 1)
    for values in CALM if batches is None else batches:
        one.commit(*values)
    return one


def page(seen: Sight, width: int = 80) -> str:
    """The page of ``--once``."""
    return "\n".join(page_lines(seen, width, 10, WINDOW_MS))


def calm() -> Watched:
    """All is well, and was read."""
    one = watched()
    one.quorum.sleep(180)
    one.read()
    one.quorum.sleep(2)
    one.read()
    return one


def troubled() -> Watched:
    """Node 2 leads since node 1 is down; broker 103 is fenced, and one leaves with a disk lost."""
    one = calm()
    one.quorum.sleep(180)
    one.elect(2, 5)
    one.quorum[1].up = False
    one.quorum.sleep(50)
    one.commit(record("BrokerRegistrationChange", 1, broker_id=103, broker_epoch=103, fenced=1))
    one.commit(
        partition_change("orders", 0, isr=[101, 102]),
        partition_change("orders", 1, isr=[102, 101]),
        partition_change("payments", 0, isr=[101], leader=101),
    )
    one.commit(
        *topic("audit", ([103], [103])),
        record(
            "Config",
            resource_type=2,
            resource_name="payments",
            name="min.insync.replicas",
            value="2",
        ),
        record("Config", resource_type=4, resource_name="101", name="ssl.key.password", value="x"),
    )
    one.commit(partition_change("audit", 0, isr=[], leader=-1))
    one.commit(
        record(
            "BrokerRegistrationChange",
            2,
            broker_id=102,
            broker_epoch=102,
            in_controlled_shutdown=1,
            log_dirs=[uuid("dir new")],
        )
    )
    one.quorum.sleep(3)
    one.read(8)
    return one


SCENES = {"calm": calm, "troubled": troubled}
