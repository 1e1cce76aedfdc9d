"""Snapshots and loading under KIP-630's names and under those that Kafka has today (KIP-938)."""

from __future__ import annotations

from functools import partial
from typing import Final

from metaquorum.metadata.tables.features import label_of
from metaquorum.node.services import SUPPORTED_FEATURES
from metaquorum.observe.metrics import Registry
from metaquorum.runtime.driver.driver import Driver
from metaquorum.runtime.snapshots.snapshot_task import SnapshotTask

_CONTROLLER: Final = "kafka.controller:type=KafkaController"
_EMITTER: Final = "kafka.server:type=SnapshotEmitter"
_LOADER: Final = "kafka.server:type=MetadataLoader"


def register_snapshot_metrics(registry: Registry, driver: Driver, snapshots: SnapshotTask) -> None:
    """Gauges are read from the core and the task; histograms are of this process's snapshots."""
    measures = snapshots.measures

    def newest_bytes() -> int:
        known = driver.replica.log.snapshots
        return known[-1][1] if known else 0

    def lag() -> int | None:
        log = driver.replica.log
        newest = log.newest_snapshot
        if log.high_watermark is None:
            return None
        return log.high_watermark - (newest.offset if newest is not None else 0)

    registry.histogram(
        f"{_CONTROLLER},name=GenSnapshotLatencyMs",
        "Milliseconds that writing a snapshot took (KIP-630)",
        measures.write_ms,
    )
    registry.histogram(
        f"{_CONTROLLER},name=LoadSnapshotLatencyMs",
        "Milliseconds that loading a snapshot took (KIP-630)",
        measures.load_ms,
    )
    about = "Bytes of the newest snapshot, 0 while there is none (KIP-630)"
    registry.gauge(f"{_CONTROLLER},name=SnapshotSizeBytes", "Value", newest_bytes, about)
    about = "Offsets from the newest snapshot's end to the high watermark (KIP-630)"
    registry.gauge(f"{_CONTROLLER},name=SnapshotLag", "Value", lag, about)
    registry.gauge(
        f"{_EMITTER},name=LatestSnapshotGeneratedBytes",
        "Value",
        lambda: measures.latest_bytes,
        "Bytes of the latest snapshot that this node wrote; of the one it loaded before that",
    )
    registry.gauge(
        f"{_EMITTER},name=LatestSnapshotGeneratedAgeMs",
        "Value",
        lambda: measures.age_ms(driver.clock.now_ms()),
        "Milliseconds since this node wrote its latest snapshot, or since it started",
    )
    registry.gauge(
        f"{_LOADER},name=HandleLoadSnapshotCount",
        "Value",
        lambda: measures.loads.value,
        "Snapshots loaded since the start",
    )
    registry.counter(
        "metaquorum:type=snapshots,name=Failures",
        "Snapshots that the disk did not take",
        lambda: measures.failures.value,
    )
    _register_levels(registry, driver)


def _register_levels(registry: Registry, driver: Driver) -> None:
    """FinalizedLevel of each feature in use; the feature's name as Kafka spells it there."""

    def level(name: str) -> int | None:
        if name == "kraft.version":
            return driver.replica.voters.kraft_version
        found = driver.controller.committed().features.level(name)
        return found if found or name == "metadata.version" else None

    for name in SUPPORTED_FEATURES:
        registry.gauge(
            f"{_LOADER},name=FinalizedLevel,featureName={label_of(name)}",
            "Value",
            partial(level, name),
            "The finalized level of a feature (KIP-1180)",
        )
