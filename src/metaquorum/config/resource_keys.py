"""Which settings of topics, groups and client metrics Kafka knows by name, as of 4.4.0.

Their types and bounds, as of 4.3.1, are in ``topic_keys``, ``group_keys`` and
``client_metrics_keys``.

Kafka's nodes since 4.3 pass over settings of these resources that are not listed, and over
resources of other kinds (loggers are never in the log); every setting of a broker counts.
"""

from __future__ import annotations

from typing import Final

TOPIC: Final = 2
BROKER: Final = 4
CLIENT_METRICS: Final = 16
GROUP: Final = 32

_TOPIC_NAMES: Final = frozenset(
    (
        "cleanup.policy",
        "compression.gzip.level",
        "compression.lz4.level",
        "compression.type",
        "compression.zstd.level",
        "delete.retention.ms",
        "errors.deadletterqueue.group.enable",
        "file.delete.delay.ms",
        "flush.messages",
        "flush.ms",
        "follower.replication.throttled.replicas",
        "index.interval.bytes",
        "internal.segment.bytes",
        "leader.replication.throttled.replicas",
        "local.retention.bytes",
        "local.retention.ms",
        "max.compaction.lag.ms",
        "max.decompressed.message.bytes",
        "max.message.bytes",
        "message.timestamp.after.max.ms",
        "message.timestamp.before.max.ms",
        "message.timestamp.type",
        "min.cleanable.dirty.ratio",
        "min.compaction.lag.ms",
        "min.insync.replicas",
        "preallocate",
        "remote.copy.lag.bytes",
        "remote.copy.lag.ms",
        "remote.log.copy.disable",
        "remote.log.delete.on.disable",
        "remote.storage.enable",
        "retention.bytes",
        "retention.ms",
        "segment.bytes",
        "segment.index.bytes",
        "segment.jitter.ms",
        "segment.ms",
        "unclean.leader.election.enable",
    )
)
_CLIENT_METRICS_NAMES: Final = frozenset(("interval.ms", "match", "metrics"))
_GROUP_NAMES: Final = frozenset(
    (
        "consumer.assignment.interval.ms",
        "consumer.assignor.offload.enable",
        "consumer.heartbeat.interval.ms",
        "consumer.session.timeout.ms",
        "errors.deadletterqueue.copy.record.enable",
        "errors.deadletterqueue.topic.name",
        "share.assignment.interval.ms",
        "share.assignor.offload.enable",
        "share.auto.offset.reset",
        "share.delivery.count.limit",
        "share.heartbeat.interval.ms",
        "share.isolation.level",
        "share.partition.max.record.locks",
        "share.record.lock.duration.ms",
        "share.renew.acknowledge.enable",
        "share.session.timeout.ms",
        "streams.acceptable.recovery.lag",
        "streams.assignment.interval.ms",
        "streams.assignor.name",
        "streams.assignor.offload.enable",
        "streams.heartbeat.interval.ms",
        "streams.initial.rebalance.delay.ms",
        "streams.num.standby.replicas",
        "streams.num.warmup.replicas",
        "streams.rack.aware.assignment.tags",
        "streams.session.timeout.ms",
        "streams.task.offset.interval.ms",
    )
)
_KNOWN: Final = {TOPIC: _TOPIC_NAMES, CLIENT_METRICS: _CLIENT_METRICS_NAMES, GROUP: _GROUP_NAMES}


def is_supported(resource_type: int, key: str) -> bool:
    """Whether Kafka's nodes use ``key`` of a resource of this type."""
    return resource_type == BROKER or key in _KNOWN.get(resource_type, ())
