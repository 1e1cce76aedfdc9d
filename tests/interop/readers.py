"""The clients that people have, each as a function that reads until a given value was seen.

Every reader takes a bootstrap address and ``seen``, which is called once a record and says
whether to go on. Each begins at the log's start and none uses a group.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator

from attrs import frozen

from tools.kafka import JavaHelper, libs
from tools.kafka.jvm import SHORT_LIVED_FLAGS, command
from tools.kafka.tool import tool_class

TOPIC = "__cluster_metadata"
PATIENCE_S = 60.0


@frozen
class Seen:
    """A record as a client delivered it; None where the client does not tell."""

    offset: int
    epoch: int | None
    timestamp_ms: int | None
    key: bytes | None
    value: bytes | None


GoOn = Callable[[Seen], bool]
Reader = Callable[[JavaHelper, str, GoOn], None]


class ReaderStuck(AssertionError):
    """A client delivered nothing more for a minute."""


def java_consumer(java: JavaHelper, servers: str, go_on: GoOn) -> None:
    """Kafka's Java consumer, 4.3.1."""
    with contextlib.closing(java.tail(servers)) as records:
        for one in records:
            if not go_on(Seen(one.offset, one.epoch, one.timestamp_ms, one.key, one.value)):
                return


def console_consumer(java: JavaHelper, servers: str, go_on: GoOn) -> None:
    """kafka-console-consumer.sh --partition 0, in a JVM of its own as users run it."""
    field_ends, record_ends = b"<|>", b"<!>\n"
    with _process(
        [
            *command(libs(), tool_class("console-consumer"), flags=SHORT_LIVED_FLAGS),
            *("--bootstrap-server", servers, "--topic", TOPIC),
            *("--partition", "0", "--offset", "earliest"),
            *("--formatter-property", "print.offset=true"),
            *("--formatter-property", "print.timestamp=true"),
            *("--formatter-property", "print.key=true"),
            *("--formatter-property", f"key.separator={field_ends.decode()}"),
            *("--formatter-property", f"line.separator={record_ends.decode()}"),
        ]
    ) as process:
        assert process.stdout is not None
        pending = b""
        while piece := process.stdout.read1(65_536):
            *lines, pending = (pending + piece).split(record_ends)
            for line in lines:
                time_text, offset_text, key, value = line.split(field_ends, 3)
                one = Seen(
                    int(offset_text.removeprefix(b"Offset:")),
                    None,
                    int(time_text.removeprefix(b"CreateTime:")),
                    None if key == b"null" else key,
                    value,
                )
                if not go_on(one):
                    return
    raise ReaderStuck("the console consumer ended by itself")


def kcat(java: JavaHelper, servers: str, go_on: GoOn) -> None:
    """kcat as Debian ships it; values are framed by their length, as they are bytes."""
    program = shutil.which("kcat")
    if program is None:
        raise AssertionError("kcat is not installed: apt-get install kcat")
    with _process(
        [
            *(program, "-b", servers, "-C", "-t", TOPIC, "-p", "0", "-o", "beginning"),
            *("-q", "-u", "-f", "%o %T %K %S\n%k%s\n"),
        ]
    ) as process:
        assert process.stdout is not None
        while head := process.stdout.readline():
            offset, timestamp_ms, key_size, value_size = map(int, head.split())
            key = process.stdout.read(key_size) if key_size >= 0 else None
            value = process.stdout.read(value_size) if value_size >= 0 else None
            process.stdout.read(1)
            if not go_on(Seen(offset, None, timestamp_ms, key, value)):
                return
    raise ReaderStuck("kcat ended by itself")


def confluent_kafka(java: JavaHelper, servers: str, go_on: GoOn) -> None:
    """confluent-kafka, which is librdkafka."""
    from confluent_kafka import OFFSET_BEGINNING, Consumer, TopicPartition

    consumer = Consumer(
        {"bootstrap.servers": servers, "group.id": "unused", "enable.auto.commit": False}
    )
    try:
        consumer.assign([TopicPartition(TOPIC, 0, OFFSET_BEGINNING)])
        ends = time.monotonic() + PATIENCE_S
        while time.monotonic() < ends:
            one = consumer.poll(1.0)
            if one is None:
                continue
            assert one.error() is None, one.error()
            offset, epoch = one.offset(), one.leader_epoch()
            assert offset is not None
            seen = Seen(offset, epoch, one.timestamp()[1], one.key(), one.value())
            if not go_on(seen):
                return
    finally:
        consumer.close()
    raise ReaderStuck("confluent-kafka")


def aiokafka(java: JavaHelper, servers: str, go_on: GoOn) -> None:
    """aiokafka, in an event loop of its own."""
    asyncio.run(asyncio.wait_for(_aiokafka(servers, go_on), PATIENCE_S))


async def _aiokafka(servers: str, go_on: GoOn) -> None:
    from aiokafka import AIOKafkaConsumer, TopicPartition

    partition = TopicPartition(TOPIC, 0)
    consumer = AIOKafkaConsumer(bootstrap_servers=servers, enable_auto_commit=False)
    await consumer.start()
    try:
        consumer.assign([partition])
        await consumer.seek_to_beginning(partition)
        async for one in consumer:
            if not go_on(Seen(one.offset, None, one.timestamp, one.key, one.value)):
                return
    finally:
        await consumer.stop()


def kafka_python(java: JavaHelper, servers: str, go_on: GoOn) -> None:
    """kafka-python 3."""
    from kafka import KafkaConsumer, TopicPartition

    partition = TopicPartition(TOPIC, 0)
    consumer = KafkaConsumer(bootstrap_servers=servers, enable_auto_commit=False)
    try:
        consumer.assign([partition])
        consumer.seek_to_beginning(partition)
        ends = time.monotonic() + PATIENCE_S
        while time.monotonic() < ends:
            for batch in consumer.poll(timeout_ms=1_000).values():
                for one in batch:
                    seen = Seen(one.offset, one.leader_epoch, one.timestamp, one.key, one.value)
                    if not go_on(seen):
                        return
    finally:
        consumer.close()
    raise ReaderStuck("kafka-python")


READERS: dict[str, Reader] = {
    "java-consumer": java_consumer,
    "console-consumer": console_consumer,
    "confluent-kafka": confluent_kafka,
    "kcat": kcat,
    "aiokafka": aiokafka,
    "kafka-python": kafka_python,
}


@contextlib.contextmanager
def _process(arguments: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
