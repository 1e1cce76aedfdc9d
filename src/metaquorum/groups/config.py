"""What the coordinator is configured with: Kafka's own keys, and the topics that there are."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field

from metaquorum.base.clock import Millis
from metaquorum.base.ids import METADATA_TOPIC, METADATA_TOPIC_ID, Uuid
from metaquorum.base.limits import MAX_GROUP_MEMBERS, MAX_GROUPS, MAX_PENDING_REPLIES
from metaquorum.base.value import value


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
