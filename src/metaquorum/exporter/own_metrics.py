"""The exporter's metrics that Kafka has none of, under ``metaquorum:``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from metaquorum.client.quorum_view import role_of, voters_behind, voters_silent
from metaquorum.exporter import tally
from metaquorum.exporter.cells import PartitionFigures
from metaquorum.exporter.figures import LogFigures
from metaquorum.exporter.followed_log import BYTES, LEADER_CHANGES, RECORDS, SNAPSHOTS
from metaquorum.exporter.known import BEGUN_ANEW, Known
from metaquorum.exporter.metric import (
    Metric,
    Read,
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
from metaquorum.observe.metrics import Kind
from metaquorum.observe.names import metric_name

QUORUM: Final = "metaquorum:type=quorum"
LOG: Final = "metaquorum:type=log"
CLUSTER: Final = "metaquorum:type=cluster"
TOPIC: Final = "metaquorum:type=topic"
EXPORTER: Final = "metaquorum:type=exporter"


def _replicas(name: str) -> Read:
    """A row for each voter and observer."""

    def rows(known: Known) -> Iterator[Row]:
        quorum = known.quorum
        if quorum is not None:
            for one in quorum.replicas:
                found = {
                    "lag": one.lag_records,
                    "behind": one.behind_ms,
                    "fetch": one.since_fetch_ms,
                    "end": quorum.log_end_offsets.get(one.id),
                }[name]
                yield (("node", str(one.id)), ("role", role_of(one))), found

    return once_a_node(rows)


def _info(known: Known) -> Iterable[Row]:
    return () if known.quorum is None else (((("cluster_id", known.quorum.cluster_id),), 1.0),)


def _snapshot_age_ms(known: Known) -> float | None:
    snapshot = None if known.quorum is None else known.quorum.snapshot
    if snapshot is None or snapshot.contained_ms < 0:
        return None
    return max(0, known.wall_ms - snapshot.contained_ms)


def _snapshot_lag(known: Known) -> float | None:
    snapshot = None if known.quorum is None else known.quorum.snapshot
    watermark = known.high_watermark
    return None if snapshot is None or watermark is None else watermark - snapshot.end_offset


def _log_lag(log: LogFigures) -> float | None:
    watermark = log.place.high_watermark
    return None if watermark < 0 else max(0, watermark - log.place.position)


def _sources(read: Callable[[Known, str], float | None]) -> Read:
    def rows(known: Known) -> Iterator[Row]:
        for name in sorted(known.sources):
            yield (("source", name),), read(known, name)

    return rows


def _failing(known: Known) -> Iterator[Row]:
    for name, one in sorted(known.sources.items()):
        if one.failing is not None:
            yield (("source", name), ("reason", one.failing)), 1.0


def _failures(known: Known) -> Iterator[Row]:
    for name, one in sorted(known.sources.items()):
        for reason, count in sorted(one.failures.items()):
            yield (("source", name), ("reason", reason)), count


def _begun_anew(known: Known) -> Iterator[Row]:
    """A row for each reason from the start: a counter that appears with 1 has not increased."""
    for why in BEGUN_ANEW:
        yield (("why", why),), known.begun_anew.get(why, 0)


def _certificates(known: Known) -> Iterator[Row]:
    for whose, one in sorted(known.certificates.items()):
        yield (("certificate", whose),), one.good_until_ms - known.wall_ms


def _topics(read: Callable[[PartitionFigures], float]) -> Read:
    def rows(known: Known) -> Iterator[Row]:
        for one in () if known.log is None else known.log.by_topic:
            yield (("topic", one.name),), read(one.partitions)

    return rows


def _changes(known: Known) -> Iterator[Row]:
    if known.log is not None:
        for kind in sorted(set(tally.KINDS.values())):
            yield (("kind", kind),), known.log.events.get(kind, 0)


def _of_topic(name: str, read: Callable[[PartitionFigures], float], about: str) -> Metric:
    family = metric_name(TOPIC, name).family
    return Metric(family, Kind.GAUGE, about, _topics(read), ("topic",), by_choice=True)


OWN_METRICS: Final = (
    text(QUORUM, "", _info, "The cluster's id", "cluster_id"),
    counter(
        f"{QUORUM},name=leader-changes",
        event(LEADER_CHANGES),
        "Elections that the log tells of, since it was first read to its end",
    ),
    gauge(
        QUORUM,
        "replica-lag-offsets",
        _replicas("lag"),
        "Offsets from a replica's log end to the leader's",
        "node",
        "role",
    ),
    gauge(
        QUORUM,
        "replica-log-end-offset",
        _replicas("end"),
        "A replica's log end offset as the leader knows it, -1 while it does not",
        "node",
        "role",
    ),
    gauge(
        QUORUM,
        "replica-behind-ms",
        _replicas("behind"),
        "Milliseconds since a replica had all records, by the leader's clock",
        "node",
        "role",
    ),
    gauge(
        QUORUM,
        "replica-since-fetch-ms",
        _replicas("fetch"),
        "Milliseconds since the leader was last asked by a replica, by the leader's clock",
        "node",
        "role",
    ),
    gauge(
        QUORUM,
        "voters-behind",
        of_quorum(lambda quorum: voters_behind(quorum.replicas)),
        "Voters that have not had all records for more than 5 s, or not since this leader leads",
    ),
    gauge(
        QUORUM,
        "voters-silent",
        of_quorum(lambda quorum: voters_silent(quorum.replicas)),
        "Voters that the leader has not been asked by for more than 5 s",
    ),
    gauge(
        LOG,
        "start-offset",
        of_log(lambda log: log.place.log_start_offset if log.place.log_start_offset >= 0 else None),
        "The first offset of the leader's log",
    ),
    gauge(
        LOG,
        "position-offset",
        of_log(lambda log: log.place.position),
        "The offset that the exporter reads next",
    ),
    gauge(
        LOG,
        "lag-offsets",
        of_log(_log_lag),
        "Committed offsets that the exporter has not read yet",
    ),
    counter(
        f"{LOG},name=records", event(RECORDS), "Records of the log since it was read to its end"
    ),
    counter(f"{LOG},name=bytes", event(BYTES), "Bytes of the log since it was read to its end"),
    counter(
        f"{LOG},name=snapshots-loaded", event(SNAPSHOTS), "Snapshots that the exporter has loaded"
    ),
    gauge(
        LOG,
        "snapshot-end-offset",
        of_quorum(lambda quorum: None if quorum.snapshot is None else quorum.snapshot.end_offset),
        "Where the leader's latest snapshot ends",
    ),
    gauge(
        LOG,
        "snapshot-lag-offsets",
        of_all(_snapshot_lag),
        "Offsets from there to the high watermark",
    ),
    gauge(
        LOG,
        "snapshot-age-ms",
        of_all(_snapshot_age_ms),
        "Milliseconds since the last record was written that the latest snapshot holds",
    ),
    gauge(
        CLUSTER,
        "brokers-registered",
        of_log(lambda log: len(log.brokers)),
        "Registered brokers, fenced or not",
    ),
    gauge(
        CLUSTER,
        "controllers-registered",
        of_log(lambda log: log.controllers),
        "Registered controllers (KIP-919)",
    ),
    gauge(
        CLUSTER,
        "partitions-with-elr",
        partition_sum(lambda found: found.with_elr),
        "Partitions with eligible leader replicas (KIP-966)",
    ),
    gauge(
        CLUSTER,
        "partitions-with-last-known-elr",
        partition_sum(lambda found: found.with_last_known_elr),
        "Partitions that lost all eligible leader replicas and remember one",
    ),
    gauge(
        CLUSTER,
        "entries",
        labelled("kind", lambda log: dict(log.entries)),
        "What else the state holds",
        "kind",
    ),
    counter(
        f"{CLUSTER},name=changes",
        _changes,
        "Records of the log by what they change, since it was read to its end",
        "kind",
    ),
    counter(
        f"{CLUSTER},name=brokers-fenced",
        event(tally.BROKERS_FENCED),
        "Brokers that were fenced, since the log was read to its end",
    ),
    counter(
        f"{CLUSTER},name=partition-leaders-changed",
        event(tally.LEADERS_CHANGED),
        "Partitions that got another leader or lost theirs, likewise",
    ),
    gauge(
        EXPORTER,
        "source-up",
        _sources(lambda known, name: int(known.sources[name].failing is None)),
        "1 while a source works, else 0",
        "source",
    ),
    gauge(
        EXPORTER,
        "source-age-ms",
        _sources(lambda known, name: known.sources[name].since_ms),
        "Milliseconds since a source worked last: how old its figures are",
        "source",
    ),
    gauge(
        EXPORTER,
        "source-failing",
        _failing,
        "1 with the reason while a source does not work",
        "source",
        "reason",
    ),
    counter(
        f"{EXPORTER},name=source-failures",
        _failures,
        "Attempts of a source that failed",
        "source",
        "reason",
    ),
    counter(
        f"{EXPORTER},name=log-begun-anew",
        _begun_anew,
        "How often the log was read from its beginning again, as it was another one",
        "why",
    ),
    gauge(
        EXPORTER,
        "certificate-expires-in-ms",
        _certificates,
        "Milliseconds until a certificate expires by this machine's clock, below 0 once it has",
        "certificate",
    ),
    gauge(
        EXPORTER,
        "topics-left-out",
        of_log(lambda log: log.topics_left_out),
        "Topics that have no series of their own although --per-topic was given",
    ),
    _of_topic("partitions", lambda found: found.all, "Partitions of a topic"),
    _of_topic("offline-partitions", lambda found: found.offline, "Those without a leader"),
    _of_topic(
        "under-replicated-partitions",
        lambda found: found.under_replicated,
        "Those with a leader and fewer replicas in sync than replicas",
    ),
    _of_topic(
        "under-min-isr-partitions",
        lambda found: found.under_min_in_sync,
        "Those with a leader and fewer replicas in sync than min.insync.replicas",
    ),
    _of_topic(
        "not-preferred-partitions",
        lambda found: found.not_preferred,
        "Those that are not led by their first replica",
    ),
)
