"""What a controller must know of its node's configuration."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

from metaquorum.base.limits import MAX_PENDING_REPLIES


@frozen
class ControllerConfig:
    """``max_idle_interval_ms`` is Kafka's metadata.max.idle.interval.ms; 0 writes no NoOps.

    ``count_changes`` keeps KIP-630's count of changed records, for who asks for its ratio.
    ``broker_quick_restart`` lets a broker that was stopped in order come back before the session of
    its last process has ended. The others have Kafka's names and defaults; ``replication_factor``
    and ``partitions`` are of topics that say none. Without ``token_secret`` there are no delegation
    tokens. ``file`` is every key of the node's file with its text.
    """

    node_id: int
    max_idle_interval_ms: int = 500
    min_insync_replicas: int = 1
    broker_session_timeout_ms: int = 9_000
    broker_heartbeat_interval_ms: int = 2_000
    broker_quick_restart: bool = True
    replication_factor: int = 1
    partitions: int = 1
    delete_topic_enable: bool = True
    has_remote_storage: bool = False
    file: Mapping[str, str] = field(factory=dict, repr=False)
    unclean_leader_election_enable: bool = False
    unclean_leader_election_interval_ms: int = 300_000
    leader_rebalance_enable: bool = True
    leader_imbalance_check_interval_ms: int = 300_000
    token_secret: bytes | None = field(default=None, repr=False)
    token_max_lifetime_ms: int = 604_800_000
    token_expiry_ms: int = 86_400_000
    token_expiry_check_interval_ms: int = 3_600_000
    pending_replies_max: int = MAX_PENDING_REPLIES
    count_changes: bool = False
