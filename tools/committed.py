"""Every committed record of a topic, read once from beginning to end by librdkafka's consumer.

The client is one of those of ``make interop-setup``, and is imported when something is read.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from confluent_kafka import Consumer, Message

POLL_S: Final = 0.5
ANSWER_WITHIN_S: Final = 30.0
RECORDS_AT_A_TIME: Final = 500


class NotRead(Exception):
    """A topic cannot be read to its end; the message says why."""


def committed_records(
    servers: str, topic: str, partitions: int, within_s: float
) -> Iterator[Message]:
    """The records of these partitions, each partition in order. NotRead when time is over first.

    A transaction that is still open is waited for.
    """
    from confluent_kafka import KafkaError, TopicPartition

    ends = time.monotonic() + within_s
    while why := _undecided(servers, topic, partitions):
        if time.monotonic() > ends:
            raise NotRead(why)
        time.sleep(POLL_S)
    reader = _consumer(servers, topic, "read_committed")
    try:
        reader.assign([TopicPartition(topic, one, 0) for one in range(partitions)])
        not_at_end = set(range(partitions))
        while not_at_end:
            if time.monotonic() > ends:
                raise NotRead(f"partitions {not_at_end} of {topic} cannot be read")
            for one in reader.consume(RECORDS_AT_A_TIME, POLL_S):
                fault = one.error()
                if fault is None:
                    yield one
                elif fault.code() == KafkaError._PARTITION_EOF:
                    not_at_end.discard(one.partition())
    finally:
        reader.close()


def _undecided(servers: str, topic: str, partitions: int) -> str:
    """Why not every record is known to be committed or aborted; empty if all are."""
    from confluent_kafka import KafkaException

    try:
        committed, everything = (
            _ends(servers, topic, partitions, one) for one in ("read_committed", "read_uncommitted")
        )
    except KafkaException as why:
        return f"the ends of {topic} are not to be had: {why}"
    return "" if committed == everything else f"a transaction stays open in {topic}"


def _ends(servers: str, topic: str, partitions: int, isolation: str) -> list[int]:
    """Behind the last record of each partition, or behind the last transaction that ended."""
    from confluent_kafka import TopicPartition

    asking = _consumer(servers, topic, isolation)
    try:
        return [
            asking.get_watermark_offsets(TopicPartition(topic, one), ANSWER_WITHIN_S)[1]
            for one in range(partitions)
        ]
    finally:
        asking.close()


def _consumer(servers: str, topic: str, isolation: str) -> Consumer:
    from confluent_kafka import Consumer

    return Consumer(
        {
            "bootstrap.servers": servers,
            "group.id": f"judge of {topic}",
            "isolation.level": isolation,
            "enable.auto.commit": False,
            "enable.partition.eof": True,
        }
    )
