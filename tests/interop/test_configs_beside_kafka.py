"""Changes of settings write, answer and are described as with a controller of Kafka."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from metaquorum.wire.generated import error_codes
from tests.interop.config_play import ConfigPlay
from tests.interop.controller_writes import register_broker
from tests.interop.kafka_controller import quiet_controller

STEPS = int(os.environ.get("METAQUORUM_CONFIG_STEPS", "600"))
SEED = int(os.environ.get("METAQUORUM_CONFIG_SEED", "1"))
STEPS_PER_DESCRIPTION = 10


@pytest.mark.parametrize("release", ["4.3", "3.9"], ids=["with ELR", "without ELR"])
def test_random_changes_of_settings_are_those_of_kafka(tmp_path: Path, release: str) -> None:
    kafka = quiet_controller(tmp_path, release)
    kafka.start()
    try:
        play = ConfigPlay(kafka.controller_ports[1], Random(SEED))
        register_broker(play.connection, kafka.cluster_id, 0)
        play.begin()
        for number in range(STEPS):
            play.step()
            if number % STEPS_PER_DESCRIPTION == 0:
                play.describe()
        play.describe()
        assert {
            error_codes.NONE,
            error_codes.INVALID_CONFIG,
            error_codes.INVALID_REQUEST,
            error_codes.INVALID_TOPIC_EXCEPTION,
            error_codes.UNKNOWN_TOPIC_OR_PARTITION,
            error_codes.BROKER_ID_NOT_REGISTERED,
        } <= play.codes
    finally:
        kafka.stop()
