"""Random commands of fake brokers and administrators to a controller of Kafka and to ours.

The same in the same order: equal codes, equal records but for ids and epochs, equal states.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from metaquorum.wire.generated import error_codes
from tools.differential.controllers import two_controllers
from tools.differential.play import VERBS, Play

STEPS = int(os.environ.get("METAQUORUM_COMMAND_STEPS", "300"))
SEED = int(os.environ.get("METAQUORUM_COMMAND_SEED", "1"))
STEPS_PER_RESTART = 140
MANY = 10_000
MOST_FAILURES = 0.01  # of commands by which Kafka's controller fails
BROKER_REGISTRATION, BROKER_HEARTBEAT, ALTER_PARTITION, CREATE_TOPICS = 62, 63, 56, 19


def play(directory: Path, seed: int, steps: int) -> Play:
    with two_controllers(directory, seed) as one:
        for number in range(1, steps + 1):
            one.step()
            if number % STEPS_PER_RESTART == 0:
                one.start_again()
        one.finish()
        assert one.failed <= 1 + steps * MOST_FAILURES
        return one


def check_that_all_was_asked(one: Play) -> None:
    assert {verb.__name__ for verb in VERBS} <= one.asked.keys()
    for api_key in (BROKER_REGISTRATION, BROKER_HEARTBEAT, ALTER_PARTITION, CREATE_TOPICS):
        codes = {code for key, code in one.codes if key == api_key}
        assert error_codes.NONE in codes and len(codes) > 1, (api_key, codes)


def test_random_commands_do_to_ours_what_they_do_to_kafkas(tmp_path: Path) -> None:
    check_that_all_was_asked(play(tmp_path, SEED, STEPS))


@pytest.mark.soak
@pytest.mark.parametrize("seed", [101, 102])
def test_ten_thousand_commands_do_the_same_to_both(tmp_path: Path, seed: int) -> None:
    check_that_all_was_asked(play(tmp_path, seed, MANY))
