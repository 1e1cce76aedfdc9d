"""Our plans for partitions write and answer what a controller of Kafka does."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from tests.interop.kafka_controller import quiet_controller
from tests.interop.partition_play import Play

STEPS = int(os.environ.get("METAQUORUM_PARTITION_STEPS", "400"))
SEED = int(os.environ.get("METAQUORUM_PARTITION_SEED", "1"))


@pytest.mark.parametrize(
    "release", ["4.3", "3.9", "3.5"], ids=["with ELR", "without ELR", "without directories"]
)
def test_random_changes_of_partitions_are_those_of_kafka(tmp_path: Path, release: str) -> None:
    kafka = quiet_controller(tmp_path, release)
    kafka.start()
    try:
        play = Play(kafka.controller_ports[1], kafka.cluster_id, Random(SEED))
        play.begin()
        for _ in range(STEPS):
            play.step()
    finally:
        kafka.stop()
