"""One controller of Kafka at a chosen release, which writes nothing by itself."""

from __future__ import annotations

from pathlib import Path

from tools.kafka import KafkaCluster
from tools.kafka.ports import LOOPBACK

DYNAMIC_VOTERS = "controller.quorum.bootstrap.servers"
QUIET = {
    "metadata.max.idle.interval.ms": "0",
    "broker.session.timeout.ms": "3600000",
    "auto.leader.rebalance.enable": "false",
    "controller.quorum.append.linger.ms": "0",
}


def quiet_controller(directory: Path, release: str) -> KafkaCluster:
    """Formatted with static voters, as old releases want it; the caller starts and stops it."""
    kafka = KafkaCluster(directory, controllers=1, brokers=0, controller_properties=QUIET)
    node = kafka.nodes[1]
    node.properties = {
        **{key: one for key, one in node.properties.items() if key != DYNAMIC_VOTERS},
        "controller.quorum.voters": f"1@{LOOPBACK}:{kafka.controller_ports[1]}",
    }
    node.format(kafka.cluster_id, "--release-version", release)
    return kafka
