"""How much of the last snapshot is out of date: KIP-630's changed records.

Every record of a snapshot stands for one entry: a partition, one setting of a topic, one rule.
An entry counts once it was changed or removed after the snapshot's end, and only once. What was
added since then does not count; when it is changed or removed in its turn, it does. What is
taken back, by an aborted transaction or with a leadership, was never counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from attrs import define, field

from metaquorum.base.offsets import Offset
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.metadata.tables.quotas import quota_entity
from metaquorum.records.metadata_record import MetadataRecord

Entry = tuple[object, ...]
"""The type of the record that a snapshot has for an entry, and what tells it from its like."""


@define
class ChangedRecords:
    """Counts; ``base`` is how many records of state the last snapshot has, 0 without one."""

    base: int = 0
    _changed: dict[Entry, Offset] = field(factory=dict)
    _uncommitted: list[tuple[Offset, Entry]] = field(factory=list)

    @property
    def count(self) -> int:
        """How many entries count, committed changes alone."""
        return len(self._changed)

    @property
    def ratio(self) -> float:
        """Their share of the last snapshot's records; above 1 where many were added since."""
        return self.count / self.base if self.base else 1.0

    def replaying(self, record: MetadataRecord, live: StateView, offset: Offset) -> None:
        """``record`` is about to change ``live``; what it touches of that is noted."""
        touched = _TOUCHED.get(record.type)
        if touched is not None:
            for entry in touched(record.message, live):
                self._uncommitted.append((offset, entry))

    def committed(self, end: Offset) -> None:
        """Everything below ``end`` is committed."""
        waiting = self._uncommitted
        passed = 0
        for offset, entry in waiting:
            if offset >= end:
                break
            self._changed[entry] = offset
            passed += 1
        del waiting[:passed]

    def reverted(self, end: Offset) -> None:
        """What was replayed from ``end`` on is taken back."""
        while self._uncommitted and self._uncommitted[-1][0] >= end:
            self._uncommitted.pop()

    def snapshot_written(self, end: Offset, records: int) -> None:
        """There is a newer snapshot: of the state at ``end``, with so many records of state."""
        self.base = records
        self._changed = {entry: at for entry, at in self._changed.items() if at >= end}


def _broker(broker_id: int, live: StateView) -> Iterator[Entry]:
    if broker_id in live.brokers:
        yield 0, broker_id


def _controller(message: Any, live: StateView) -> Iterator[Entry]:
    if message.controller_id in live.controllers:
        yield 27, message.controller_id


def _topic(message: Any, live: StateView) -> Iterator[Entry]:
    topic_id = bytes(message.topic_id)
    if topic_id in live.topics:
        yield 2, topic_id


def _removed_topic(message: Any, live: StateView) -> Iterator[Entry]:
    """The topic goes with its partitions and its settings."""
    topic_id = bytes(message.topic_id)
    topic = live.topics.get(topic_id)
    if topic is None:
        return
    yield 2, topic_id
    for number in range(topic.partition_count):
        if (topic_id, number) in live.partitions:
            yield 3, topic_id, number
    for name in live.configs.get((2, topic.name)) or ():
        yield 4, 2, topic.name, name


def _partition(message: Any, live: StateView) -> Iterator[Entry]:
    key = (bytes(message.topic_id), message.partition_id)
    if key in live.partitions:
        yield 3, *key


def _cleared_elr(message: Any, live: StateView) -> Iterator[Entry]:
    if message.topic_name:
        topic_id = live.topic_ids.get(message.topic_name)
        chosen: Iterable[bytes] = () if topic_id is None else (topic_id,)
    else:
        chosen = live.topics.keys()
    for topic_id in chosen:
        topic = live.topics.get(topic_id)
        for number in range(topic.partition_count if topic is not None else 0):
            one = live.partitions.get((topic_id, number))
            if one is not None and (one.elr or one.last_known_elr):
                yield 3, topic_id, number


def _config(message: Any, live: StateView) -> Iterator[Entry]:
    resource = (message.resource_type, message.resource_name)
    if message.name in (live.configs.get(resource) or ()):
        yield 4, *resource, message.name


def _quota(message: Any, live: StateView) -> Iterator[Entry]:
    entity = quota_entity([(part.entity_type, part.entity_name) for part in message.entity])
    if message.key in (live.quotas.get(entity) or ()):
        yield 14, entity, message.key


def _feature(message: Any, live: StateView) -> Iterator[Entry]:
    if live.features.level(message.name):
        yield 12, message.name


def _producer_ids(message: Any, live: StateView) -> Iterator[Entry]:
    if live.next_producer_id > 0:
        yield (15,)


def _zk_migration(message: Any, live: StateView) -> Iterator[Entry]:
    if live.zk_migration_state:
        yield (21,)


def _rule(message: Any, live: StateView) -> Iterator[Entry]:
    rule_id = bytes(message.id)
    if rule_id in live.access_rules:
        yield 18, rule_id


def _scram(message: Any, live: StateView) -> Iterator[Entry]:
    key = (message.name, message.mechanism)
    if key in live.scram:
        yield 11, *key


def _token(message: Any, live: StateView) -> Iterator[Entry]:
    if message.token_id in live.tokens:
        yield 10, message.token_id


def _by_broker_id(message: Any, live: StateView) -> Iterator[Entry]:
    return _broker(message.broker_id, live)


def _by_id(message: Any, live: StateView) -> Iterator[Entry]:
    return _broker(message.id, live)


_TOUCHED: Final[dict[int, Callable[[Any, StateView], Iterator[Entry]]]] = {
    0: _by_broker_id,
    1: _by_broker_id,
    2: _topic,
    3: _partition,
    4: _config,
    5: _partition,
    7: _by_id,
    8: _by_id,
    9: _removed_topic,
    10: _token,
    11: _scram,
    12: _feature,
    14: _quota,
    15: _producer_ids,
    17: _by_broker_id,
    18: _rule,
    19: _rule,
    21: _zk_migration,
    22: _scram,
    26: _token,
    27: _controller,
    28: _cleared_elr,
    29: _controller,
}
"""By record type, the entries that a record is about to change or remove; NoOp touches none."""
