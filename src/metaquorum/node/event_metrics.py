"""Commands, heartbeats and turns of the active controller, under Kafka's names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.controller.core import ControllerCore
from metaquorum.node.raft_metrics import CONTROLLER
from metaquorum.observe.metrics import Counter, Registry
from metaquorum.runtime.driver.driver import Driver

_EVENTS: Final = "kafka.controller:type=ControllerEventManager"


def register_event_metrics(registry: Registry, driver: Driver, core: ControllerCore) -> None:
    """What Kafka calls the controller's event queue, and how long brokers were silent."""
    operations, measures = core.operations, driver.measures
    leaders = Counter()

    def leader_changed(leader: LeaderAndEpoch) -> None:
        leaders.add(leader.leader_id is not None)

    leader_changed(driver.leader)
    driver.listeners.leader.append(leader_changed)

    def gauge(name: str, about: str, read: Callable[[], float]) -> None:
        registry.gauge(f"{CONTROLLER},name={name}", "Value", read, about)

    gauge(
        "EventQueueOperationsStartedCount",
        "Commands and turns of periodic work since the start",
        lambda: operations.started,
    )
    gauge(
        "EventQueueOperationsTimedOutCount",
        "Commands since the start whose deadline had passed before they were planned",
        lambda: operations.timed_out,
    )
    gauge(
        "TimedOutBrokerHeartbeatCount",
        "Heartbeats of brokers among them",
        lambda: operations.heartbeats_timed_out,
    )
    gauge(
        "NewActiveControllersCount",
        "Leaders that this node has come to know since the start",
        lambda: leaders.value,
    )
    registry.gauges(
        f"{CONTROLLER},name=TimeSinceLastHeartbeatReceivedMs",
        "broker",
        lambda: core.silences_ms(driver.clock.now_ms()).items(),
        "Milliseconds since the last heartbeat of a broker, on the active controller",
    )
    registry.histogram(
        f"{_EVENTS},name=EventQueueTimeMs",
        "Milliseconds that a command waited for the step before it",
        measures.event_wait_ms,
    )
    registry.histogram(
        f"{_EVENTS},name=EventQueueProcessingTimeMs",
        "Milliseconds that one step of the controller took",
        measures.event_ms,
    )
    registry.gauge(
        f"{_EVENTS},name=AvgIdleRatio",
        "Value",
        lambda: measures.idle_ratio(driver.clock.now_ms()),
        "Share of time in which the cores had nothing to do (KIP-1190)",
    )
