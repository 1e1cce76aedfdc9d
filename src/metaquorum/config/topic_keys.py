"""The settings of a topic: types, defaults and bounds, and what a broker's file calls them.

Facts of Kafka 4.3.1's LogConfig; ``tests/interop/test_broker_serves_clients.py`` compares them
with what a broker describes and refuses.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import frozen

from metaquorum.config.key import Key, Type

_MOST_DIGITS: Final = 19  # of a long
_LONGEST = str((1 << 63) - 1)


@frozen
class Synonym:
    """A broker's key that gives topics their default; ``unit_ms`` times its value is theirs."""

    key: str
    unit_ms: int = 1

    def for_topic(self, text: str) -> str:
        """What a topic gets of this key's value; a text that is no number stays as it is."""
        digits = text.strip()
        if self.unit_ms == 1 or not (digits.isascii() and digits.isdigit()):
            return text
        return str(int(digits) * self.unit_ms) if len(digits) <= _MOST_DIGITS else text


_HOUR_MS = 3_600_000
_MINUTE_MS = 60_000

_TABLE: Final[tuple[tuple[Key, tuple[Synonym, ...]], ...]] = (
    (
        Key("cleanup.policy", Type.LIST, "delete", choices=("compact", "delete")),
        (Synonym("log.cleanup.policy"),),
    ),
    (
        Key("compression.gzip.level", Type.INT, "-1", least=1, most=9, also=-1),
        (Synonym("compression.gzip.level"),),
    ),
    (
        Key("compression.lz4.level", Type.INT, "9", least=1, most=17),
        (Synonym("compression.lz4.level"),),
    ),
    (
        Key(
            *("compression.type", Type.STRING, "producer"),
            choices=("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"),
        ),
        (Synonym("compression.type"),),
    ),
    (
        Key("compression.zstd.level", Type.INT, "3", least=-131072, most=22),
        (Synonym("compression.zstd.level"),),
    ),
    (
        Key("delete.retention.ms", Type.LONG, "86400000", least=0),
        (Synonym("log.cleaner.delete.retention.ms"),),
    ),
    (
        Key("file.delete.delay.ms", Type.LONG, "60000", least=0),
        (Synonym("log.segment.delete.delay.ms"),),
    ),
    (
        Key("flush.messages", Type.LONG, _LONGEST, least=1),
        (Synonym("log.flush.interval.messages"),),
    ),
    (
        Key("flush.ms", Type.LONG, _LONGEST, least=0),
        (Synonym("log.flush.interval.ms"), Synonym("log.flush.scheduler.interval.ms")),
    ),
    (Key("follower.replication.throttled.replicas", Type.LIST, ""), ()),
    (
        Key("index.interval.bytes", Type.INT, "4096", least=0),
        (Synonym("log.index.interval.bytes"),),
    ),
    (Key("internal.segment.bytes", Type.INT, None, internal=True), ()),
    (Key("leader.replication.throttled.replicas", Type.LIST, ""), ()),
    (
        Key("local.retention.bytes", Type.LONG, "-2", least=-2),
        (Synonym("log.local.retention.bytes"),),
    ),
    (
        Key("local.retention.ms", Type.LONG, "-2", least=-2),
        (Synonym("log.local.retention.ms"),),
    ),
    (
        Key("max.compaction.lag.ms", Type.LONG, _LONGEST, least=1),
        (Synonym("log.cleaner.max.compaction.lag.ms"),),
    ),
    (
        Key("max.message.bytes", Type.INT, "1048588", least=0),
        (Synonym("message.max.bytes"),),
    ),
    (
        Key("message.timestamp.after.max.ms", Type.LONG, "3600000", least=0),
        (Synonym("log.message.timestamp.after.max.ms"),),
    ),
    (
        Key("message.timestamp.before.max.ms", Type.LONG, _LONGEST, least=0),
        (Synonym("log.message.timestamp.before.max.ms"),),
    ),
    (
        Key(
            *("message.timestamp.type", Type.STRING, "CreateTime"),
            choices=("CreateTime", "LogAppendTime"),
        ),
        (Synonym("log.message.timestamp.type"),),
    ),
    (
        Key("min.cleanable.dirty.ratio", Type.DOUBLE, "0.5", least=0, most=1),
        (Synonym("log.cleaner.min.cleanable.ratio"),),
    ),
    (
        Key("min.compaction.lag.ms", Type.LONG, "0", least=0),
        (Synonym("log.cleaner.min.compaction.lag.ms"),),
    ),
    (Key("min.insync.replicas", Type.INT, "1", least=1), (Synonym("min.insync.replicas"),)),
    (Key("preallocate", Type.BOOLEAN, "false"), (Synonym("log.preallocate"),)),
    (Key("remote.log.copy.disable", Type.BOOLEAN, "false"), ()),
    (Key("remote.log.delete.on.disable", Type.BOOLEAN, "false"), ()),
    (Key("remote.storage.enable", Type.BOOLEAN, "false"), ()),
    (Key("retention.bytes", Type.LONG, "-1"), (Synonym("log.retention.bytes"),)),
    (
        Key("retention.ms", Type.LONG, "604800000", least=-1),
        (
            Synonym("log.retention.ms"),
            Synonym("log.retention.minutes", _MINUTE_MS),
            Synonym("log.retention.hours", _HOUR_MS),
        ),
    ),
    (
        Key("segment.bytes", Type.INT, "1073741824", least=1048576),
        (Synonym("log.segment.bytes"),),
    ),
    (
        Key("segment.index.bytes", Type.INT, "10485760", least=4),
        (Synonym("log.index.size.max.bytes"),),
    ),
    (
        Key("segment.jitter.ms", Type.LONG, "0", least=0),
        (Synonym("log.roll.jitter.ms"), Synonym("log.roll.jitter.hours", _HOUR_MS)),
    ),
    (
        Key("segment.ms", Type.LONG, "604800000", least=1),
        (Synonym("log.roll.ms"), Synonym("log.roll.hours", _HOUR_MS)),
    ),
    (
        Key("unclean.leader.election.enable", Type.BOOLEAN, "false"),
        (Synonym("unclean.leader.election.enable"),),
    ),
)

TOPIC_KEYS: Final[Mapping[str, Key]] = {key.name: key for key, _ in _TABLE}
SYNONYMS: Final[Mapping[str, tuple[Synonym, ...]]] = {
    key.name: synonyms for key, synonyms in _TABLE
}
"""Of each topic key: the broker keys that it falls back to, the first that is set counts."""
