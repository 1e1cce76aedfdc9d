"""KIP-630's table again: what the log stores, and sends, when one broker stops.

The KIP compares one ISR change for each of the broker's replicas with a single fence record, in a
cluster of 100 brokers with 100,000 topics of 10 partitions, replication factor 3. Here is the same
with the records of today, counted from their schemas, and with ours, encoded and put into batches
by the very code that a leader runs. Kafka writes both kinds today, and so must every controller,
or brokers would go on with leaders that are gone: the snapshot is why the log need not keep the
first.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from attrs import asdict, frozen

from metaquorum.base.limits import MAX_RECORDS_PER_BATCH
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.runtime.driver.batches import build_batches, metadata_entry
from metaquorum.wire.generated.records.broker_registration_change_record import (
    BrokerRegistrationChangeRecord,
)
from metaquorum.wire.generated.records.partition_change_record import PartitionChangeRecord

BROKERS, TOPICS, PARTITIONS_A_TOPIC, REPLICATION_FACTOR = 100, 100_000, 10, 3
MIB = 1_048_576  # what the KIP calls MB: only so do its figures come out
KIP_ISR_CHANGE_BYTES = 40
KIP_STOP_MB, KIP_ALL_MB = 1.14, 113.29  # as printed there, cut off after two digits

PARTITION_CHANGE, BROKER_REGISTRATION_CHANGE = 5, 17
PARTITION_CHANGE_VERSION, BROKER_REGISTRATION_CHANGE_VERSION = 2, 0  # from 4.0-IV1 on
BATCH_HEADER_BYTES, FRAME_BYTES, TAG_HEAD_BYTES = 61, 3, 2
INT_BYTES, LONG_BYTES, UUID_BYTES = 4, 8, 16
NOW_MS = 1_700_000_000_000


@frozen
class Cluster:
    """How many there are of everything; ``kip`` is the one of the KIP."""

    brokers: int = BROKERS
    topics: int = TOPICS

    @property
    def replicas_a_broker(self) -> int:
        """Replicas of one broker, spread evenly."""
        return self.topics * PARTITIONS_A_TOPIC * REPLICATION_FACTOR // self.brokers

    @property
    def leaders_a_broker(self) -> int:
        """Partitions that one broker leads, spread evenly."""
        return self.replicas_a_broker // REPLICATION_FACTOR

    @property
    def others(self) -> int:
        """The brokers that everything is sent to."""
        return self.brokers - 1


@frozen
class Row:
    """Bytes in the log for one broker's stop, and sent to all other brokers."""

    what: str
    records: int
    log_bytes: int
    sent_bytes: int
    kip: str = ""

    @property
    def log_mb(self) -> float:
        """Megabytes as the KIP has them."""
        return self.log_bytes / MIB

    @property
    def sent_mb(self) -> float:
        """Likewise."""
        return self.sent_bytes / MIB


def row(cluster: Cluster, what: str, records: int, log_bytes: int, kip: str = "") -> Row:
    """A row whose bytes go to every other broker."""
    return Row(what, records, log_bytes, log_bytes * cluster.others, kip)


# By the schemas.


def int_array_bytes(count: int) -> int:
    """A short compact array of int32: its length, and the numbers."""
    return 1 + INT_BYTES * count


def partition_change_value_bytes(isr: int, *, new_leader: bool) -> int:
    """A PartitionChange with an ISR of that many, and perhaps a leader, both tagged fields."""
    value_bytes = FRAME_BYTES + INT_BYTES + UUID_BYTES + 1 + TAG_HEAD_BYTES + int_array_bytes(isr)
    return value_bytes + (TAG_HEAD_BYTES + INT_BYTES if new_leader else 0)


def fence_value_bytes() -> int:
    """A BrokerRegistrationChange that fences: broker, epoch, one tagged byte."""
    return FRAME_BYTES + INT_BYTES + LONG_BYTES + 1 + TAG_HEAD_BYTES + 1


def varint_bytes(number: int) -> int:
    """A zigzag varint of a number that is not negative."""
    return max(1, ((2 * number).bit_length() + 6) // 7)


def record_bytes(value_bytes: int, offset_delta: int) -> int:
    """A record without key and headers: length, attributes, two deltas, both lengths, headers."""
    body = 1 + 1 + varint_bytes(offset_delta) + 1 + varint_bytes(value_bytes) + value_bytes + 1
    return varint_bytes(body) + body


def batches_bytes(values: Iterator[int]) -> int:
    """Batches of records with values of these sizes, each as full as a controller fills them."""
    total = 0
    for index, value_bytes in enumerate(values):
        offset_delta = index % MAX_RECORDS_PER_BATCH
        total += (BATCH_HEADER_BYTES if offset_delta == 0 else 0) + record_bytes(
            value_bytes, offset_delta
        )
    return total


def changed_value_bytes(cluster: Cluster) -> Iterator[int]:
    """One ISR change for each replica of the broker, with a leader where it was the leader."""
    for number in range(cluster.replicas_a_broker):
        yield partition_change_value_bytes(
            REPLICATION_FACTOR - 1, new_leader=number < cluster.leaders_a_broker
        )


# By our encoder.


def changes(cluster: Cluster) -> Iterator[MetadataRecord]:
    """The same changes as records."""
    for number in range(cluster.replicas_a_broker):
        message = PartitionChangeRecord(
            partition_id=number % PARTITIONS_A_TOPIC,
            topic_id=number.to_bytes(UUID_BYTES, "big"),
            isr=[1, 2],
            leader=1 if number < cluster.leaders_a_broker else -2,
        )
        yield MetadataRecord(PARTITION_CHANGE, PARTITION_CHANGE_VERSION, message)


def fence() -> MetadataRecord:
    """The one record that fences a broker."""
    message = BrokerRegistrationChangeRecord(broker_id=3, broker_epoch=7, fenced=1)
    return MetadataRecord(BROKER_REGISTRATION_CHANGE, BROKER_REGISTRATION_CHANGE_VERSION, message)


def encoded_bytes(records: list[MetadataRecord]) -> int:
    """What a leader of ours appends for these records."""
    return sum(
        batch.size_bytes
        for batch in build_batches(
            [metadata_entry(record) for record in records], atomic=False, timestamp_ms=NOW_MS
        )
    )


def table(cluster: Cluster) -> list[Row]:
    """The KIP's row, today's by their schemas, and ours by the encoder."""
    replicas = cluster.replicas_a_broker
    by_schema = [*changed_value_bytes(cluster), fence_value_bytes()]
    ours = [*changes(cluster), fence()]
    kip = f"{KIP_STOP_MB} MB, {KIP_ALL_MB} MB" if cluster == Cluster() else ""
    return [
        row(
            cluster, "KIP-630: ISR changes of 40 B", replicas, KIP_ISR_CHANGE_BYTES * replicas, kip
        ),
        row(cluster, "today: ISR changes + fence", replicas + 1, batches_bytes(iter(by_schema))),
        row(cluster, "ours: ISR changes + fence", replicas + 1, encoded_bytes(ours)),
        row(cluster, "today: the fence record alone", 1, batches_bytes(iter(by_schema[-1:]))),
        row(cluster, "ours: the fence record alone", 1, encoded_bytes(ours[-1:])),
    ]


def lines(rows: list[Row]) -> Iterator[str]:
    """The table as people read it."""
    yield f"{'one broker of 100 stops':30} {'records':>8} {'in the log':>22} {'to 99 brokers':>26}"
    for one in rows:
        log = f"{one.log_bytes:,} B {one.log_mb:7.2f} MB"
        sent = f"{one.sent_bytes:,} B {one.sent_mb:7.2f} MB"
        kip = f"  the KIP says {one.kip}" if one.kip else ""
        yield f"{one.what:30} {one.records:8,} {log:>22} {sent:>26}{kip}"
    whole, alone = rows[2], rows[4]
    yield f"ISR changes against one fence record: {whole.log_bytes / alone.log_bytes:,.0f} to 1"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a row")
    chosen = parser.parse_args(arguments)
    rows = table(Cluster())
    for line in (json.dumps(asdict(one)) for one in rows) if chosen.json else lines(rows):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
