"""Consumer groups: ordinary consumers subscribe, and their positions outlive processes."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.interop.readers import TOPIC
from tools.kafka import JavaHelper
from tools.own_cluster import OwnCluster
from tools.own_node import OwnNode

PATIENCE_S = 20.0
PATIENCE_MS = 20_000


def _group(name: str) -> dict[str, str]:
    return {"group.id": name, "auto.offset.reset": "earliest"}


@pytest.mark.parametrize("protocol", ["classic", "consumer"])
def test_the_java_consumer_subscribes_and_goes_on_where_it_was(
    node: OwnNode, java: JavaHelper, protocol: str
) -> None:
    config = {
        **_group(f"java-{protocol}"),
        "group.protocol": protocol,
        "max.poll.records": "2",
        "enable.auto.commit": "true",
    }
    servers = node.bootstrap_server
    first = java.consume(servers, subscribe=True, count=2, config=config)
    then = java.consume(servers, subscribe=True, count=2, config=config)
    assert then[0].offset == first[-1].offset + 1


def test_the_console_consumer_needs_no_partition(node: OwnNode, java: JavaHelper) -> None:
    done = java.tool(
        "console-consumer",
        *("--bootstrap-server", node.bootstrap_server, "--topic", TOPIC, "--from-beginning"),
        *("--max-messages", "3", "--timeout-ms", str(PATIENCE_MS)),
    )
    assert "Processed a total of 3 messages" in done.stderr


def _confluent(servers: str, group: str, count: int) -> list[int]:
    from confluent_kafka import Consumer

    consumer = Consumer({"bootstrap.servers": servers, **_group(group)})
    found: list[int] = []
    try:
        consumer.subscribe([TOPIC])
        ends = time.monotonic() + PATIENCE_S
        while len(found) < count and time.monotonic() < ends:
            message = consumer.poll(1.0)
            if message is not None:
                assert message.error() is None, message.error()
                found.append(message.offset())
                consumer.commit(message=message, asynchronous=False)
    finally:
        consumer.close()
    return found


def _aiokafka(servers: str, group: str, count: int) -> list[int]:
    from aiokafka import AIOKafkaConsumer

    async def read() -> list[int]:
        consumer = AIOKafkaConsumer(
            TOPIC,
            bootstrap_servers=servers,
            group_id=group,
            auto_offset_reset="earliest",
            enable_auto_commit=False,
            max_poll_records=1,
        )
        await consumer.start()
        try:
            found: list[int] = []
            for _ in range(count):
                message = await asyncio.wait_for(consumer.getone(), PATIENCE_S)
                found.append(message.offset)
                await consumer.commit()
            return found
        finally:
            await consumer.stop()

    return asyncio.run(read())


def _kafka_python(servers: str, group: str, count: int) -> list[int]:
    from kafka import KafkaConsumer

    consumer: Any = KafkaConsumer(
        TOPIC,
        bootstrap_servers=servers,
        group_id=group,
        auto_offset_reset="earliest",
        enable_auto_commit=False,
        max_poll_records=1,
    )
    try:
        found: list[int] = []
        ends = time.monotonic() + PATIENCE_S
        while len(found) < count and time.monotonic() < ends:
            for rows in consumer.poll(timeout_ms=1_000, max_records=1).values():
                found += [row.offset for row in rows]
                consumer.commit()
        return found
    finally:
        consumer.close()


READERS: list[Callable[[str, str, int], list[int]]] = [_confluent, _aiokafka, _kafka_python]


@pytest.mark.parametrize("read", READERS, ids=lambda read: read.__name__.strip("_"))
def test_clients_in_python_subscribe_and_go_on_where_they_were(
    node: OwnNode, read: Callable[[str, str, int], list[int]]
) -> None:
    first = read(node.bootstrap_server, f"group of {read.__name__}", 2)
    then = read(node.bootstrap_server, f"group of {read.__name__}", 1)
    assert len(first) == 2 and then == [first[-1] + 1]


def test_kafkas_tool_lists_describes_resets_and_deletes_a_group(
    node: OwnNode, java: JavaHelper
) -> None:
    read = _confluent(node.bootstrap_server, "told-of", 2)
    servers = ("--bootstrap-server", node.bootstrap_server)

    def tool(*arguments: str) -> str:
        done = java.tool("consumer-groups", *servers, *arguments)
        assert done.exit_code == 0, done.stderr
        return done.stdout

    assert "told-of" in tool("--list").split()
    row = re.search(
        rf"^told-of +{TOPIC} +0 +(\d+) ", tool("--describe", "--group", "told-of"), re.M
    )
    assert row is not None and int(row[1]) == read[-1] + 1
    named = ("--group", "told-of")
    tool("--reset-offsets", *named, "--topic", TOPIC, "--to-offset", "1", "--execute")
    assert re.search(rf"^told-of +{TOPIC} +0 +1 ", tool("--describe", *named), re.M)
    tool("--delete", *named)
    assert "told-of" not in tool("--list").split()


def test_a_position_outlives_the_coordinator_and_a_restart_of_all(tmp_path: Path) -> None:
    with OwnCluster(tmp_path) as cluster:
        first = _kafka_python(cluster.bootstrap_servers, "readers", 3)
        cluster.nodes[_coordinator(cluster)].kill()
        assert _kafka_python(cluster.bootstrap_servers, "readers", 1) == [first[-1] + 1]
        cluster.stop()
        cluster.start()
        cluster.wait_led()
        assert _kafka_python(cluster.bootstrap_servers, "readers", 1) == [first[-1] + 2]


def _coordinator(cluster: OwnCluster) -> int:
    """Who leads the partition, as the nodes' own lines tell; the latest of the highest epoch."""
    pattern = r"partition=\S+ node=(\d+) before=\w+ after=Leader epoch=(\d+)"
    told = [
        (int(found[2]), int(found[1]))
        for node in cluster.nodes.values()
        for found in re.finditer(pattern, node.log_file.read_text())
    ]
    return max(told)[1]
