"""KRaft's metrics under Kafka's MBean names, read from the cores at each scrape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from metaquorum.base.ids import ZERO_UUID, Uuid, uuid_text
from metaquorum.observe.metrics import Registry
from metaquorum.observe.windows import Window
from metaquorum.quorum.summary import Summary
from metaquorum.runtime.driver.driver import Driver

RAFT: Final = "kafka.server:type=raft-metrics"
CONTROLLER: Final = "kafka.controller:type=KafkaController"
LOADER: Final = "kafka.server:type=MetadataLoader"
METADATA: Final = "kafka.server:type=broker-metadata-metrics"


def state_text(summary: Summary) -> str:
    """The role in the words of Kafka's ``current-state`` (KIP-595, KIP-996)."""
    role = summary.role.lower()
    if role == "follower" and not summary.is_voter:
        return "observer"
    if role == "resigned":
        return "unattached"
    if role in ("unattached", "prospective") and summary.voted is not None:
        return f"{role}-voted"
    return role


def _vote(summary: Summary) -> int:
    if summary.is_leader and summary.leader_id is not None:
        return summary.leader_id
    return -1 if summary.voted is None else summary.voted.id


def _vote_directory(summary: Summary, driver: Driver) -> Uuid | None:
    """A leader counts as its own vote, as in ``current-vote``."""
    if summary.is_leader:
        return driver.replica.config.key.directory_id
    return None if summary.voted is None else summary.voted.directory_id


def register_raft_metrics(registry: Registry, driver: Driver) -> None:
    """The attributes of ``raft-metrics``: KIP-595, and those that came after it."""

    def gauge(name: str, about: str, read: Callable[[Summary], float | None]) -> None:
        registry.gauge(RAFT, name, lambda: read(driver.replica.summary()), about)

    def text(name: str, about: str, read: Callable[[Summary], str]) -> None:
        registry.text(RAFT, name, lambda: read(driver.replica.summary()), about)

    text("current-state", "The replica's role", state_text)
    gauge(
        "current-leader",
        "The leader's node id, -1 while unknown",
        lambda s: -1 if s.leader_id is None else s.leader_id,
    )
    gauge("current-epoch", "The quorum's epoch as this node knows it", lambda s: s.epoch)
    gauge(
        "current-vote",
        "Whom this node voted for in this epoch, itself while it leads, -1 for nobody",
        _vote,
    )
    text(
        "current-vote-directory-id",
        "The directory id of whom this node voted for",
        lambda s: uuid_text(_vote_directory(s, driver) or ZERO_UUID),
    )
    gauge(
        "high-watermark",
        "The first offset that is not committed, -1 while unknown",
        lambda s: -1 if s.high_watermark is None else s.high_watermark,
    )
    gauge("log-end-offset", "The offset that the next record gets", lambda s: s.log_end)
    gauge("log-end-epoch", "The epoch of the last record", lambda s: s.last_epoch)
    gauge(
        "number-unknown-voter-connections",
        "Voters without a known address; always 0 since KIP-853",
        lambda s: 0,
    )
    _register_windows(registry, driver)


def _register_windows(registry: Registry, driver: Driver) -> None:
    measures, now = driver.measures, driver.clock.now_ms

    def latency(name: str, window: Window, what: str) -> None:
        about = f"Milliseconds {what}"
        registry.gauge(RAFT, f"{name}-avg", lambda: window.average(now()), f"{about}, mean")
        registry.gauge(RAFT, f"{name}-max", lambda: window.highest(now()), f"{about}, most")

    latency("commit-latency", measures.commit_latency, "from append to commit on the leader")
    latency("election-latency", measures.election_latency, "from an election's start to its end")
    registry.gauge(
        RAFT,
        "poll-idle-ratio-avg",
        lambda: measures.idle_ratio(now()),
        "Share of time in which the cores had nothing to do",
    )
    registry.gauge(
        RAFT,
        "append-records-rate",
        lambda: measures.appended_records.rate(now()),
        "Records a second appended as the leader",
    )
    registry.gauge(
        RAFT,
        "fetch-records-rate",
        lambda: measures.fetched_records.rate(now()),
        "Records a second appended as a follower",
    )


def register_controller_metrics(registry: Registry, driver: Driver) -> None:
    """The controller's MBeans, from committed state only (KAFKA-14457)."""
    controller = driver.controller

    def gauge(name: str, about: str, read: Callable[[], float | None]) -> None:
        registry.gauge(f"{CONTROLLER},name={name}", "Value", read, about)

    gauge(
        "ActiveControllerCount",
        "1 on the active controller, 0 elsewhere",
        lambda: int(controller.is_active),
    )
    gauge(
        "LastCommittedRecordOffset",
        "The last offset that is committed, -1 while unknown",
        lambda: driver.watermark.value - 1 if driver.watermark.value > 0 else -1,
    )
    gauge(
        "LastAppliedRecordOffset",
        "The last committed offset that is part of the state",
        lambda: controller.state.stable_offset - 1,
    )
    gauge(
        "MetadataErrorCount",
        "Records that could not be replayed: this node ends at the first one",
        lambda: 0,
    )
    registry.gauge(
        f"{LOADER},name=CurrentMetadataVersion",
        "Value",
        lambda: controller.committed().features.metadata_version,
        "The metadata.version in the committed state",
    )
    registry.gauge(
        f"{LOADER},name=CurrentControllerId",
        "Value",
        lambda: -1 if driver.leader.leader_id is None else driver.leader.leader_id,
        "The active controller's node id, -1 while unknown",
    )


def register_loop_metrics(registry: Registry, driver: Driver) -> None:
    """Our own: what waits where, under a domain that is not Kafka's."""

    def gauge(type_name: str, name: str, about: str, read: Callable[[], float]) -> None:
        registry.gauge(f"metaquorum:type={type_name}", name, read, about)

    gauge("inbox", "depth", "Events that wait to be told to the cores", lambda: len(driver.inbox))
    gauge("inbox", "refused", "Questions refused by a full inbox", lambda: driver.inbox.refused)
    gauge(
        "log-lane",
        "queued",
        "Disk effects that wait for the sync in flight",
        lambda: driver.lane.statistics()["queued"],
    )
    gauge("log-lane", "drains", "Syncs of the log lane since start", lambda: driver.lane.drains)
    gauge(
        "log-lane",
        "effects",
        "Disk effects made durable since start",
        lambda: driver.lane.effects_done,
    )
    gauge(
        "watermark",
        "parked",
        "Consumer fetches that wait for the high watermark",
        lambda: driver.watermark.statistics()["parked"],
    )
    gauge("tail", "bytes", "Bytes accepted and not yet in the file", lambda: driver.tail.size_bytes)
    _register_histograms(registry, driver)


def _register_histograms(registry: Registry, driver: Driver) -> None:
    measures = driver.measures
    registry.histogram(
        "metaquorum:type=controller,name=ApplyTimeMs",
        "Milliseconds that the records of one batch took to become part of the state",
        measures.apply_ms,
    )
    registry.histogram(
        "metaquorum:type=watermark,name=AdvanceOffsets",
        "Offsets that became committed in one go",
        measures.advance_offsets,
    )
    registry.histogram(
        "metaquorum:type=watermark,name=AdvanceTimeMs",
        "Milliseconds from the append of a batch on the leader until it was committed",
        measures.advance_ms,
    )
