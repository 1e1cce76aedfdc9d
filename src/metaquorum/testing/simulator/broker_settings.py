"""What a node's configuration and its first records say in runs with brokers."""

from __future__ import annotations

from metaquorum.metadata import versions
from metaquorum.metadata.tables.features import (
    ELIGIBLE_LEADER_REPLICAS_VERSION,
    METADATA_VERSION,
)
from metaquorum.testing.simulator.scenario import Scenario

BEATS = 5
"""Heartbeats in a session."""

IDLE_MS = 500
"""Kafka's metadata.max.idle.interval.ms."""

UNCLEAN_ELECTIONS_MS, PREFERRED_ELECTIONS_S = 1_500, 3


def broker_properties(scenario: Scenario) -> dict[str, str]:
    """Short sessions and intervals, so that a run has much of what follows from them."""
    if not scenario.brokers:
        return {}
    return {
        "broker.session.timeout.ms": str(scenario.session_ms),
        "broker.heartbeat.interval.ms": str(scenario.session_ms // BEATS),
        "unclean.leader.election.interval.ms": str(UNCLEAN_ELECTIONS_MS),
        "leader.imbalance.check.interval.seconds": str(PREFERRED_ELECTIONS_S),
    }


def idle_properties(scenario: Scenario) -> dict[str, str]:
    """How often an idle controller writes a NoOp record, where that is not Kafka's default."""
    if scenario.quiet == 1:
        return {}
    return {"metadata.max.idle.interval.ms": str(IDLE_MS * scenario.quiet)}


def levels(scenario: Scenario) -> dict[str, int]:
    """The feature levels that format writes."""
    found = {METADATA_VERSION: versions.LATEST_PRODUCTION}
    if scenario.elr:
        found[ELIGIBLE_LEADER_REPLICAS_VERSION] = 1
    return found
