"""The tasks of the clients that live in Python."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from importlib.metadata import version
from typing import Any

from tests.interop.client_tasks import (
    PATIENCE_S,
    TOPIC,
    ClientTask,
    Nothing,
    Outcome,
    Outcomes,
    gathered,
    tried,
)

EARLIEST = {
    "group.id": "matrix",
    "auto.offset.reset": "earliest",
    "enable.auto.commit": False,
}
PAYLOAD = b"1"


# ------------------------------------------------------------------------- confluent-kafka


def confluent_kafka_version() -> str:
    import confluent_kafka

    return f"{version('confluent-kafka')} (librdkafka {confluent_kafka.libversion()[0]})"


def confluent_kafka(task: ClientTask) -> Outcomes:
    """confluent-kafka, which is librdkafka."""
    from confluent_kafka import OFFSET_BEGINNING, KafkaException
    from confluent_kafka import TopicPartition as Partition

    def read(offset: int, count: int) -> Outcome:
        with _Confluent(task.servers) as client:
            client.consumer.assign([Partition(TOPIC, 0, offset)])
            return gathered(client.poll, count)

    def read_since() -> Outcome:
        with _Confluent(task.servers) as client:
            client.consumer.assign(client.since(task.timestamp_ms))
            return gathered(client.poll, task.count_from_offset)

    def find() -> Outcome:
        with _Confluent(task.servers) as client:
            return Outcome(offsets=(client.since(task.timestamp_ms)[0].offset,))

    def offsets() -> Outcome:
        with _Confluent(task.servers) as client:
            return Outcome(offsets=client.consumer.get_watermark_offsets(Partition(TOPIC, 0)))

    def topics() -> Outcome:
        with _Confluent(task.servers) as client:
            return Outcome(names=sorted(client.consumer.list_topics(timeout=PATIENCE_S).topics))

    def subscribe() -> Outcome:
        with _Confluent(task.servers) as client:
            client.consumer.subscribe([TOPIC])
            return gathered(client.poll, 1)

    def word(error: Exception) -> str:
        known = isinstance(error, KafkaException)
        return f"KafkaError {error.args[0].name()}" if known else type(error).__name__

    return tried(
        {
            "beginning": lambda: read(OFFSET_BEGINNING, task.count),
            "offset": lambda: read(task.offset, task.count_from_offset),
            "timestamp": read_since,
            "find": find,
            "offsets": offsets,
            "topics": topics,
            "configs": lambda: _confluent_configs(task.servers),
            "group": subscribe,
            "produce": lambda: _confluent_produce(task.servers),
            "transaction": lambda: _confluent_transaction(task.servers),
            "create": lambda: _confluent_create(task.servers),
        },
        word,
    )


class _Confluent:
    """A consumer that is closed at the end."""

    def __init__(self, servers: str) -> None:
        from confluent_kafka import Consumer

        self.consumer = Consumer({"bootstrap.servers": servers, **EARLIEST})

    def __enter__(self) -> _Confluent:
        return self

    def __exit__(self, *_: object) -> None:
        self.consumer.close()

    def since(self, timestamp_ms: int) -> Any:
        from confluent_kafka import TopicPartition

        wanted = [TopicPartition(TOPIC, 0, timestamp_ms)]
        return self.consumer.offsets_for_times(wanted, timeout=PATIENCE_S)

    def poll(self) -> Iterable[tuple[int, bytes | None]]:
        from confluent_kafka import KafkaException

        one = self.consumer.poll(0.5)
        if one is None:
            return []
        error, offset, value = one.error(), one.offset(), one.value()
        if error is not None:
            raise KafkaException(error)
        assert offset is not None
        return [(offset, bytes(value) if value is not None else None)]


def _confluent_configs(servers: str) -> Outcome:
    from confluent_kafka.admin import AdminClient, ConfigResource

    admin = AdminClient({"bootstrap.servers": servers})
    resource = ConfigResource(ConfigResource.Type.TOPIC, TOPIC)
    return Outcome(names=sorted(admin.describe_configs([resource])[resource].result(PATIENCE_S)))


def _confluent_create(servers: str) -> Outcome:
    from confluent_kafka.admin import AdminClient, NewTopic

    admin = AdminClient({"bootstrap.servers": servers})
    admin.create_topics([NewTopic("matrix", 1, 1)])["matrix"].result(PATIENCE_S)
    return Outcome(names=["matrix"])


def _confluent_produce(servers: str) -> Outcome:
    from confluent_kafka import KafkaException, Producer

    told: list[Any] = []
    producer = Producer({"bootstrap.servers": servers, "log_level": 3})
    producer.produce(TOPIC, PAYLOAD, partition=0, callback=lambda error, _: told.append(error))
    producer.flush(PATIENCE_S)
    if not told:
        raise Nothing("no report of a delivery")
    if told[0] is not None:
        raise KafkaException(told[0])
    return Outcome(names=["produced"])


def _confluent_transaction(servers: str) -> Outcome:
    from confluent_kafka import Producer

    asked = {"bootstrap.servers": servers, "transactional.id": "matrix", "log_level": 3}
    Producer(asked).init_transactions(PATIENCE_S)
    return Outcome(names=["begun"])


# ------------------------------------------------------------------------- aiokafka


def aiokafka_version() -> str:
    return version("aiokafka")


def aiokafka(task: ClientTask) -> Outcomes:
    """aiokafka; each task in an event loop of its own."""
    from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
    from aiokafka.admin import AIOKafkaAdminClient, NewTopic
    from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType

    partition = TopicPartition(TOPIC, 0)
    servers = task.servers

    async def records(consumer: Any, count: int) -> Outcome:
        seen: list[tuple[int, bytes | None]] = []
        while len(seen) < count:
            one = await asyncio.wait_for(consumer.getone(), PATIENCE_S)
            seen.append((one.offset, one.value))
        return Outcome(records=tuple(seen))

    async def read(consumer: Any) -> Outcome:
        consumer.assign([partition])
        await consumer.seek_to_beginning(partition)
        return await records(consumer, task.count)

    async def read_from(consumer: Any) -> Outcome:
        consumer.assign([partition])
        consumer.seek(partition, task.offset)
        return await records(consumer, task.count_from_offset)

    async def read_since(consumer: Any) -> Outcome:
        consumer.assign([partition])
        consumer.seek(partition, (await find(consumer)).offsets[0])
        return await records(consumer, task.count_from_offset)

    async def find(consumer: Any) -> Outcome:
        found = await consumer.offsets_for_times({partition: task.timestamp_ms})
        return Outcome(offsets=(found[partition].offset,))

    async def offsets(consumer: Any) -> Outcome:
        first = await consumer.beginning_offsets([partition])
        last = await consumer.end_offsets([partition])
        return Outcome(offsets=(first[partition], last[partition]))

    async def topics(consumer: Any) -> Outcome:
        return Outcome(names=sorted(await consumer.topics()))

    async def configs(admin: Any) -> Outcome:
        resource = ConfigResource(ConfigResourceType.TOPIC, TOPIC)
        (answer,) = await admin.describe_configs([resource])
        return Outcome(names=sorted(row[0] for row in answer.resources[0][4]))

    async def create(admin: Any) -> Outcome:
        answer = await admin.create_topics([NewTopic("matrix", 1, 1)])
        return Outcome(names=[str(answer)])

    async def produce(producer: Any) -> Outcome:
        await producer.send_and_wait(TOPIC, PAYLOAD, partition=0)
        return Outcome(names=["produced"])

    async def begin(producer: Any) -> Outcome:
        await producer.begin_transaction()
        return Outcome(names=["begun"])

    def transactional() -> Any:
        return AIOKafkaProducer(bootstrap_servers=servers, transactional_id="matrix")

    async def one_from_group(consumer: Any) -> Outcome:
        return await records(consumer, 1)

    def run(make: Callable[[], Any], act: Callable[[Any], Awaitable[Outcome]]) -> Outcome:
        return asyncio.run(_within(make, act))

    def consumer() -> Any:
        return AIOKafkaConsumer(bootstrap_servers=servers)

    def member() -> Any:
        return AIOKafkaConsumer(
            TOPIC,
            bootstrap_servers=servers,
            group_id="matrix-aiokafka",
            auto_offset_reset="earliest",
        )

    return tried(
        {
            "beginning": lambda: run(consumer, read),
            "offset": lambda: run(consumer, read_from),
            "timestamp": lambda: run(consumer, read_since),
            "find": lambda: run(consumer, find),
            "offsets": lambda: run(consumer, offsets),
            "topics": lambda: run(consumer, topics),
            "configs": lambda: run(lambda: AIOKafkaAdminClient(bootstrap_servers=servers), configs),
            "group": lambda: run(member, one_from_group),
            "produce": lambda: run(lambda: AIOKafkaProducer(bootstrap_servers=servers), produce),
            "transaction": lambda: run(transactional, begin),
            "create": lambda: run(lambda: AIOKafkaAdminClient(bootstrap_servers=servers), create),
        },
        _class_name,
    )


async def _within(make: Callable[[], Any], act: Callable[[Any], Awaitable[Outcome]]) -> Outcome:
    """Start a client, let it act, and close or stop it whatever came of it."""
    client = make()
    try:
        await client.start()
        return await act(client)
    finally:
        await (client.stop() if hasattr(client, "stop") else client.close())


# ------------------------------------------------------------------------- kafka-python


def kafka_python_version() -> str:
    return version("kafka-python")


def kafka_python(task: ClientTask) -> Outcomes:
    """kafka-python 3."""
    from kafka import KafkaConsumer, KafkaProducer, TopicPartition

    partition = TopicPartition(TOPIC, 0)
    servers = task.servers

    def consuming(act: Callable[[Any], Outcome], *names: str, **config: Any) -> Outcome:
        consumer = KafkaConsumer(*names, bootstrap_servers=servers, **config)
        try:
            return act(consumer)
        finally:
            consumer.close()

    def records(consumer: Any, count: int) -> Outcome:
        def poll() -> Iterable[tuple[int, bytes | None]]:
            # One long poll: a group's member whose poll ends between the answers to JoinGroup
            # and SyncGroup never takes its assignment over (docs/non-obvious.md).
            found = consumer.poll(timeout_ms=int(PATIENCE_S * 1_000))
            return [(one.offset, one.value) for batch in found.values() for one in batch]

        return gathered(poll, count)

    def read(consumer: Any) -> Outcome:
        consumer.assign([partition])
        consumer.seek_to_beginning(partition)
        return records(consumer, task.count)

    def read_from(consumer: Any) -> Outcome:
        consumer.assign([partition])
        consumer.seek(partition, task.offset)
        return records(consumer, task.count_from_offset)

    def read_since(consumer: Any) -> Outcome:
        consumer.assign([partition])
        consumer.seek(partition, find(consumer).offsets[0])
        return records(consumer, task.count_from_offset)

    def find(consumer: Any) -> Outcome:
        found = consumer.offsets_for_times({partition: task.timestamp_ms})
        return Outcome(offsets=(found[partition].offset,))

    def offsets(consumer: Any) -> Outcome:
        first = consumer.beginning_offsets([partition])[partition]
        return Outcome(offsets=(first, consumer.end_offsets([partition])[partition]))

    def topics(consumer: Any) -> Outcome:
        return Outcome(names=sorted(consumer.topics()))

    def produce() -> Outcome:
        producer = KafkaProducer(bootstrap_servers=servers)
        try:
            producer.send(TOPIC, PAYLOAD, partition=0).get(PATIENCE_S)
            return Outcome(names=["produced"])
        finally:
            producer.close(timeout=1)

    def transaction() -> Outcome:
        producer = KafkaProducer(
            bootstrap_servers=servers, transactional_id="matrix", max_block_ms=20_000
        )
        try:
            producer.init_transactions()
            return Outcome(names=["begun"])
        finally:
            producer.close(timeout=1)

    group = {"group_id": "matrix-kafka-python", "auto_offset_reset": "earliest"}
    return tried(
        {
            "beginning": lambda: consuming(read),
            "offset": lambda: consuming(read_from),
            "timestamp": lambda: consuming(read_since),
            "find": lambda: consuming(find),
            "offsets": lambda: consuming(offsets),
            "topics": lambda: consuming(topics),
            "configs": lambda: _kafka_python_configs(servers),
            "group": lambda: consuming(lambda one: records(one, 1), TOPIC, **group),
            "produce": produce,
            "transaction": transaction,
            "create": lambda: _kafka_python_create(servers),
        },
        _class_name,
    )


def _kafka_python_configs(servers: str) -> Outcome:
    from kafka import KafkaAdminClient
    from kafka.admin import ConfigResource, ConfigResourceType

    admin = KafkaAdminClient(bootstrap_servers=servers)
    try:
        answer = admin.describe_configs([ConfigResource(ConfigResourceType.TOPIC, TOPIC)])
        return Outcome(names=sorted(answer["topic"][TOPIC]))
    finally:
        admin.close()


def _kafka_python_create(servers: str) -> Outcome:
    from kafka import KafkaAdminClient
    from kafka.admin import NewTopic

    admin = KafkaAdminClient(bootstrap_servers=servers)
    try:
        return Outcome(names=[str(admin.create_topics([NewTopic("matrix", 1, 1)]))])
    finally:
        admin.close()


def _class_name(error: Exception) -> str:
    return type(error).__name__
