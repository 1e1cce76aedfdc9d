"""Every client reads a record over a secured connection, by itself or in a group.

In a group it commits what it read and leaves, so that the next one of the group goes on there.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Callable

from attrs import frozen

from tests.interop.client_task_programs import ROOT, in_node, program
from tests.interop.guarded import Guarded
from tools.kafka import JavaHelper

TOPIC = "__cluster_metadata"
ASSIGNED, CLASSIC, CONSUMER = "assigned", "classic", "consumer"
PATIENCE_S = 60


@frozen
class Visit:
    """To whom, by which of the two ways in, how it reads, and the helper that runs Java."""

    guarded: Guarded
    by_sasl: bool
    how: str
    group: str
    helper: JavaHelper

    @property
    def in_group(self) -> bool:
        return self.how != ASSIGNED

    @property
    def place(self) -> str:
        return self.guarded.place(self.by_sasl)


def java(visit: Visit) -> int:
    config = {"auto.offset.reset": "earliest"}
    config |= visit.guarded.java_keys(visit.by_sasl)
    if visit.in_group:
        # What was polled is committed when it closes: one at a time, then.
        config |= {"group.id": visit.group, "group.protocol": visit.how}
        config |= {"enable.auto.commit": "true", "max.poll.records": "1"}
    found = visit.helper.consume(visit.place, count=1, config=config, subscribe=visit.in_group)
    return found[0].offset


def confluent(visit: Visit) -> int:
    import confluent_kafka as kafka

    config = {"bootstrap.servers": visit.place, "group.id": visit.group}
    config |= {"auto.offset.reset": "earliest", "enable.auto.commit": "false"}
    config |= visit.guarded.librdkafka_keys(visit.by_sasl)
    if visit.in_group:
        config["group.protocol"] = visit.how
    consumer = kafka.Consumer(config)
    try:
        if visit.in_group:
            consumer.subscribe([TOPIC])
        else:
            consumer.assign([kafka.TopicPartition(TOPIC, 0, 0)])
        message = consumer.poll(PATIENCE_S)
        assert message is not None
        assert message.error() is None, message.error()
        if visit.in_group:
            consumer.commit(message, asynchronous=False)
        return int(message.offset())
    finally:
        consumer.close()


def kafka_python(visit: Visit) -> int:
    import kafka

    consumer = kafka.KafkaConsumer(
        **visit.guarded.python_keys(visit.by_sasl),
        group_id=visit.group if visit.in_group else None,
        consumer_timeout_ms=PATIENCE_S * 1_000,
        enable_auto_commit=False,
        max_poll_records=1,
    )
    try:
        if visit.in_group:
            consumer.subscribe([TOPIC])
        else:
            consumer.assign([kafka.TopicPartition(TOPIC, 0)])
        offset = int(next(consumer).offset)
        if visit.in_group:
            consumer.commit()
        return offset
    finally:
        consumer.close()


def aiokafka(visit: Visit) -> int:
    from aiokafka import AIOKafkaConsumer, TopicPartition

    async def read() -> int:
        consumer = AIOKafkaConsumer(
            **visit.guarded.python_keys(visit.by_sasl),
            group_id=visit.group if visit.in_group else None,
            enable_auto_commit=False,
        )
        if visit.in_group:
            consumer.subscribe([TOPIC])
        await consumer.start()
        try:
            if not visit.in_group:
                consumer.assign([TopicPartition(TOPIC, 0)])
            record = await asyncio.wait_for(consumer.getone(), PATIENCE_S)
            if visit.in_group:
                await consumer.commit()
            return int(record.offset)
        finally:
            await consumer.stop()

    return asyncio.run(read())


def kcat(visit: Visit) -> int:
    line = [program("kcat", "kcat"), "-b", visit.place]
    for key, text in visit.guarded.librdkafka_keys(visit.by_sasl).items():
        line += ["-X", f"{key}={text}"]
    line += ["-c", "1", "-J", "-q"]
    if visit.in_group:
        line += ["-X", "auto.offset.reset=earliest", "-G", visit.group, TOPIC]
    else:
        line += ["-C", "-t", TOPIC, "-p", "0", "-o", "beginning"]
    done = subprocess.run(line, check=True, capture_output=True, timeout=PATIENCE_S)
    return int(json.loads(done.stdout)["offset"])


def kafkajs(visit: Visit) -> int:
    keys = json.dumps(visit.guarded.kafkajs_keys(visit.by_sasl))
    done = in_node(ROOT / "tools/js/kafkajs_reads.js", visit.place, TOPIC, visit.group, keys)
    assert done.exit_code == 0, done.stderr
    return int(done.stdout)


CLIENTS: dict[Callable[[Visit], int], tuple[str, ...]] = {
    java: (ASSIGNED, CLASSIC, CONSUMER),
    confluent: (ASSIGNED, CLASSIC, CONSUMER),
    kafka_python: (ASSIGNED, CLASSIC),
    aiokafka: (ASSIGNED, CLASSIC),
    kcat: (ASSIGNED, CLASSIC),
    kafkajs: (CLASSIC,),
}
"""Each with the ways to read that it knows."""
