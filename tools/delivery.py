"""Numbered records through a cluster: what was acknowledged, what was read, lost or doubled.

One producer, idempotent, with acks=all, and the members of one group. Each in a thread of its own,
as kafka-python's clients want it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from typing import Any

from attrs import define, field
from kafka import KafkaConsumer, KafkaProducer
from kafka.errors import KafkaError

PLACE_IN_LOG = tuple[int, int]
"""Partition and offset."""

END_WITHIN_S = 30.0
MEMBERS_POLL_MS = 5_000
"""Longer than a rebalance; a poll ends when records come. One that ends between the answers to
JoinGroup and SyncGroup leaves kafka-python's member without its assignment (docs/non-obvious.md).
"""


@define
class Delivery:
    """The judge. Numbers are those of the records, from 0 on."""

    acknowledged: set[int] = field(factory=set)
    failed: set[int] = field(factory=set)
    read: dict[PLACE_IN_LOG, int] = field(factory=dict)
    _lock: threading.Lock = field(factory=threading.Lock, repr=False)

    def note_acknowledged(self, number: int) -> None:
        """The cluster has promised to keep this record."""
        with self._lock:
            self.acknowledged.add(number)

    def note_failed(self, number: int) -> None:
        """The producer gave up this record, which may be in the log or not."""
        with self._lock:
            self.failed.add(number)

    def note_read(self, partition: int, offset: int, number: int) -> None:
        """A member of the group got this record; members may get one again."""
        with self._lock:
            self.read[partition, offset] = number

    def lost(self) -> set[int]:
        """Acknowledged and not read so far."""
        with self._lock:
            return self.acknowledged - set(self.read.values())

    def doubled(self) -> set[int]:
        """In the log at more than one place."""
        with self._lock:
            seen: set[int] = set()
            twice: set[int] = set()
            for number in self.read.values():
                (twice if number in seen else seen).add(number)
            return twice


@define
class Clients:
    """A producer and a group on one topic, from ``start`` until ``stop``.

    ``producers_own`` are more options of the producer.
    """

    servers: list[str]
    topic: str
    group: str
    delivery: Delivery
    members: int = 2
    per_second: int = 50
    producers_own: Mapping[str, Any] = field(factory=dict)
    _sending: threading.Event = field(factory=threading.Event, init=False, repr=False)
    _reading: threading.Event = field(factory=threading.Event, init=False, repr=False)
    _threads: list[threading.Thread] = field(factory=list, init=False, repr=False)

    def start(self) -> None:
        """Begin to produce and to read."""
        self._sending.set()
        self._reading.set()
        for work in (self._produce, *[self._consume] * self.members):
            self._threads.append(threading.Thread(target=work, daemon=True))
        for thread in self._threads:
            thread.start()

    def stop_producer(self) -> None:
        """Send no more; what was sent is acknowledged or failed at the return."""
        self._sending.clear()
        self._threads[0].join(END_WITHIN_S)

    def stop(self) -> None:
        """End all of them."""
        self._sending.clear()
        self._reading.clear()
        for thread in self._threads:
            thread.join(END_WITHIN_S)

    def _produce(self) -> None:
        producer = KafkaProducer(
            bootstrap_servers=self.servers,
            acks="all",
            enable_idempotence=True,
            **self.producers_own,
        )
        pause, number = threading.Event(), 0
        while self._sending.is_set():
            try:
                sent = producer.send(self.topic, b"%d" % number)
            except KafkaError:
                self.delivery.note_failed(number)
            else:
                sent.add_callback(self._noted(self.delivery.note_acknowledged, number))
                sent.add_errback(self._noted(self.delivery.note_failed, number))
            number += 1
            pause.wait(1 / self.per_second)
        with suppress(KafkaError):
            producer.flush(timeout=END_WITHIN_S)
        producer.close(timeout=END_WITHIN_S)

    @staticmethod
    def _noted(note: Callable[[int], None], number: int) -> Callable[[object], None]:
        return lambda _: note(number)

    def _consume(self) -> None:
        """A member that fails leaves the group, and another one takes its place."""
        while self._reading.is_set():
            with suppress(KafkaError), closing(self._member()) as consumer:
                while self._reading.is_set():
                    for records in consumer.poll(timeout_ms=MEMBERS_POLL_MS).values():
                        for one in records:
                            self.delivery.note_read(one.partition, one.offset, int(one.value))

    def _member(self) -> KafkaConsumer:
        return KafkaConsumer(
            self.topic,
            bootstrap_servers=self.servers,
            group_id=self.group,
            auto_offset_reset="earliest",
        )
