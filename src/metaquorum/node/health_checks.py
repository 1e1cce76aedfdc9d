"""What this node says when asked whether it is alive and whether it is ready.

The rule of readiness is that of ``metaquorum health --node ID --ready``, asked about what this node
knows itself; what only it knows of itself comes beside it (decision 257).
"""

from __future__ import annotations

from metaquorum.client.health_rules import node_ready
from metaquorum.client.quorum_view import MAX_BEHIND_MS, replicas_of
from metaquorum.node.own_view import own_view
from metaquorum.observe.health import Health
from metaquorum.runtime.driver.driver import Driver

STUCK_LANE_MS = 30_000
"""A sync that takes longer than this is a disk that will not come back by itself."""


def node_health(driver: Driver) -> Health:
    """Checks with reasons; ``/readyz?verbose`` prints them."""
    health = Health()
    health.alive_when("log-lane", lambda: _lane_reason(driver))
    health.ready_when("leader-known", lambda: _leader_reason(driver))
    health.ready_when("high-watermark-known", lambda: _watermark_reason(driver))
    health.ready_when("state-applied", lambda: _applied_reason(driver))
    return health


def _lane_reason(driver: Driver) -> str | None:
    since = driver.lane.draining_since_ms
    if since is None:
        return None
    waited_ms = driver.clock.now_ms() - since
    if waited_ms < STUCK_LANE_MS:
        return None
    return f"a write to the disk has not come back for {waited_ms} ms"


def _leader_reason(driver: Driver) -> str | None:
    if driver.leader.leader_id is not None:
        return None
    summary = driver.replica.summary()
    return (
        f"no leader is known in epoch {summary.epoch}; this node is {summary.role}: {summary.why}"
    )


def _watermark_reason(driver: Driver) -> str | None:
    if driver.watermark.value >= 0:
        return None
    return "nothing is known to be committed yet"


def _applied_reason(driver: Driver) -> str | None:
    if driver.active_from is not None and not driver.controller.is_active:
        return (
            f"this node leads epoch {driver.leader.epoch} and has not yet applied its log up to "
            f"offset {driver.active_from}"
        )
    view = own_view(driver)
    if view is None or view.high_watermark < 0:
        return None  # the two checks before this one say so
    if node_ready(view, replicas_of(view, MAX_BEHIND_MS), driver.replica.config.node_id).is_well:
        return None
    return f"{driver.watermark.value - driver.next_to_apply} committed offsets are not applied yet"
