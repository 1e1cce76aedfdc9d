"""The exporter's metrics that Kafka has too, under Kafka's names.

They are named by the one rule of ``observe.names`` from Kafka's MBeans and attributes. What each
broker counts of its own partitions there is one sum here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from metaquorum.exporter import tally
from metaquorum.exporter.figures import LogFigures, QuorumFigures
from metaquorum.exporter.known import Known
from metaquorum.exporter.metric import (
    Row,
    counter,
    event,
    gauge,
    labelled,
    of_all,
    of_log,
    of_quorum,
    once_a_node,
    partition_sum,
    text,
)
from metaquorum.metadata.tables.features import METADATA_VERSION, label_of
from metaquorum.metadata.tables.nodes import BrokerState

CONTROLLER: Final = "kafka.controller:type=KafkaController,name="
STATS: Final = "kafka.controller:type=ControllerStats,name="
LOADER: Final = "kafka.server:type=MetadataLoader,name="
REPLICAS: Final = "kafka.server:type=ReplicaManager,name="
RAFT: Final = "kafka.server:type=raft-metrics"


def _fenced(known: LogFigures) -> int:
    return sum(one is BrokerState.FENCED for one in known.brokers.values())


def _states(known: Known) -> Iterator[Row]:
    for one in known.quorum.replicas if known.quorum is not None else ():
        yield (("node", str(one.id)), ("current_state", one.status)), 1.0


def _record_age_ms(known: Known) -> float | None:
    if known.log is None or known.log.record_time_ms < 0:
        return None
    return max(0, known.wall_ms - known.log.record_time_ms)


def voters(quorum: QuorumFigures) -> int:
    """How many of the replicas vote."""
    return sum(1 for one in quorum.replicas if one.status != "observer")


KAFKAS_METRICS: Final = (
    gauge(
        f"{CONTROLLER}ActiveControllerCount",
        "Value",
        of_all(lambda known: int(known.has_leader)),
        "1 while the quorum has a leader that answers, else 0",
    ),
    gauge(
        f"{CONTROLLER}ActiveBrokerCount",
        "Value",
        of_log(lambda log: len(log.brokers) - _fenced(log)),
        "Registered brokers that are not fenced",
    ),
    gauge(
        f"{CONTROLLER}FencedBrokerCount",
        "Value",
        of_log(_fenced),
        "Registered brokers that are fenced",
    ),
    gauge(
        f"{CONTROLLER}ControlledShutdownBrokerCount",
        "Value",
        of_log(lambda log: log.brokers_in_shutdown),
        "Registered brokers that asked to stop, fenced or not",
    ),
    gauge(
        f"{CONTROLLER}BrokerRegistrationState",
        "Value",
        labelled("broker", lambda log: {key: one.value for key, one in log.brokers.items()}),
        "A broker's registration: 10 fenced, 20 in controlled shutdown, 30 active",
        "broker",
    ),
    gauge(f"{CONTROLLER}GlobalTopicCount", "Value", of_log(lambda log: log.topics), "Topics"),
    gauge(
        f"{CONTROLLER}GlobalPartitionCount",
        "Value",
        partition_sum(lambda found: found.all),
        "Partitions of all topics",
    ),
    gauge(
        f"{CONTROLLER}OfflinePartitionsCount",
        "Value",
        partition_sum(lambda found: found.offline),
        "Partitions without a leader",
    ),
    gauge(
        f"{CONTROLLER}PreferredReplicaImbalanceCount",
        "Value",
        partition_sum(lambda found: found.not_preferred),
        "Partitions that are not led by their first replica",
    ),
    gauge(
        f"{CONTROLLER}LastAppliedRecordOffset",
        "Value",
        of_log(lambda log: log.place.position - 1),
        "The last offset that was read, -1 while there is none",
    ),
    gauge(
        f"{CONTROLLER}LastAppliedRecordTimestamp",
        "Value",
        of_log(lambda log: log.record_time_ms),
        "When the last record of the state was written, in ms since 1970; -1: never",
    ),
    gauge(
        f"{CONTROLLER}LastAppliedRecordLagMs",
        "Value",
        of_all(_record_age_ms),
        "How long ago that was by this machine's clock, in ms",
    ),
    gauge(
        f"{CONTROLLER}LastCommittedRecordOffset",
        "Value",
        of_all(lambda known: None if known.high_watermark is None else known.high_watermark - 1),
        "The last offset that is committed",
    ),
    counter(
        f"{STATS}UncleanLeaderElectionsPerSec",
        event(tally.UNCLEAN_ELECTIONS),
        "Leaders that were neither in sync nor eligible when they were elected",
    ),
    counter(
        f"{STATS}ElectionFromEligibleLeaderReplicasPerSec",
        event(tally.ELIGIBLE_ELECTIONS),
        "Leaders that were eligible and not in sync when they were elected (KIP-966)",
    ),
    gauge(
        f"{LOADER}CurrentMetadataVersion",
        "Value",
        of_log(lambda log: log.features.get(METADATA_VERSION, 0)),
        "The finalized metadata.version",
    ),
    gauge(
        f"{LOADER}CurrentControllerId",
        "Value",
        of_all(lambda known: known.leader[0] if known.has_leader else -1),
        "The leader's node id, -1 while unknown",
    ),
    gauge(
        f"{LOADER}FinalizedLevel",
        "Value",
        labelled("featurename", lambda log: {label_of(k): v for k, v in log.features.items()}),
        "The finalized level of a feature in use",
        "featurename",
    ),
    text(
        RAFT,
        "current-state",
        once_a_node(_states),
        "A replica's role as the leader tells it: leader, follower or observer",
        "node",
        "current_state",
    ),
    gauge(
        RAFT,
        "current-leader",
        of_all(lambda known: known.leader[0] if known.has_leader else -1),
        "The leader's node id, -1 while unknown",
    ),
    gauge(
        RAFT,
        "current-epoch",
        of_all(lambda known: known.leader[1] if known.leader[1] >= 0 else None),
        "The quorum's epoch",
    ),
    gauge(
        RAFT,
        "high-watermark",
        of_all(lambda known: known.high_watermark),
        "The first offset that is not committed",
    ),
    gauge(
        RAFT,
        "log-end-offset",
        of_quorum(lambda quorum: quorum.log_end_offset),
        "The offset that the leader's next record gets",
    ),
    gauge(RAFT, "number-of-voters", of_quorum(voters), "Voters"),
    gauge(
        RAFT,
        "number-of-observers",
        of_quorum(lambda quorum: len(quorum.replicas) - voters(quorum)),
        "Replicas that fetch from the leader and are no voters",
    ),
    gauge(
        f"{REPLICAS}UnderReplicatedPartitions",
        "Value",
        partition_sum(lambda found: found.under_replicated),
        "Partitions with a leader and fewer replicas in sync than replicas",
    ),
    gauge(
        f"{REPLICAS}UnderMinIsrPartitionCount",
        "Value",
        partition_sum(lambda found: found.under_min_in_sync),
        "Partitions with a leader and fewer replicas in sync than min.insync.replicas",
    ),
    gauge(
        f"{REPLICAS}AtMinIsrPartitionCount",
        "Value",
        partition_sum(lambda found: found.at_min_in_sync),
        "Partitions with a leader and just min.insync.replicas in sync",
    ),
    gauge(
        f"{REPLICAS}ReassigningPartitions",
        "Value",
        partition_sum(lambda found: found.reassigning),
        "Partitions whose replicas are being changed",
    ),
    gauge(
        f"{REPLICAS}LeaderCount",
        "Value",
        labelled("broker", lambda log: dict(log.led_by_broker)),
        "Partitions that a broker leads",
        "broker",
    ),
    counter(
        f"{REPLICAS}IsrShrinksPerSec",
        event(tally.ISR_SHRINKS),
        "Changes of partitions that left fewer replicas in sync",
    ),
    counter(
        f"{REPLICAS}IsrExpandsPerSec",
        event(tally.ISR_EXPANDS),
        "Changes of partitions that left more replicas in sync",
    ),
)
