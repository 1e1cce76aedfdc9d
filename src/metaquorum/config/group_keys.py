"""The settings of a group: types and bounds, and the broker's keys that they follow.

Facts of Kafka 4.3.1's GroupConfig; ``tests/interop/test_configs_beside_kafka.py`` compares them
with what a controller of Kafka describes and refuses.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import frozen

from metaquorum.config.key import Key, Type

AUTO_OFFSET_RESET: Final = "share.auto.offset.reset"


@frozen
class GroupKey:
    """One setting. ``follows`` is the key that gives a group without a value its own.

    ``least`` and ``most`` are the broker's keys that bound it. ``follows`` is the setting's own
    name where brokers have no key for it, and its default is that of ``key``.
    """

    key: Key
    follows: str
    least: str | None = None
    most: str | None = None


def _bounded(kind: str, name: str, default: str, lowest: int) -> GroupKey:
    prefix = f"group.{kind}"
    return GroupKey(
        Key(f"{kind}.{name}", Type.INT, default, least=lowest),
        *(f"{prefix}.{name}", f"{prefix}.min.{name}", f"{prefix}.max.{name}"),
    )


def _table() -> tuple[GroupKey, ...]:
    timed = [
        _bounded(kind, name, default, lowest)
        for kind in ("consumer", "share", "streams")
        for name, default, lowest in (
            ("session.timeout.ms", "45000", 1),
            ("heartbeat.interval.ms", "5000", 1),
            ("assignment.interval.ms", "1000", 0),
        )
    ]
    own = (
        Key(AUTO_OFFSET_RESET, Type.STRING, "latest"),
        Key(
            *("share.isolation.level", Type.STRING, "read_uncommitted"),
            choices=("read_committed", "read_uncommitted"),
        ),
        Key("share.renew.acknowledge.enable", Type.BOOLEAN, "true"),
    )
    return (
        *timed,
        _bounded("share", "delivery.count.limit", "5", 2),
        _bounded("share", "record.lock.duration.ms", "30000", 1_000),
        _bounded("share", "partition.max.record.locks", "2000", 100),
        GroupKey(
            Key("streams.initial.rebalance.delay.ms", Type.INT, "3000", least=0),
            "group.streams.initial.rebalance.delay.ms",
        ),
        GroupKey(
            Key("streams.num.standby.replicas", Type.INT, "0", least=0),
            "group.streams.num.standby.replicas",
            most="group.streams.max.standby.replicas",
        ),
        *(GroupKey(key, key.name) for key in own),
    )


GROUP_KEYS: Final[Mapping[str, GroupKey]] = {one.key.name: one for one in _table()}
