"""Brokers of other releases of Kafka live on our controllers as those of the newest one do."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from kafka.admin import KafkaAdminClient, NewTopic

from tests.interop.test_broker_life import SESSION_MS, is_fenced, registered
from tools.delivery import Clients, Delivery
from tools.kafka.broker import address_of, broker_on
from tools.kafka.log_errors import kafkas_faults
from tools.own_node import OwnNode
from tools.process import until

BROKER = 100
TOPIC = "orders"
SERVED_S = 3.0
ONE_REPLICA = {"offsets.topic.replication.factor": "1", "offsets.topic.num.partitions": "2"}


@pytest.mark.parametrize(("version", "level"), [("3.9.1", "3.9"), ("4.4.0", None)])
def test_a_broker_serves_stops_restarts_is_killed_and_comes_back(
    tmp_path: Path, version: str, level: str | None
) -> None:
    node = OwnNode(tmp_path / "own", {"broker.session.timeout.ms": SESSION_MS})
    node.format(*(("--release-version", level) if level else ()))
    with node:
        broker = broker_on(
            *(tmp_path / "broker", node.bootstrap_controller, node.cluster_id, None, BROKER),
            more=ONE_REPLICA,
            version=version,
        )
        with broker:
            serve(address_of(broker), TOPIC)
            assert broker.stop() == 143
            stopped = registered(node)
            assert stopped is not None and stopped.fenced
            broker.bring_up()
            broker.kill()
            until(lambda: is_fenced(node), "the killed broker is not fenced")
            broker.bring_up()
            again = registered(node)
            assert again is not None and not again.fenced and again.epoch > stopped.epoch
            assert kafkas_faults(broker.log_file.read_text().splitlines()) == []


def serve(address: str, topic: str) -> None:
    """Make a topic, produce to it, and read all of it in a group."""
    admin = KafkaAdminClient(bootstrap_servers=address)
    admin.create_topics([NewTopic(topic, 2, 1)], wait_for_metadata=True)
    admin.close()
    delivery = Delivery()
    clients = Clients([address], topic, f"readers of {topic}", delivery)
    clients.start()
    try:
        time.sleep(SERVED_S)
        clients.stop_producer()
        until(lambda: not delivery.lost(), lambda: f"lost {sorted(delivery.lost())}")
    finally:
        clients.stop()
    assert len(delivery.acknowledged) > SERVED_S and not delivery.failed
    assert not delivery.doubled()
