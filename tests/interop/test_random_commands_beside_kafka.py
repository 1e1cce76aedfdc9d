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
MANY, MORE = 10_000, 2_000
MOST_FAILURES = 0.01  # of commands by which Kafka's controller fails
BROKER_REGISTRATION, BROKER_HEARTBEAT, ALTER_PARTITION, CREATE_TOPICS = 62, 63, 56, 19


def play(directory: Path, seed: int, steps: int) -> Play:
    """So many commands, and as many more as it takes until all kinds were asked."""
    with two_controllers(directory, seed) as one:
        number = 0
        while number < steps or (missing(one) and number < steps + MORE):
            number += 1
            one.step()
            if number % STEPS_PER_RESTART == 0:
                one.start_again()
        one.finish()
        assert one.failed <= 1 + steps * MOST_FAILURES
        return one


def missing(one: Play) -> set[str]:
    """Kinds of commands that were not asked, and APIs that never refused or never took one."""
    found = {verb.__name__ for verb in VERBS} - one.asked.keys()
    for api_key in (BROKER_REGISTRATION, BROKER_HEARTBEAT, ALTER_PARTITION, CREATE_TOPICS):
        codes = {code for key, code in one.codes if key == api_key}
        if error_codes.NONE not in codes or len(codes) < 2:
            found.add(f"API {api_key}: {codes}")
    return found


@pytest.mark.timeout(300)
def test_random_commands_do_to_ours_what_they_do_to_kafkas(tmp_path: Path) -> None:
    assert missing(play(tmp_path, SEED, STEPS)) == set()


@pytest.mark.soak
@pytest.mark.timeout(7_200)
@pytest.mark.parametrize("seed", [101, 102])
def test_ten_thousand_commands_do_the_same_to_both(tmp_path: Path, seed: int) -> None:
    assert missing(play(tmp_path, seed, MANY)) == set()
