"""What would hurt a quorum and its cluster: rules over facts that were asked for and read.

Times are the leader's, or those of records: the clock of this machine has no part.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import Final

from attrs import frozen

from metaquorum.base.clock import Millis
from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import Offset
from metaquorum.client.quorum_view import QuorumView, Replica
from metaquorum.metadata.tables.features import KRAFT_VERSION

Levels = Mapping[str, tuple[int, int]]

MAX_LOG_BYTES_BEHIND_SNAPSHOT: Final = 104_857_600
"""Five times what Kafka lets a log grow behind a snapshot
(metadata.log.max.record.bytes.between.snapshots)."""
MOST_NAMED: Final = 5
"""So many partitions are named of those in trouble."""


class Severity(Enum):
    """How much a finding matters: it hurts now, it will when one more thing fails, or neither."""

    BAD = "bad"
    WARNING = "warning"
    ADVICE = "advice"


@frozen
class QuorumFinding:
    """Something that would hurt: how much, whom it is about, what was seen, what to do."""

    severity: Severity
    about: str
    reason: str
    advice: str


@frozen
class VoterSeen:
    """A voter as it was found: where it listens, what that resolves to, and what it answered.

    ``place`` is None where nothing says where it listens. ``unresolved`` and ``silent`` say why
    its name does not resolve and why it did not answer. ``supported`` are the features that it can
    do, None where it did not answer.
    """

    node_id: NodeId
    place: tuple[str, int] | None
    addresses: tuple[str, ...] = ()
    unresolved: str = ""
    silent: str = ""
    supported: Levels | None = None


@frozen
class BrokerSeen:
    """A registered broker: the features that it can do, and whether it is fenced."""

    node_id: NodeId
    features: Levels
    is_fenced: bool


@frozen
class LogSeen:
    """What the log says, read to its high watermark.

    ``first_ms`` and ``last_ms`` are the times of the records at its start and end, -1 for none.
    ``bytes_behind_snapshot`` are the log's bytes behind the latest snapshot. Partitions are counted
    that have one replica in sync out of several, no leader, and fewer in sync than min.insync; some
    of the first two are named.
    """

    start: Offset
    end: Offset
    first_ms: Millis
    last_ms: Millis
    bytes_behind_snapshot: int
    brokers: tuple[BrokerSeen, ...] = ()
    one_in_sync: int = 0
    one_in_sync_named: tuple[str, ...] = ()
    offline: int = 0
    offline_named: tuple[str, ...] = ()
    under_min_in_sync: int = 0


@frozen
class QuorumFacts:
    """All that was asked and read. ``snapshot`` is the end and the last record's time (-1 if not
    told) of the leader's latest, None where it has none. ``finalized`` are the levels in use.
    """

    view: QuorumView
    replicas: tuple[Replica, ...]
    voters: tuple[VoterSeen, ...]
    finalized: Mapping[str, int]
    log: LogSeen
    snapshot: tuple[Offset, Millis] | None = None
    snapshot_unknown: str = ""


def findings(facts: QuorumFacts, max_snapshot_age_ms: Millis) -> list[QuorumFinding]:
    """Everything that would hurt, worst first."""
    found = [
        *_names(facts.voters),
        *_hosts(facts.voters),
        *_number(facts.view),
        *_lag(facts.replicas),
        *_snapshots(facts, max_snapshot_age_ms),
        *_partitions(facts.log),
        *_features(facts),
        *_static_voters(facts),
        *_fenced(facts.log.brokers),
    ]
    order = list(Severity)
    return sorted(found, key=lambda one: order.index(one.severity))


def _names(voters: Iterable[VoterSeen]) -> Iterator[QuorumFinding]:
    for one in voters:
        about = f"voter {one.node_id}"
        if one.place is None:
            yield QuorumFinding(
                Severity.WARNING,
                about,
                "no node says where it listens",
                "ask again when it runs; with kraft.version 1 the voters' endpoints are in the log",
            )
            continue
        where = f"{one.place[0]}:{one.place[1]}"
        if one.unresolved:
            yield QuorumFinding(
                Severity.BAD,
                about,
                f"its name {one.place[0]} does not resolve here: {one.unresolved}",
                "mend the name service, or give the voter a name that resolves "
                "(controller.quorum.voters, or update its endpoints)",
            )
        elif one.silent:
            yield QuorumFinding(
                Severity.BAD,
                about,
                f"it does not answer at {where}: {one.silent}",
                "start it, or open the way to it; a voter that is gone for good is to be removed",
            )


def _hosts(voters: Iterable[VoterSeen]) -> Iterator[QuorumFinding]:
    """Voters that one machine takes down together."""
    sharing: dict[str, set[NodeId]] = defaultdict(set)
    for one in voters:
        for address in {*one.addresses, *([one.place[0].lower()] if one.place else [])}:
            sharing[address].add(one.node_id)
    told = {frozenset(ids): address for address, ids in sorted(sharing.items()) if len(ids) > 1}
    for ids, address in sorted(told.items(), key=lambda one: sorted(one[0])):
        yield QuorumFinding(
            Severity.WARNING,
            f"voters {_ids(ids)}",
            f"they share the host {address}: it takes them down together",
            "put each voter on a machine of its own",
        )


def _number(view: QuorumView) -> Iterator[QuorumFinding]:
    count = len(view.voters)
    about = f"voters {_ids(one.id for one in view.voters)}"
    if count == 1:
        yield QuorumFinding(
            Severity.WARNING,
            about,
            "there is one voter: without it nothing is written, and its disk is the only copy",
            "have three voters",
        )
    elif count % 2 == 0:
        yield QuorumFinding(
            Severity.WARNING,
            about,
            f"{count} is an even number of voters: {count // 2 + 1} are needed, so no more of them "
            f"may fail than of {count - 1}",
            "add a voter" + (", or remove one" if count > 2 else ""),
        )


def _lag(replicas: Iterable[Replica]) -> Iterator[QuorumFinding]:
    for one in replicas:
        if one.is_caught_up:
            continue
        is_voter = one.status != "observer"
        records = "" if one.lag_records is None else f" by {one.lag_records} records"
        behind = (
            "it has not been caught up since its leader leads"
            if one.behind_ms is None
            else f"it is behind{records}, for {one.behind_ms / 1_000:.1f} s"
        )
        yield QuorumFinding(
            Severity.BAD if is_voter else Severity.WARNING,
            f"{'voter' if is_voter else 'observer'} {one.id}",
            behind,
            "look at its log and disk; until it has caught up it does not count for the majority"
            if is_voter
            else "look at its log and disk; a broker that is behind acts on old metadata",
        )


def _snapshots(facts: QuorumFacts, max_age_ms: Millis) -> Iterator[QuorumFinding]:
    log, about = facts.log, "snapshots"
    advice = (
        "look at the controllers' logs for snapshots that fail, and at "
        "metadata.log.max.snapshot.interval.ms"
    )
    if facts.snapshot_unknown:
        yield QuorumFinding(
            Severity.WARNING, about, f"the leader does not tell of them: {facts.snapshot_unknown}",
            "ask again",
        )  # fmt: skip
        return
    if facts.snapshot is None:
        since_ms, what = log.first_ms, f"there is none, and the log from offset {log.start} on"
    else:
        since_ms, what = facts.snapshot[1], f"the latest ends at offset {facts.snapshot[0]}, which"
    if -1 not in (since_ms, log.last_ms) and log.last_ms - since_ms > max_age_ms:
        yield QuorumFinding(
            Severity.WARNING,
            about,
            f"{what} is {(log.last_ms - since_ms) / 3_600_000:.1f} h older than the log's last "
            "record",
            advice,
        )
    if log.bytes_behind_snapshot > MAX_LOG_BYTES_BEHIND_SNAPSHOT:
        yield QuorumFinding(
            Severity.WARNING,
            about,
            f"{log.bytes_behind_snapshot} bytes of log are behind the latest one: a node that "
            "starts reads them all",
            advice,
        )


def _partitions(log: LogSeen) -> Iterator[QuorumFinding]:
    if log.offline:
        yield QuorumFinding(
            Severity.BAD,
            "partitions",
            f"{log.offline} have no leader{_named(log.offline_named, log.offline)}",
            "bring back the brokers that have their replicas",
        )
    if log.under_min_in_sync:
        yield QuorumFinding(
            Severity.BAD,
            "partitions",
            f"{log.under_min_in_sync} have fewer replicas in sync than min.insync.replicas: "
            "producers with acks=all are refused",
            "bring back the brokers that have their replicas",
        )
    if log.one_in_sync:
        yield QuorumFinding(
            Severity.WARNING,
            "partitions",
            f"{log.one_in_sync} have one replica in sync left of several"
            f"{_named(log.one_in_sync_named, log.one_in_sync)}: without it they have no leader",
            "bring back the brokers that have the other replicas before one more is stopped",
        )


def _features(facts: QuorumFacts) -> Iterator[QuorumFinding]:
    """Levels in use that a node cannot work with: it will not start, or not register, again."""
    nodes: list[tuple[str, Levels]] = [
        (f"voter {one.node_id}", one.supported) for one in facts.voters if one.supported is not None
    ]
    nodes += [(f"broker {one.node_id}", one.features) for one in facts.log.brokers]
    for about, supported in nodes:
        for name, level in sorted(facts.finalized.items()):
            if name == KRAFT_VERSION and about.startswith("broker"):
                continue  # only voters vote; brokers do not all register what they can do of it
            lowest, highest = supported.get(name, (0, 0))
            if level and not lowest <= level <= highest:
                can = f"{lowest} to {highest}" if name in supported else "none of it"
                yield QuorumFinding(
                    Severity.BAD,
                    about,
                    f"{name} is at level {level}, and it can do {can}",
                    "upgrade it, or remove it from the cluster; it cannot take part after a start",
                )


def _static_voters(facts: QuorumFacts) -> Iterator[QuorumFinding]:
    if facts.finalized.get(KRAFT_VERSION, 0):
        return
    levels = [one.supported or {} for one in facts.voters]
    if levels and all(one.get(KRAFT_VERSION, (0, 0))[1] >= 1 for one in levels):
        yield QuorumFinding(
            Severity.ADVICE,
            f"voters {_ids(one.node_id for one in facts.voters)}",
            "they are static (kraft.version 0), and all of them can do kraft.version 1: voters "
            "could be added, removed and moved while the quorum runs",
            "kafka-features.sh upgrade --feature kraft.version=1",
        )


def _fenced(brokers: Iterable[BrokerSeen]) -> Iterator[QuorumFinding]:
    fenced = [one.node_id for one in brokers if one.is_fenced]
    if fenced:
        yield QuorumFinding(
            Severity.ADVICE,
            f"brokers {_ids(fenced)}",
            "they are registered and fenced: nobody is sent to them",
            "start them, or unregister those that are gone for good: kafka-cluster.sh unregister",
        )


def _named(names: tuple[str, ...], count: int) -> str:
    more = f" and {count - len(names)} more" if count > len(names) else ""
    return f" ({', '.join(names)}{more})" if names else ""


def _ids(ids: Iterable[NodeId]) -> str:
    return ", ".join(map(str, sorted(ids)))
