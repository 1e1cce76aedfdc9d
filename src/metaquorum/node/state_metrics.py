"""What the committed metadata amounts to, under Kafka's names: brokers, topics, partitions, lag.

Brokers are counted at a scrape; what there may be a million of is counted as records
are replayed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from metaquorum.metadata.tables.catalog import ELR_ELECTIONS, UNCLEAN_ELECTIONS, StateView
from metaquorum.metadata.tables.nodes import state_of
from metaquorum.observe.metrics import Registry
from metaquorum.runtime.driver.driver import Driver

_CONTROLLER: Final = "kafka.controller:type=KafkaController"
_BROKER: Final = "kafka.server:type=broker-metadata-metrics"


def register_state_metrics(registry: Registry, driver: Driver) -> None:
    """Gauges of the committed state, and of how fresh it is."""
    controller = driver.controller

    def gauge(name: str, about: str, read: Callable[[StateView], float]) -> None:
        registry.gauge(
            f"{_CONTROLLER},name={name}", "Value", lambda: read(controller.committed()), about
        )

    gauge(
        "ActiveBrokerCount", "Registered brokers that are not fenced", lambda v: _brokers(v, False)
    )
    gauge("FencedBrokerCount", "Registered brokers that are fenced", lambda v: _brokers(v, True))
    gauge(
        "ControlledShutdownBrokerCount",
        "Registered brokers that asked to stop, fenced or not",
        lambda v: sum(one.in_controlled_shutdown for _, one in v.brokers.items()),
    )
    registry.gauges(
        f"{_CONTROLLER},name=BrokerRegistrationState",
        "broker",
        lambda: (
            (one, state_of(broker).value) for one, broker in controller.committed().brokers.items()
        ),
        "10: fenced, 20: in controlled shutdown, 30: active",
    )
    gauge("GlobalTopicCount", "Topics", lambda v: len(v.topics))
    gauge("GlobalPartitionCount", "Partitions of all topics", lambda v: v.partition_counts.all)
    gauge(
        "OfflinePartitionsCount",
        "Partitions without a leader",
        lambda v: v.partition_counts.offline,
    )
    gauge(
        "PreferredReplicaImbalanceCount",
        "Partitions that are not led by their first replica",
        lambda v: v.partition_counts.not_preferred,
    )

    def elections(name: str, about: str, number: str) -> None:
        registry.counter(
            f"kafka.controller:type=ControllerStats,name={name}PerSec",
            f"{about}, by the records since the log began or since the snapshot that was loaded",
            lambda: controller.committed().number(number).value,
        )

    elections("UncleanLeaderElections", "Leaders elected that were not in sync", UNCLEAN_ELECTIONS)
    elections(
        "ElectionFromEligibleLeaderReplicas",
        "Leaders elected of the eligible leader replicas (KIP-966)",
        ELR_ELECTIONS,
    )
    _register_freshness(registry, driver)


def _register_freshness(registry: Registry, driver: Driver) -> None:
    def timestamp_ms() -> int:
        return int(driver.controller.state.provenance.timestamp_ms)

    def lag_ms() -> int:
        return max(driver.clock.wall_ms() - timestamp_ms(), 0) if timestamp_ms() >= 0 else 0

    def offset() -> int:
        return int(driver.controller.state.provenance.end_offset) - 1

    about = "When the last record of the committed state was written, in ms since 1970; -1: never"
    registry.gauge(f"{_CONTROLLER},name=LastAppliedRecordTimestamp", "Value", timestamp_ms, about)
    registry.gauge(_BROKER, "last-applied-record-timestamp", timestamp_ms, about)
    about = "How long ago that was, in ms"
    registry.gauge(f"{_CONTROLLER},name=LastAppliedRecordLagMs", "Value", lag_ms, about)
    registry.gauge(_BROKER, "last-applied-record-lag-ms", lag_ms, about)
    about = "The last offset that is part of the committed state, -1 while there is none"
    registry.gauge(_BROKER, "last-applied-record-offset", offset, about)


def _brokers(view: StateView, fenced: bool) -> int:
    return sum(1 for _, broker in view.brokers.items() if broker.fenced == fenced)
