"""What administrators ask about settings of topics that are held against each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from metaquorum.wire.generated import (
    alter_configs_request,
    create_topics_request,
    incremental_alter_configs_request,
)
from tools.differential.commands import Ask, Draw
from tools.differential.settings import BROKER, DELETE, SET, TOPIC
from tools.differential.topics import TIMEOUT_MS

CREATE_TOPICS, ALTER_CONFIGS, INCREMENTAL_ALTER_CONFIGS = 19, 33, 44
NAMES = ("a", "b", "c", "d", "e", "f", "g", "h")
MOSTLY_ON = ("true", "true", "TRUE", " true", "false")
SELDOM_ON = ("false", "false", "FALSE", "true")
LIMITS = ("-2", "-1", "0", "1", "999", "1000", "1001", "1024", "1025", "4096", "60000", "60001")
LAGS = ("0", "1", "49", "50", "51", "100", "101")
VALUES: Final[Mapping[str, tuple[str, ...]]] = {
    "remote.storage.enable": MOSTLY_ON,
    "remote.log.copy.disable": SELDOM_ON,
    "remote.log.delete.on.disable": SELDOM_ON,
    "local.retention.ms": LIMITS,
    "local.retention.bytes": LIMITS,
    "retention.ms": LIMITS,
    "retention.bytes": (*LIMITS, "-3"),
    "cleanup.policy": ("delete", "delete", "delete,delete", "compact", "delete,compact", ""),
    "min.compaction.lag.ms": LAGS,
    "max.compaction.lag.ms": LAGS,
}
# What every node takes over while it runs, and one that none does.
OF_BROKERS: Final[Mapping[str, tuple[str, ...]]] = {
    "log.retention.ms": ("-1", "1000", "60000"),
    "log.retention.bytes": ("-1", "1024", "4096"),
    "log.local.retention.ms": ("-2", "999", "1000"),
    "log.local.retention.bytes": ("-2", "1024", "1025"),
    "log.cleanup.policy": ("delete", "compact"),
    "log.cleaner.min.compaction.lag.ms": ("0", "50"),
    "log.cleaner.max.compaction.lag.ms": ("50", "100"),
    "log.retention.hours": ("1", "2"),
}

Operation = tuple[str, int, str | None]


def create_topic(draw: Draw) -> Ask:
    """One topic with some settings, or none."""
    wire = create_topics_request
    name, keys = draw.random.choice(NAMES), _keys(draw, VALUES, 5)
    configs = [wire.CreatableTopicConfig(key, draw.random.choice(VALUES[key])) for key in keys]
    hand = [wire.CreatableReplicaAssignment(0, [101])]
    topic = wire.CreatableTopic(name, -1, -1, hand, configs)
    request = wire.CreateTopicsRequest([topic], TIMEOUT_MS, draw.seldom(0.3))
    what = f"create {name} with {[(one.name, one.value) for one in configs]}"
    return Ask(what, CREATE_TOPICS, draw.version(CREATE_TOPICS), lambda side: request)


def alter_topic(draw: Draw) -> Ask:
    """Settings of a topic, changed one by one or replaced, and sometimes nothing at all."""
    name, operations = (
        draw.random.choice((*draw.topics(), *draw.topics(), "absent")),
        _operations(draw, VALUES),
    )
    return _alter(draw, TOPIC, name, operations, replaces=draw.seldom(0.3))


def alter_brokers(draw: Draw) -> Ask:
    """What a running node is told; topics are not held against it."""
    operations = _operations(draw, OF_BROKERS)
    name = draw.random.choice(("", "1", "101"))
    return _alter(draw, BROKER, name, operations, replaces=draw.seldom(0.3))


def _keys(draw: Draw, values: Mapping[str, Any], most: int) -> list[str]:
    return draw.random.sample(sorted(values), draw.random.randint(0, min(most, len(values))))


def _operations(draw: Draw, values: Mapping[str, tuple[str, ...]]) -> list[Operation]:
    made: list[Operation] = []
    for key in _keys(draw, values, 4):
        value = None if draw.seldom(0.25) else draw.random.choice(values[key])
        made.append((key, DELETE if value is None else SET, value))
    return made


def _alter(draw: Draw, kind: int, name: str, operations: list[Operation], *, replaces: bool) -> Ask:
    only = draw.seldom(0.2)
    request: Any
    if replaces:
        whole = alter_configs_request
        values = [whole.AlterableConfig(key, one) for key, _, one in operations if one is not None]
        resource = whole.AlterConfigsResource(kind, name, values)
        request = whole.AlterConfigsRequest([resource], only)
    else:
        single = incremental_alter_configs_request
        changes = [single.AlterableConfig(*one) for one in operations]
        row = single.AlterConfigsResource(kind, name, changes)
        request = single.IncrementalAlterConfigsRequest([row], only)
    api_key = ALTER_CONFIGS if replaces else INCREMENTAL_ALTER_CONFIGS
    what = f"{'replace' if replaces else 'alter'} {kind} {name!r}: {operations}"
    return Ask(what, api_key, draw.version(api_key), lambda side: request)
