"""Loads that others wrote, on brokers of Kafka's with controllers of ours under them.

The short ones here; each at its full length, the suites of other clients whole, and Trogdor for an
hour where everything long is run.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tools.kafka import JavaHelper
from tools.kafka_tests.launcher import OURS
from tools.other_loads.catalogue import LOADS
from tools.other_loads.load import Found
from tools.other_loads.running import run_load

BY_NAME = {one.name: one for one in LOADS}
SHORT_S = 10.0
LONG_S = float(os.environ.get("METAQUORUM_LOADS_S", "3600"))
MINUTES_S = 300.0


def good(name: str, java: JavaHelper, logs: Path, seconds: float | None = None) -> Found:
    """Run it on controllers of ours; what its judge counted."""
    result = run_load(BY_NAME[name], java, OURS, logs / name, seconds, ())
    assert result.is_good, "\n".join(result.found.faults)
    return result.found


def test_transactions_are_copied_whole_over_a_fail_over(java: JavaHelper, tmp_path: Path) -> None:
    assert good("copier", java, tmp_path, SHORT_S).counts["fail-overs"]


def test_messages_of_trogdor_come_back_though_leaders_stand_still(
    java: JavaHelper, tmp_path: Path
) -> None:
    assert good("trogdor", java, tmp_path, SHORT_S).counts["processes stopped"]


@pytest.mark.soak
@pytest.mark.parametrize(
    "name",
    [
        "performance",
        "performance-in-transactions",
        "verifiable",
        "verifiable-kip-848",
        "verifiable-confluent",
        "copier",
    ],
)
def test_a_load_program_loses_and_doubles_nothing(
    name: str, java: JavaHelper, tmp_path: Path
) -> None:
    assert good(name, java, tmp_path, MINUTES_S).counts["fail-overs"]


@pytest.mark.soak
@pytest.mark.timeout(1.5 * LONG_S + 1_800)
def test_an_hour_of_trogdor_with_processes_that_stand_still(
    java: JavaHelper, tmp_path: Path
) -> None:
    assert good("trogdor", java, tmp_path, LONG_S).counts["processes stopped"]


@pytest.mark.soak
@pytest.mark.parametrize("name", ["franz-go", "sarama"])
def test_a_whole_suite_does_what_it_does_with_kafka(
    name: str, java: JavaHelper, tmp_path: Path
) -> None:
    good(name, java, tmp_path)
