"""Our codecs and Kafka's own classes write the same bytes and read the same values."""

from __future__ import annotations

import os

import pytest

from metaquorum.testing.schemas import all_messages
from tools.java import differential

CASES = int(os.environ.get("METAQUORUM_DIFFERENTIAL_CASES", differential.CASES))
SOAK_CASES = 10 * differential.CASES
SOAK_SEED = 4


def hold_against_kafka(count: int, seed: int, capsys: pytest.CaptureFixture[str]) -> None:
    def shown(line: str) -> None:
        with capsys.disabled():
            print(line, flush=True)

    shown(f"\n  {count} values of each message and version")
    report = differential.run(count, seed, progress=shown)
    for line in report.lines():
        shown(f"  {line}")
    assert report.differences == []
    versions = {(schema.name, version) for schema in all_messages() for version in schema.versions}
    assert report.pairs == versions
    assert report.cases == count * len(versions)


def test_every_message_and_version_has_the_bytes_that_kafka_gives_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    hold_against_kafka(CASES, 0, capsys)


@pytest.mark.soak
def test_every_message_and_version_has_kafkas_bytes_for_many_values(
    capsys: pytest.CaptureFixture[str],
) -> None:
    hold_against_kafka(SOAK_CASES, SOAK_SEED, capsys)
