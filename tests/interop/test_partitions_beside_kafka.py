"""Our plans for partitions write and answer what a controller of Kafka does."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from tests.interop.partition_play import Play
from tools.kafka import KafkaCluster
from tools.kafka.ports import LOOPBACK

STEPS = int(os.environ.get("METAQUORUM_PARTITION_STEPS", "400"))
SEED = int(os.environ.get("METAQUORUM_PARTITION_SEED", "1"))
DYNAMIC_VOTERS = "controller.quorum.bootstrap.servers"
QUIET = {
    "metadata.max.idle.interval.ms": "0",
    "broker.session.timeout.ms": "3600000",
    "auto.leader.rebalance.enable": "false",
    "controller.quorum.append.linger.ms": "0",
}


@pytest.mark.parametrize(
    "release", ["4.3", "3.9", "3.5"], ids=["with ELR", "without ELR", "without directories"]
)
def test_random_changes_of_partitions_are_those_of_kafka(tmp_path: Path, release: str) -> None:
    kafka = KafkaCluster(tmp_path, controllers=1, brokers=0, controller_properties=QUIET)
    port = kafka.controller_ports[1]
    node = kafka.nodes[1]
    node.properties = {
        **{key: one for key, one in node.properties.items() if key != DYNAMIC_VOTERS},
        "controller.quorum.voters": f"1@{LOOPBACK}:{port}",
    }
    node.format(kafka.cluster_id, "--release-version", release)
    kafka.start()
    try:
        play = Play(port, kafka.cluster_id, Random(SEED))
        play.begin()
        for _ in range(STEPS):
            play.step()
    finally:
        kafka.stop()
