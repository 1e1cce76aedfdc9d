"""Metrics of the voter set under Kafka's names: who counts, who follows, what is changing (853)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from metaquorum.config.node_config import NodeConfig
from metaquorum.observe.metrics import Registry
from metaquorum.quorum.roles.leader import Leader
from metaquorum.runtime.driver.driver import Driver

_RAFT: Final = "kafka.server:type=raft-metrics"
_BROKER: Final = "kafka.server:type=broker-metadata-metrics"
_CONTROLLER: Final = "kafka.controller:type=KafkaController"


def register_voter_metrics(registry: Registry, driver: Driver, config: NodeConfig) -> None:
    """Gauges of the voter set; those that only a leader can know are left out elsewhere."""

    def of_leader(name: str, about: str, read: Callable[[Leader], int]) -> None:
        def reading() -> int | None:
            role = driver.replica.role
            return read(role) if isinstance(role, Leader) else None

        registry.gauge(_RAFT, name, reading, about)

    def changes(leader: Leader, *kinds: str) -> int:
        return int(leader.change is not None and leader.change.kind in kinds)

    registry.gauge(
        _RAFT,
        "number-of-voters",
        lambda: len(driver.replica.voters.latest),
        "How many voters the latest voter set has",
    )
    registry.gauge(
        _RAFT,
        "is-observer",
        lambda: int(not driver.replica.is_voter),
        "1 where this node is no voter, 0 where it is one",
    )
    of_leader(
        "number-of-observers",
        "How many replicas that are no voters fetch from this leader",
        lambda leader: observers(driver, leader),
    )
    of_leader(
        "uncommitted-voter-change",
        "1 while a change of voters is written and not committed, else 0",
        lambda leader: int(uncommitted_change(driver)),
    )
    of_leader(
        "pending-add-voter",
        "1 while a voter is being added, else 0",
        lambda leader: changes(leader, "add"),
    )
    of_leader(
        "pending-remove-voter",
        "1 while a voter is being removed, else 0",
        lambda leader: changes(leader, "remove"),
    )
    about = "1 where controller.quorum.voters is set and records name the voters, else 0"
    registry.gauge(_BROKER, "ignored-static-voters", lambda: ignored(driver, config), about)
    registry.gauge(
        f"{_CONTROLLER},name=IgnoredStaticVoters", "Value", lambda: ignored(driver, config), about
    )


def observers(driver: Driver, leader: Leader) -> int:
    """Replicas that fetched from this leader lately and are no voters."""
    replica = driver.replica
    voters, progress = replica.voters.latest, leader.progress
    expiry_ms = replica.config.observer_expiry_ms
    progress.forget_silent_observers(voters, driver.clock.now_ms(), expiry_ms)
    return sum(1 for key in progress.replicas if not voters.is_voter(key))


def uncommitted_change(driver: Driver) -> bool:
    """Whether the latest voter set lies above the high watermark."""
    at, known = driver.replica.voters.latest_offset, driver.replica.log.high_watermark
    return at is not None and at >= 0 and (known is None or at >= known)


def ignored(driver: Driver, config: NodeConfig) -> int:
    """Whether the configuration names voters that the log overrules."""
    return int(bool(config.static_voters) and driver.replica.voters.latest_offset is not None)
