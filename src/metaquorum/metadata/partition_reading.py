"""Partition records straight into the table: most of a snapshot is them, and most look alike.

The usual record has no reassignment, no tagged field, a directory for each replica, and less than
127 replicas; one ``Struct`` reads it whole. Any other takes the way of all records, which also
says what is wrong with it. Lists of replicas and directories that were met before are shared: a
million partitions on a hundred brokers have few different ones.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import Any, Final

from metaquorum.base.ids import NodeId, Uuid
from metaquorum.metadata.origin import Origin
from metaquorum.metadata.tables.catalog import NOT_PREFERRED, OFFLINE_PARTITIONS, Tables
from metaquorum.metadata.tables.topics import NO_LEADER, Partition, Topic

_FRAMES: Final = (b"\x01\x03\x01", b"\x01\x03\x02")
_REPLICAS_AT: Final = 23  # after the frame, the partition and the topic: the number of replicas
_FIXED_BYTES: Final = 41  # all but the lists
_NO_REASSIGNMENT: Final = b"\x01\x01"
_MOST: Final = 126  # more have a count of two bytes

_Shape = tuple[Callable[[bytes], tuple[Any, ...]], int, int]
"""Reads a record of these numbers of replicas; how it writes those of the ISR and directories."""


class PartitionReader:
    """Fills ``tables.partitions`` while no mark is open; ``flush`` before anybody sees topics.

    What does not come as the next partition of its topic may be there already, so it takes the
    way of all records, which knows what to count.
    """

    def __init__(self, tables: Tables, origin: Origin) -> None:
        self._tables = tables
        self._topics = tables.topics
        self._sharing = tables.sharing
        self._fill = tables.partitions.filler()
        self._origin = origin
        self._topic: Topic | None = None
        self._topic_id: Uuid = b""
        self._count = 0
        self._offline = 0
        self._not_preferred = 0
        self._led: dict[NodeId, int] = {}
        self._shapes: dict[int, _Shape] = {}
        self._nodes: dict[bytes, tuple[NodeId, ...]] = {}
        self._directories: dict[bytes, tuple[Uuid, ...]] = {}

    def read(self, value: bytes) -> bool:
        """Take a framed Partition record in; False, and nothing done, if it is no usual one."""
        if len(value) <= _REPLICAS_AT:
            return False
        shape = self._shapes.get(len(value) << 8 | value[_REPLICAS_AT])
        if shape is None and (shape := self._shape_of(value)) is None:
            return False
        unpack, isr_head, directories_head = shape
        (
            frame,
            number,
            topic_id,
            _,
            replicas,
            isr_found,
            isr,
            none,
            leader,
            leader_epoch,
            partition_epoch,
            directories_found,
            directories,
            tags,
        ) = unpack(value)
        if (
            frame not in _FRAMES
            or isr_found != isr_head
            or directories_found != directories_head
            or none != _NO_REASSIGNMENT
            or tags
            or (topic_id != self._topic_id and not self._enter(topic_id))
            or number < self._count
        ):
            return False
        self._count = number + 1
        nodes = self._nodes
        shared_replicas = nodes.get(replicas) or self._shared_nodes(replicas)
        if leader != shared_replicas[0]:
            self._not_preferred += 1
            self._offline += leader == NO_LEADER
        self._led[leader] = self._led.get(leader, 0) + 1
        self._fill(
            (self._topic_id, number),
            Partition(
                shared_replicas,
                self._directories.get(directories) or self._shared_directories(directories),
                nodes.get(isr) or self._shared_nodes(isr),
                (),
                (),
                (),
                (),
                leader,
                0,
                leader_epoch,
                partition_epoch,
                self._origin,
            ),
        )
        return True

    def flush(self) -> None:
        """Let the topic that was read last know its partitions, and the counts what was read."""
        self._leave()
        for leader, count in self._led.items():
            if leader != NO_LEADER:
                self._tables.count_led(leader, count)
        self._led.clear()

    def _leave(self) -> None:
        topic = self._topic
        if topic is not None and self._count > topic.partition_count:
            grown = Topic(topic.topic_id, topic.name, self._count, topic.origin)
            self._topics.put(topic.topic_id, grown)
        self._topic, self._topic_id, self._count = None, b"", 0
        if self._not_preferred:
            self._tables.count(OFFLINE_PARTITIONS, self._offline)
            self._tables.count(NOT_PREFERRED, self._not_preferred)
            self._offline = self._not_preferred = 0

    def _enter(self, topic_id: bytes) -> bool:
        """Go on with another topic; False when there is none of that id."""
        self._leave()
        topic = self._topics.get(topic_id)
        if topic is None:
            return False
        self._topic, self._topic_id, self._count = topic, topic.topic_id, topic.partition_count
        return True

    def _shape_of(self, value: bytes) -> _Shape | None:
        replicas = value[_REPLICAS_AT] - 1
        isr_at = _REPLICAS_AT + 1 + 4 * replicas
        if not 0 < replicas <= _MOST or isr_at >= len(value):
            return None
        isr = value[isr_at] - 1
        if not 0 <= isr <= _MOST or len(value) != _FIXED_BYTES + 20 * replicas + 4 * isr:
            return None
        layout = Struct(f">3si16sB{4 * replicas}sB{4 * isr}s2siiiB{16 * replicas}sB")
        shape = (layout.unpack, isr + 1, replicas + 1)
        self._shapes[len(value) << 8 | value[_REPLICAS_AT]] = shape
        return shape

    def _shared_nodes(self, text: bytes) -> tuple[NodeId, ...]:
        shared = self._sharing.nodes(Struct(f">{len(text) // 4}i").unpack(text))
        self._nodes[text] = shared
        return shared

    def _shared_directories(self, text: bytes) -> tuple[Uuid, ...]:
        shared = self._sharing.uuids([text[at : at + 16] for at in range(0, len(text), 16)])
        self._directories[text] = shared
        return shared
