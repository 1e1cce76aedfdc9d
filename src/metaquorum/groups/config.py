"""What the coordinator is configured with: Kafka's own keys, and the topics that there are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from attrs import field

from metaquorum.base.clock import Millis
from metaquorum.base.ids import METADATA_TOPIC, METADATA_TOPIC_ID, Uuid
from metaquorum.base.limits import MAX_GROUP_MEMBERS, MAX_GROUPS, MAX_PENDING_REPLIES
from metaquorum.base.value import value
from metaquorum.config.key import BadValue


@value
class TopicInfo:
    """A topic that groups may read."""

    id: Uuid
    partitions: int


def _topics() -> Mapping[str, TopicInfo]:
    return {METADATA_TOPIC: TopicInfo(METADATA_TOPIC_ID, 1)}


@value
class GroupConfig:
    """Defaults are Kafka's; times in milliseconds, named after their keys."""

    initial_rebalance_delay_ms: Millis = 3_000
    min_session_timeout_ms: Millis = 6_000
    max_session_timeout_ms: Millis = 1_800_000
    max_size: int = MAX_GROUP_MEMBERS
    new_member_join_timeout_ms: Millis = 300_000
    consumer_session_timeout_ms: Millis = 45_000
    consumer_heartbeat_interval_ms: Millis = 5_000
    consumer_max_size: int = MAX_GROUP_MEMBERS
    offset_metadata_max_bytes: int = 4_096
    offsets_retention_ms: Millis = 604_800_000
    offsets_retention_check_ms: Millis = 600_000
    offsets_commit_timeout_ms: Millis = 5_000
    groups_max: int = MAX_GROUPS
    pending_replies_max: int = MAX_PENDING_REPLIES
    topics: Mapping[str, TopicInfo] = field(factory=_topics)

    @classmethod
    def read(cls, text_of: Callable[[str], str | None]) -> GroupConfig:
        """From the texts of Kafka's keys; BadValue for one that is no number.

        Limits on sizes are those of the keys or our own, whichever is lower.
        """
        read: dict[str, Any] = {part: _whole(name, text_of(name)) for part, name in _KEYS.items()}
        for size in ("max_size", "consumer_max_size"):
            read[size] = min(read[size], MAX_GROUP_MEMBERS)
        minutes = _whole(_RETENTION_KEY, text_of(_RETENTION_KEY))
        return cls(**read, offsets_retention_ms=minutes * _MINUTE_MS)


_MINUTE_MS: Final = 60_000
_RETENTION_KEY: Final = "offsets.retention.minutes"
_KEYS: Final = {
    "initial_rebalance_delay_ms": "group.initial.rebalance.delay.ms",
    "min_session_timeout_ms": "group.min.session.timeout.ms",
    "max_session_timeout_ms": "group.max.session.timeout.ms",
    "max_size": "group.max.size",
    "consumer_session_timeout_ms": "group.consumer.session.timeout.ms",
    "consumer_heartbeat_interval_ms": "group.consumer.heartbeat.interval.ms",
    "consumer_max_size": "group.consumer.max.size",
    "offset_metadata_max_bytes": "offset.metadata.max.bytes",
    "offsets_retention_check_ms": "offsets.retention.check.interval.ms",
    "offsets_commit_timeout_ms": "offsets.commit.timeout.ms",
}


def _whole(name: str, text: str | None) -> int:
    try:
        return int(text or "")
    except ValueError:
        raise BadValue(f"{name}: {text!r} is not a whole number") from None
