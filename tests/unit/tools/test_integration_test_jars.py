"""Which jars Kafka's integration tests are run from, and when they are fetched anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tools.kafka import jars
from tools.kafka_tests.launcher import needs_streams


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Path]:
    """The directories that are asked for; nothing is fetched."""
    asked: list[Path] = []

    def once(target: Path, fill: Callable[[Path], None]) -> Path:
        asked.append(target)
        return target

    monkeypatch.setattr(jars, "CACHE", tmp_path)
    monkeypatch.setattr(jars, "_once", once)
    return asked


def test_the_same_set_of_jars_is_looked_for_where_it_was(fetched: list[Path]) -> None:
    assert jars.integration_test_libs() == jars.integration_test_libs()
    assert len(set(fetched)) == 1


def test_a_set_with_another_jar_is_another_directory(
    fetched: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = jars.integration_test_libs()
    monkeypatch.setattr(jars, "INTEGRATION_TESTS", (*jars.INTEGRATION_TESTS, "kafka-trogdor"))
    assert jars.integration_test_libs() != before


def test_the_jars_of_streams_are_a_set_of_their_own(fetched: list[Path]) -> None:
    assert jars.integration_test_libs(streams=True) != jars.integration_test_libs()


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("org.apache.kafka.streams.integration.WordCountTest", True),
        ("org.apache.kafka.tools.streams.ListStreamsGroupTest", True),
        ("org.apache.kafka.tools.GroupsCommandTest", True),
        ("org.apache.kafka.tools.ResetIntegrationWithSslTest", True),
        ("kafka.api.GroupCoordinatorIntegrationTest", True),
        ("kafka.server.StreamsGroupHeartbeatRequestTest", False),
        ("org.apache.kafka.tools.TopicCommandTest", False),
    ],
)
def test_classes_on_kafka_streams_are_run_with_its_jars(name: str, needed: bool) -> None:
    assert needs_streams([name]) is needed
