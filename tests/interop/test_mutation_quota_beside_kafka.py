"""Creating and deleting partitions under a quota: refused and slowed down as by Kafka (KIP-599)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from metaquorum.wire.enveloping import Asker
from metaquorum.wire.generated import (
    alter_client_quotas_request,
    create_partitions_request,
    create_topics_request,
    delete_topics_request,
)
from tools.differential.controllers import two_controllers
from tools.differential.side import Side
from tools.process import until

CREATE_TOPICS, DELETE_TOPICS, CREATE_PARTITIONS = 19, 20, 37
DESCRIBE_QUOTAS, ALTER_QUOTAS = 48, 49
TIMEOUT_MS = 10_000
RATE = 0.01  # a second: next to nothing comes back while the test runs
THROUGH_A_BROKER = Asker("User:ANONYMOUS", "127.0.0.1")  # a pause does not hold up who asks
TOLERATED_MS = 60_000  # the pauses are of hours

Answered = tuple[list[tuple[str, int]], int]


def told(answer: Any) -> Answered:
    """Codes by topic, and for how long to pause."""
    rows = next(
        rows
        for name in ("topics", "results", "responses")
        if (rows := getattr(answer, name, None)) is not None
    )
    return sorted((one.name, one.error_code) for one in rows), answer.throttle_time_ms


def create(side: Side, names: str, count: int, version: int = 7, only: bool = False) -> Answered:
    wire = create_topics_request
    topics = [wire.CreatableTopic(name, count, 1) for name in names.split()]
    request = wire.CreateTopicsRequest(topics, TIMEOUT_MS, only)
    return told(side.ask(CREATE_TOPICS, version, request, THROUGH_A_BROKER))


def grow(side: Side, name: str, count: int, version: int = 3, only: bool = False) -> Answered:
    wire = create_partitions_request
    topics = [wire.CreatePartitionsTopic(name, count, None)]
    request = wire.CreatePartitionsRequest(topics, TIMEOUT_MS, only)
    return told(side.ask(CREATE_PARTITIONS, version, request, THROUGH_A_BROKER))


def delete(side: Side, names: str, version: int = 5) -> Answered:
    wire = delete_topics_request
    request = wire.DeleteTopicsRequest(topic_names=names.split(), timeout_ms=TIMEOUT_MS)
    return told(side.ask(DELETE_TOPICS, version, request, THROUGH_A_BROKER))


def limit(side: Side, rate: float) -> None:
    wire = alter_client_quotas_request
    entity = [wire.EntityData("user", "ANONYMOUS")]
    operation = wire.OpData("controller_mutation_rate", rate, False)
    request = wire.AlterClientQuotasRequest([wire.EntryData(entity, [operation])])
    [entry] = side.ask(ALTER_QUOTAS, 1, request).entries
    assert entry.error_code == 0, entry


def play(side: Side) -> list[Answered]:
    create(side, "before", 3)
    limit(side, RATE)
    # Kafka's quotas follow the log by themselves: from then on a pause is told.
    until(lambda: create(side, "nothing", 1, version=5, only=True)[1] > 0)
    return [
        create(side, "a", 5),
        create(side, "a b", 5),
        create(side, "before", 5),
        create(side, "c d", 5, version=5),
        create(side, "e", 1, version=6, only=True),
        grow(side, "c", 9),
        grow(side, "c", 2),
        grow(side, "absent", 2),
        grow(side, "c", 7, only=True),
        grow(side, "c", 7, version=2),
        delete(side, "c absent"),
        delete(side, "absent"),
        delete(side, "c", version=4),
        delete(side, "d before", version=6 - 1),
    ]


def test_partitions_beyond_the_quota_are_refused_as_by_kafka(tmp_path: Path) -> None:
    with two_controllers(tmp_path, 1) as both:
        theirs, ours = play(both.kafka), play(both.ours)
    assert [codes for codes, _ in ours] == [codes for codes, _ in theirs]
    for (codes, pause_ms), (_, expected_ms) in zip(ours, theirs, strict=True):
        assert abs(pause_ms - expected_ms) < TOLERATED_MS, codes
    assert any(expected_ms > 0 for _, expected_ms in theirs)
