"""Everything that the screen shows at one moment, as values: of what is known, and what was before.

Lists are bounded, times are in ms. None stands for what is not known.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from metaquorum.base.clock import Millis
from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.cli.top.band import Span
from metaquorum.cli.top.history import History, Rates, leader_is_known
from metaquorum.cli.top.rows import (
    BrokerRow,
    ChangeRow,
    PartitionRow,
    WatchedFigures,
)
from metaquorum.client.quorum_view import MAX_SILENT_MS, Replica
from metaquorum.config.listeners import bracketed
from metaquorum.exporter.cells import PartitionFigures
from metaquorum.exporter.figures import QuorumFigures, SourceFigures
from metaquorum.exporter.known import QUORUM, Known
from metaquorum.metadata.tables.nodes import BrokerState

OBSERVER = "observer"


@frozen
class ReplicaRow:
    """A voter or observer as its leader sees it.

    ``answers`` is whether it asked the leader for records within ``MAX_SILENT_MS``.
    """

    id: NodeId
    role: str
    lag: int | None
    behind_ms: Millis | None
    is_caught_up: bool
    since_fetch_ms: Millis | None
    answers: bool
    log_end_offset: Offset | None
    end_point: str

    @property
    def is_voter(self) -> bool:
        """Whether it has a vote."""
        return self.role != OBSERVER


@frozen
class Sight:
    """The screen without its form.

    ``leader_id`` is the last one that was known, and ``has_leader`` whether it was heard of a short
    time ago. ``leader_since_ms`` is since 1970; it may be earlier unless ``since_is_exact``.
    ``log_is_read`` tells whether the log was read to its end. Rows of partitions are the first ones
    of those in trouble, ``partitions`` counts all; the newest change comes first.
    """

    wall_ms: int
    cluster_id: str | None
    has_leader: bool
    leader_id: NodeId
    epoch: Epoch
    leader_since_ms: int | None
    since_is_exact: bool
    high_watermark: Offset | None
    position: Offset | None
    log_is_read: bool
    sources: Mapping[str, SourceFigures]
    rates: Rates
    replicas: tuple[ReplicaRow, ...]
    brokers: tuple[BrokerRow, ...]
    broker_states: Mapping[BrokerState, int]
    topics: int
    partitions: PartitionFigures
    partition_rows: tuple[PartitionRow, ...]
    changes: tuple[ChangeRow, ...]
    spans: tuple[Span, ...]
    begun_anew: Mapping[str, int]

    @property
    def is_whole(self) -> bool:
        """Whether both sources work and the log was read to its end."""
        return self.log_is_read and all(one.failing is None for one in self.sources.values())


def sight(known: Known, history: History) -> Sight:
    """What there is to see; ``history`` has taken ``known`` already."""
    log, quorum = known.log, known.quorum
    watched = log if isinstance(log, WatchedFigures) else None
    leader_id, epoch = known.leader
    term = history.terms.get(epoch)
    return Sight(
        wall_ms=known.wall_ms,
        cluster_id=None if quorum is None else quorum.cluster_id,
        has_leader=leader_is_known(known),
        leader_id=leader_id,
        epoch=epoch,
        leader_since_ms=None if term is None else term.since_ms,
        since_is_exact=term is not None and term.is_exact,
        high_watermark=known.high_watermark,
        position=None if log is None else log.place.position,
        log_is_read=log is not None and log.place.position >= log.place.high_watermark >= 0,
        sources=known.sources,
        rates=history.rates(known),
        replicas=() if quorum is None else _replica_rows(quorum, watched, known),
        brokers=() if watched is None else watched.broker_rows,
        broker_states=_states(known),
        topics=0 if log is None else log.topics,
        partitions=PartitionFigures() if log is None else log.partitions,
        partition_rows=() if watched is None else watched.partition_rows,
        changes=() if watched is None else watched.changes[::-1],
        spans=history.spans(),
        begun_anew=dict(known.begun_anew),
    )


def _replica_rows(
    quorum: QuorumFigures, watched: WatchedFigures | None, known: Known
) -> tuple[ReplicaRow, ...]:
    ends = {} if watched is None else dict(watched.controller_ends)
    if watched is not None:
        ends.update({one.id: one.end_point for one in watched.broker_rows})
    for node_id, endpoints in quorum.endpoints.items():
        if endpoints:
            ends[node_id] = f"{bracketed(endpoints[0][1])}:{endpoints[0][2]}"
    is_lost = known.sources[QUORUM].failing is not None
    return tuple(
        _replica_row(one, quorum.log_end_offsets.get(one.id), ends.get(one.id, ""), is_lost)
        for one in quorum.replicas
    )


def _replica_row(one: Replica, end: Offset | None, end_point: str, is_lost: bool) -> ReplicaRow:
    """``is_lost`` says that the leader itself does not answer: nobody is said to, then."""
    heard = one.since_fetch_ms is not None and one.since_fetch_ms <= MAX_SILENT_MS
    return ReplicaRow(
        one.id,
        one.status,
        one.lag_records,
        one.behind_ms,
        one.is_caught_up,
        one.since_fetch_ms,
        heard and not is_lost,
        end if end is not None and end >= 0 else None,
        end_point,
    )


def _states(known: Known) -> dict[BrokerState, int]:
    states = dict.fromkeys((BrokerState.UNFENCED, BrokerState.FENCED), 0)
    states[BrokerState.CONTROLLED_SHUTDOWN] = 0
    for state in () if known.log is None else known.log.brokers.values():
        states[state] = states.get(state, 0) + 1
    return states
