"""Real clients in groups of ours: they subscribe, commit and come back; tools show and change."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.interop.readers import TOPIC
from tools.kafka import JavaHelper
from tools.own_cluster import OwnCluster
from tools.own_node import OwnNode

PATIENCE_S = 60.0
WITH_GROUPS = {"metaquorum.groups.enable": "true", "group.initial.rebalance.delay.ms": "0"}
PROTOCOLS = ["classic", "consumer"]

each_protocol = pytest.mark.parametrize("protocol", PROTOCOLS)


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnNode]:
    """A node that keeps groups, and does not wait for more members of new ones."""
    with OwnNode(tmp_path_factory.mktemp("own"), WITH_GROUPS) as one:
        yield one


def _console(java: JavaHelper, node: OwnNode, *words: str) -> list[int]:
    """The offsets that kafka-console-consumer shows."""
    done = java.tool(
        "console-consumer",
        *("--bootstrap-server", node.bootstrap_server, "--topic", TOPIC, "--from-beginning"),
        *("--timeout-ms", "20000", "--formatter-property", "print.offset=true"),
        *("--formatter-property", "print.value=false", *words),
    )
    return [
        int(word.removeprefix("Offset:"))
        for word in done.stdout.split()
        if word.startswith("Offset:")
    ]


def _groups(java: JavaHelper, node: OwnNode | str, *words: str) -> str:
    """What kafka-consumer-groups prints."""
    servers = node if isinstance(node, str) else node.bootstrap_server
    done = java.tool("consumer-groups", "--bootstrap-server", servers, *words)
    assert done.exit_code == 0, done.stderr
    return done.stdout


def _confluent(node: OwnNode | str, count: int, **config: Any) -> list[int]:
    """Subscribe, read so many records, commit, leave."""
    from confluent_kafka import Consumer

    consumer = Consumer(
        {
            "bootstrap.servers": node if isinstance(node, str) else node.bootstrap_server,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
            **config,
        }
    )
    try:
        consumer.subscribe([TOPIC])
        found: list[int] = []
        ends = time.monotonic() + PATIENCE_S
        while len(found) < count and time.monotonic() < ends:
            message = consumer.poll(1.0)
            if message is not None:
                assert message.error() is None, message.error()
                found.append(message.offset())
        consumer.commit(asynchronous=False)
        return found
    finally:
        consumer.close()


def test_the_console_consumer_reads_from_start_without_a_partition(
    node: OwnNode, java: JavaHelper
) -> None:
    found = _console(java, node, "--max-messages", "3")
    assert len(found) == 3
    assert found == sorted(found)


def test_positions_of_a_group_outlive_the_process(node: OwnNode, java: JavaHelper) -> None:
    first = _console(java, node, "--group", "kept", "--max-messages", "2")
    node.kill()
    node.start()
    node.wait_ready()
    second = _console(java, node, "--group", "kept", "--max-messages", "2")
    assert len(first) == len(second) == 2
    assert second[0] > first[-1]


@each_protocol
def test_the_java_consumer_subscribes(node: OwnNode, java: JavaHelper, protocol: str) -> None:
    config = {
        "group.id": f"java-{protocol}",
        "auto.offset.reset": "earliest",
        "group.protocol": protocol,
    }
    records = java.consume(node.bootstrap_server, subscribe=True, count=3, config=config)
    assert len(records) == 3


@each_protocol
def test_confluent_kafka_goes_on_where_it_committed(node: OwnNode, protocol: str) -> None:
    config = {"group.id": f"confluent-{protocol}", "group.protocol": protocol}
    first = _confluent(node, 3, **config)
    assert _confluent(node, 1, **config)[0] > first[-1]


def test_a_static_member_comes_back_at_once(node: OwnNode) -> None:
    config = {"group.id": "static", "group.instance.id": "one", "group.protocol": "classic"}
    first = _confluent(node, 2, **config)
    assert _confluent(node, 1, **config)[0] > first[-1]


def test_kcat_balances(node: OwnNode) -> None:
    kcat = shutil.which("kcat")
    assert kcat is not None, "kcat is not installed: apt-get install kcat"
    done = subprocess.run(
        [
            *(kcat, "-b", node.bootstrap_server, "-G", "kcat", TOPIC),
            *("-X", "auto.offset.reset=earliest", "-c", "2", "-f", "%o\n"),
        ],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )
    assert len(done.stdout.split()) == 2


def test_aiokafka_subscribes_and_commits(node: OwnNode) -> None:
    from aiokafka import AIOKafkaConsumer

    async def read() -> int:
        consumer = AIOKafkaConsumer(
            TOPIC,
            bootstrap_servers=node.bootstrap_server,
            group_id="aiokafka",
            auto_offset_reset="earliest",
            enable_auto_commit=False,
        )
        await consumer.start()
        try:
            record = await asyncio.wait_for(consumer.getone(), PATIENCE_S)
            await consumer.commit()
            return int(record.offset)
        finally:
            await consumer.stop()

    assert asyncio.run(read()) < asyncio.run(read())


def test_kafka_python_subscribes_and_commits(node: OwnNode) -> None:
    from kafka import KafkaConsumer

    def read() -> int:
        consumer = KafkaConsumer(
            TOPIC,
            bootstrap_servers=node.bootstrap_server,
            group_id="kafka-python",
            auto_offset_reset="earliest",
            enable_auto_commit=False,
            consumer_timeout_ms=int(PATIENCE_S * 1000),
        )
        try:
            record = next(consumer)
            consumer.commit()
            return int(record.offset)
        finally:
            consumer.close()

    assert read() < read()


@each_protocol
def test_operators_see_reset_and_delete_groups(
    node: OwnNode, java: JavaHelper, protocol: str
) -> None:
    name = f"shown-{protocol}"
    _confluent(node, 3, **{"group.id": name, "group.protocol": protocol})
    assert name in _groups(java, node, "--list").split()
    kind = {"classic": "Classic", "consumer": "Consumer"}[protocol]
    assert f"{name} {kind}" in " ".join(_groups(java, node, "--list", "--type").split())
    assert "Empty" in _groups(java, node, "--describe", "--group", name, "--state")
    (row,) = [
        line.split()
        for line in _groups(java, node, "--describe", "--group", name, "--offsets").splitlines()
        if line.startswith(f"{name} ")
    ]
    assert row[1] == TOPIC
    assert int(row[3]) > 0
    reset = _groups(
        java,
        *(node, "--reset-offsets", "--group", name, "--topic", TOPIC, "--to-earliest", "--execute"),
    )
    assert reset.split()[-1] == "0"
    assert _confluent(node, 1, **{"group.id": name, "group.protocol": protocol})[0] < 10
    told = _groups(java, node, "--delete-offsets", "--group", name, "--topic", TOPIC)
    assert "Successful" in told
    assert "successful" in _groups(java, node, "--delete", "--group", name)
    assert name not in _groups(java, node, "--list").split()


def test_operators_see_who_is_in_a_group(node: OwnNode, java: JavaHelper) -> None:
    from confluent_kafka import Consumer

    for protocol in PROTOCOLS:
        consumer = Consumer(
            {
                "bootstrap.servers": node.bootstrap_server,
                "group.id": f"live-{protocol}",
                "client.id": "someone",
                "group.protocol": protocol,
            }
        )
        try:
            consumer.subscribe([TOPIC])
            ends = time.monotonic() + PATIENCE_S
            while not consumer.assignment() and time.monotonic() < ends:
                consumer.poll(0.2)
            told = _groups(java, node, "--describe", "--group", f"live-{protocol}", "--members")
            (row,) = [line.split() for line in told.splitlines() if "someone" in line]
            assert row[2:5] == ["/127.0.0.1", "someone", "1"]
        finally:
            consumer.close()


def test_positions_outlive_a_coordinator_that_is_killed(tmp_path: Path, java: JavaHelper) -> None:
    with OwnCluster(tmp_path, properties=WITH_GROUPS) as cluster:
        servers = cluster.bootstrap_servers
        first = {
            protocol: _confluent(servers, 2, **{"group.id": protocol, "group.protocol": protocol})
            for protocol in PROTOCOLS
        }
        told = _groups(java, servers, "--describe", "--group", "classic", "--state")
        found = re.search(r"\((\d)\)", told)
        assert found is not None, told
        cluster.nodes[int(found[1])].kill()
        for protocol, before in first.items():
            config = {"group.id": protocol, "group.protocol": protocol}
            assert _confluent(servers, 1, **config)[0] > before[-1]
