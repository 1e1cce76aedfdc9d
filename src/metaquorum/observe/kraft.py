"""Kafka's KRaft metrics by name: the node tells facts, this file knows what they are called.

Names and meanings are those of KIP-595 (Metrics), KIP-853 and of Kafka's documentation of the
KRaft quorum, the controller and the metadata loader.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field, frozen

from metaquorum.base.ids import ZERO_UUID, Uuid, uuid_text
from metaquorum.observe.metrics import Counter, Registry
from metaquorum.observe.windows import Distribution, Window

RAFT = "kafka.server:type=raft-metrics"
LOADER = "kafka.server:type=MetadataLoader,name="
SNAPSHOTS = "kafka.server:type=SnapshotEmitter,name="
CONTROLLER = "kafka.controller:type=KafkaController,name="
EVENTS = "kafka.controller:type=ControllerEventManager,name="
STATS = "kafka.controller:type=ControllerStats,name="

STATES = (
    "leader",
    "candidate",
    "prospective",
    "prospective-voted",
    "follower",
    "observer",
    "unattached",
    "unattached-voted",
)


@frozen(kw_only=True)
class RaftFacts:
    """What a replica knows of itself at one moment; -1 stands for unknown."""

    state: str
    leader_id: int = -1
    epoch: int = 0
    voted_id: int = -1
    voted_directory_id: Uuid = ZERO_UUID
    high_watermark: int = -1
    log_end_offset: int = 0
    log_end_epoch: int = 0
    number_of_voters: int = 0
    number_of_observers: int | None = None
    """Known to the leader alone, as the next one."""
    uncommitted_voter_change: bool | None = None


@frozen(kw_only=True)
class ControllerFacts:
    """What the controller knows at one moment; all of committed state only."""

    is_active: bool = False
    last_applied_offset: int = -1
    last_committed_offset: int = -1
    last_applied_timestamp_ms: int = -1
    metadata_version: int = 0
    active_brokers: int = 0
    fenced_brokers: int = 0
    topics: int = 0
    partitions: int = 0
    offline_partitions: int = 0
    preferred_replica_imbalances: int = 0
    ignored_static_voters: bool = False


@define
class RaftSensors:
    """Windows that the node records into: latencies in milliseconds, records as counts."""

    commit_latency: Window = field(factory=Window)
    election_latency: Window = field(factory=Window)
    append_records: Window = field(factory=Window)
    fetch_records: Window = field(factory=Window)


@define
class ControllerCounters:
    """Counters and distributions that the node adds to."""

    new_active_controllers: Counter
    events_started: Counter
    events_timed_out: Counter
    heartbeats_timed_out: Counter
    metadata_errors: Counter
    unclean_elections: Counter
    snapshots_loaded: Counter
    event_queue_time: Distribution
    event_processing_time: Distribution


def register_raft(
    registry: Registry, facts: Callable[[], RaftFacts], now_ms: Callable[[], int]
) -> RaftSensors:
    """Put the attributes of ``raft-metrics`` into the registry; the sensors are for the node."""
    sensors = RaftSensors()

    def gauge(attribute: str, about: str, read: Callable[[RaftFacts], int | None]) -> None:
        registry.gauge(RAFT, attribute, lambda: read(facts()), about)

    registry.text(RAFT, "current-state", lambda: facts().state, "what this replica is now")
    registry.text(
        RAFT,
        "current-vote-directory-id",
        lambda: uuid_text(facts().voted_directory_id),
        "the directory that the vote of this epoch went to",
    )
    gauge("current-leader", "node id of the leader, -1 while unknown", lambda f: f.leader_id)
    gauge("current-vote", "node id voted for in this epoch, -1 for none", lambda f: f.voted_id)
    gauge("current-epoch", "the epoch of this replica", lambda f: f.epoch)
    gauge("high-watermark", "end of what is committed, -1 unknown", lambda f: f.high_watermark)
    gauge("log-end-offset", "the next offset of the log", lambda f: f.log_end_offset)
    gauge("log-end-epoch", "the epoch of the last record", lambda f: f.log_end_epoch)
    gauge("number-of-voters", "replicas that vote", lambda f: f.number_of_voters)
    gauge("number-of-observers", "replicas that only follow", lambda f: f.number_of_observers)
    gauge("number-unknown-voter-connections", "always 0, kept for its readers", lambda f: 0)
    gauge(
        "uncommitted-voter-change",
        "1 while a change of the voters is not committed",
        lambda f: f.uncommitted_voter_change,
    )
    for name, window, about in (
        ("commit-latency", sensors.commit_latency, "milliseconds from append to commit"),
        ("election-latency", sensors.election_latency, "milliseconds of an election"),
    ):
        registry.gauge(RAFT, f"{name}-avg", _at(window.average, now_ms), f"mean {about}")
        registry.gauge(RAFT, f"{name}-max", _at(window.highest, now_ms), f"most {about}")
    for name, window, about in (
        ("append-records", sensors.append_records, "records a second appended as leader"),
        ("fetch-records", sensors.fetch_records, "records a second copied as follower"),
    ):
        registry.gauge(RAFT, f"{name}-rate", _at(window.rate, now_ms), about)
    return sensors


def register_controller(
    registry: Registry, facts: Callable[[], ControllerFacts], wall_ms: Callable[[], int]
) -> ControllerCounters:
    """Put the controller's and the loader's metrics into the registry."""

    def gauge(mbean: str, about: str, read: Callable[[ControllerFacts], int]) -> None:
        registry.gauge(mbean, "Value", lambda: read(facts()), about)

    def lag_ms(f: ControllerFacts) -> int:
        known = f.last_applied_timestamp_ms >= 0
        return 0 if f.is_active or not known else max(0, wall_ms() - f.last_applied_timestamp_ms)

    for name, about, read in (
        ("ActiveControllerCount", "1 on the active controller", lambda f: f.is_active),
        ("LastAppliedRecordOffset", "last record applied", lambda f: f.last_applied_offset),
        ("LastCommittedRecordOffset", "last record committed", lambda f: f.last_committed_offset),
        (
            "LastAppliedRecordTimestamp",
            "time of the last record applied, in milliseconds",
            lambda f: f.last_applied_timestamp_ms,
        ),
        ("LastAppliedRecordLagMs", "age of the last record applied, 0 if active", lag_ms),
        ("ActiveBrokerCount", "registered brokers in service", lambda f: f.active_brokers),
        ("FencedBrokerCount", "registered brokers out of service", lambda f: f.fenced_brokers),
        ("GlobalTopicCount", "topics", lambda f: f.topics),
        ("GlobalPartitionCount", "partitions", lambda f: f.partitions),
        ("OfflinePartitionsCount", "partitions without leader", lambda f: f.offline_partitions),
        (
            "PreferredReplicaImbalanceCount",
            "partitions not led by their preferred replica",
            lambda f: f.preferred_replica_imbalances,
        ),
        (
            "IgnoredStaticVoters",
            "1 when controller.quorum.voters is set and not used",
            lambda f: f.ignored_static_voters,
        ),
    ):
        gauge(CONTROLLER + name, about, read)
    gauge(LOADER + "CurrentMetadataVersion", "finalized level", lambda f: f.metadata_version)
    return _counters(registry)


def register_snapshots(
    registry: Registry, latest_bytes: Callable[[], int], latest_age_ms: Callable[[], int]
) -> None:
    """Put the snapshot emitter's metrics into the registry; 0 before the first snapshot."""
    registry.gauge(
        SNAPSHOTS + "LatestSnapshotGeneratedBytes", "Value", latest_bytes, "size of the snapshot"
    )
    registry.gauge(
        SNAPSHOTS + "LatestSnapshotGeneratedAgeMs", "Value", latest_age_ms, "age of the snapshot"
    )


def _counters(registry: Registry) -> ControllerCounters:
    def counted(name: str, about: str) -> Counter:
        counter = Counter()
        registry.gauge(CONTROLLER + name, "Value", lambda: counter.value, about)
        return counter

    loaded = Counter()
    registry.gauge(
        LOADER + "HandleLoadSnapshotCount", "Value", lambda: loaded.value, "snapshots loaded"
    )
    return ControllerCounters(
        new_active_controllers=counted("NewActiveControllersCount", "changes of the controller"),
        events_started=counted("EventQueueOperationsStartedCount", "operations begun"),
        events_timed_out=counted("EventQueueOperationsTimedOutCount", "operations timed out"),
        heartbeats_timed_out=counted("TimedOutBrokerHeartbeatCount", "heartbeats timed out"),
        metadata_errors=counted("MetadataErrorCount", "records that could not be applied"),
        unclean_elections=registry.counter(
            STATS + "UncleanLeaderElectionsPerSec", "elections of a leader outside the ISR"
        ),
        snapshots_loaded=loaded,
        event_queue_time=registry.histogram(EVENTS + "EventQueueTimeMs", "milliseconds waited"),
        event_processing_time=registry.histogram(
            EVENTS + "EventQueueProcessingTimeMs", "milliseconds worked"
        ),
    )


def _at(
    read: Callable[[int], float | None], now_ms: Callable[[], int]
) -> Callable[[], float | None]:
    return lambda: read(now_ms())
