"""A node that keeps no groups: a client that asks for one is told so, and does not hang."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from tests.interop.readers import TOPIC
from tools.kafka import JavaHelper
from tools.kafka.helper import HelperFailed
from tools.own_node import OwnNode

PATIENCE_S = 20.0
EARLIEST = {"group.id": "g", "auto.offset.reset": "earliest"}


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnNode]:
    """A node that was told to keep no groups."""
    with OwnNode(tmp_path_factory.mktemp("own"), {"metaquorum.groups.enable": "false"}) as one:
        yield one


@pytest.mark.parametrize("protocol", ["classic", "consumer"])
def test_the_java_consumer_is_told(node: OwnNode, java: JavaHelper, protocol: str) -> None:
    config = {**EARLIEST, "group.protocol": protocol}
    with pytest.raises(HelperFailed, match="GroupAuthorizationException"):
        java.consume(node.bootstrap_server, subscribe=True, count=1, config=config)


def test_the_console_consumer_is_told(node: OwnNode, java: JavaHelper) -> None:
    done = java.tool(
        "console-consumer",
        *("--bootstrap-server", node.bootstrap_server, "--topic", TOPIC, "--from-beginning"),
        *("--timeout-ms", "15000"),
    )
    assert "Group authorization failed" in done.stderr


def test_confluent_kafka_is_told(node: OwnNode) -> None:
    from confluent_kafka import Consumer, KafkaError

    consumer = Consumer({"bootstrap.servers": node.bootstrap_server, **EARLIEST})
    try:
        consumer.subscribe([TOPIC])
        message = consumer.poll(PATIENCE_S)
        assert message is not None
        error = message.error()
        assert error is not None
        assert error.code() == KafkaError.GROUP_AUTHORIZATION_FAILED
    finally:
        consumer.close()


def test_aiokafka_is_told(node: OwnNode) -> None:
    from aiokafka import AIOKafkaConsumer
    from aiokafka.errors import GroupAuthorizationFailedError

    async def subscribe() -> None:
        consumer = AIOKafkaConsumer(
            TOPIC,
            bootstrap_servers=node.bootstrap_server,
            group_id="g",
            auto_offset_reset="earliest",
        )
        try:
            await consumer.start()
            await asyncio.wait_for(consumer.getone(), PATIENCE_S)
        finally:
            await consumer.stop()

    with pytest.raises(GroupAuthorizationFailedError):
        asyncio.run(subscribe())


def test_kafka_python_is_told(node: OwnNode) -> None:
    from kafka import KafkaConsumer
    from kafka.errors import GroupAuthorizationFailedError

    consumer = KafkaConsumer(
        TOPIC,
        bootstrap_servers=node.bootstrap_server,
        group_id="g",
        auto_offset_reset="earliest",
    )
    try:
        with pytest.raises(GroupAuthorizationFailedError):
            consumer.poll(timeout_ms=int(PATIENCE_S * 1000))
    finally:
        consumer.close()
