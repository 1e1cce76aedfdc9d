"""Our plans for partitions write and answer what a controller of Kafka does."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.interop.partition_play import Play
from tools.kafka import KafkaCluster

STEPS = int(os.environ.get("METAQUORUM_PARTITION_STEPS", "400"))
SEED = int(os.environ.get("METAQUORUM_PARTITION_SEED", "1"))


@pytest.fixture
def kafka(tmp_path: Path) -> Iterator[KafkaCluster]:
    quiet = {
        "metadata.max.idle.interval.ms": "0",
        "broker.session.timeout.ms": "3600000",
        "auto.leader.rebalance.enable": "false",
        "controller.quorum.append.linger.ms": "0",
    }
    with KafkaCluster(tmp_path, controllers=1, brokers=0, controller_properties=quiet) as cluster:
        yield cluster


def test_random_changes_of_partitions_are_those_of_kafka(kafka: KafkaCluster) -> None:
    play = Play(kafka.controller_ports[1], kafka.cluster_id, Random(SEED))
    play.begin()
    for _ in range(STEPS):
        play.step()
