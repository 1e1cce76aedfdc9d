"""Settings of topics are held against each other, and against the controller's file, as by Kafka.

A controller of Kafka and one of ours have the same file and are asked the same: equal codes and
records, and equal words where Kafka's own tests of clients look at them.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from metaquorum.wire.generated import create_topics_request as create
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated import incremental_alter_configs_request as alter
from tools.differential import topic_rules, topics
from tools.differential.controllers import two_controllers
from tools.differential.play import Verb
from tools.differential.settings import DELETE, SET, TOPIC
from tools.differential.side import Side
from tools.differential.topic_rules import ALTER_CONFIGS, CREATE_TOPICS, INCREMENTAL_ALTER_CONFIGS
from tools.differential.topics import TIMEOUT_MS

STEPS = int(os.environ.get("METAQUORUM_TOPIC_RULE_STEPS", "400"))
SEED = int(os.environ.get("METAQUORUM_TOPIC_RULE_SEED", "1"))
STEPS_PER_RESTART = 250

VERBS: Mapping[Verb, int] = {
    topic_rules.create_topic: 30,
    topic_rules.alter_topic: 60,
    topic_rules.alter_brokers: 4,
    topics.delete_topics: 8,
}
FILES = {
    "tiered": {
        "remote.log.storage.system.enable": "true",
        "log.local.retention.ms": "1000",
        "log.local.retention.bytes": "1024",
        "log.retention.minutes": "1",
        "log.retention.hours": "0",
        "log.retention.bytes": "4096",
        "log.cleaner.min.compaction.lag.ms": "50",
        "log.cleaner.max.compaction.lag.ms": "100",
    },
    "tiered and compacted": {
        "remote.log.storage.system.enable": " TRUE ",
        "log.cleanup.policy": "compact",
        "log.retention.ms": "-5",
        "log.retention.minutes": "1",
        "log.local.retention.bytes": "1024",
    },
    "local": {"log.local.retention.ms": "1000", "log.cleaner.max.compaction.lag.ms": "50"},
    "not for topics": {"log.flush.scheduler.interval.ms": "-5"},
}
QUICK = ("tiered", "not for topics")


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in QUICK else (pytest.mark.soak,)) for name in FILES],
)
def test_topics_are_held_against_the_controllers_file(tmp_path: Path, name: str) -> None:
    with two_controllers(tmp_path, SEED, verbs=VERBS, properties=FILES[name]) as play:
        for number in range(STEPS):
            play.step()
            if number % STEPS_PER_RESTART == STEPS_PER_RESTART - 1:
                play.start_again()
        play.finish()
    both = {error_codes.NONE, error_codes.INVALID_CONFIG}
    for api_key in (CREATE_TOPICS, ALTER_CONFIGS, INCREMENTAL_ALTER_CONFIGS):
        assert both <= {code for key, code in play.codes if key == api_key}


ON, NO_COPIES = {"remote.storage.enable": "true"}, {"remote.log.copy.disable": "true"}
Settings = Mapping[str, str | None]


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("local", [ON]),
        (
            "tiered",
            [
                {**ON, **NO_COPIES, "local.retention.ms": "5", "local.retention.bytes": "-2"},
                {**ON, **NO_COPIES, "local.retention.ms": "-2", "local.retention.bytes": "5"},
                {**ON, **NO_COPIES, "local.retention.ms": "-2", "local.retention.bytes": "-2"},
                {**ON, "retention.bytes": "1023"},
                {**ON, "retention.ms": "999"},
                {"remote.storage.enable": "false"},
                {"remote.storage.enable": None},
            ],
        ),
    ],
)
def test_clients_read_kafkas_words(tmp_path: Path, name: str, asked: list[Settings]) -> None:
    with two_controllers(tmp_path, SEED, verbs=VERBS, properties=FILES[name]) as play:
        for side in play.sides:
            assert created(side, "there", ON if name == "tiered" else {}) == (0, None)
        for settings in asked:
            kafka, ours = (created(side, "new", settings, True) for side in play.sides)
            assert kafka == ours
            kafka, ours = (altered(side, "there", settings) for side in play.sides)
            assert kafka == ours


def created(side: Side, name: str, settings: Settings, only: bool = False) -> tuple[int, object]:
    """Code and words for a topic with those of the settings that have a value."""
    configs = [create.CreatableTopicConfig(key, one) for key, one in settings.items() if one]
    hand = [create.CreatableReplicaAssignment(0, [101])]
    topic = create.CreatableTopic(name, -1, -1, hand, configs)
    request = create.CreateTopicsRequest([topic], TIMEOUT_MS, only)
    [row] = side.ask(CREATE_TOPICS, 7, request).topics
    return row.error_code, row.error_message


def altered(side: Side, name: str, settings: Settings) -> tuple[int, object]:
    """Code and words for a topic that is to have these settings."""
    operations = [
        alter.AlterableConfig(key, DELETE if value is None else SET, value)
        for key, value in settings.items()
    ]
    resource = alter.AlterConfigsResource(TOPIC, name, operations)
    request = alter.IncrementalAlterConfigsRequest([resource], True)
    [row] = side.ask(INCREMENTAL_ALTER_CONFIGS, 1, request).responses
    return row.error_code, row.error_message
