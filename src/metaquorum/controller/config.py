"""What a controller must know of its node's configuration."""

from __future__ import annotations

from attrs import frozen

from metaquorum.base.limits import MAX_PENDING_REPLIES


@frozen
class ControllerConfig:
    """``max_idle_interval_ms`` is Kafka's metadata.max.idle.interval.ms; 0 writes no NoOps.

    ``count_changes`` keeps KIP-630's count of changed records, for who asks for its ratio.
    """

    node_id: int
    max_idle_interval_ms: int = 500
    min_insync_replicas: int = 1
    pending_replies_max: int = MAX_PENDING_REPLIES
    count_changes: bool = False
