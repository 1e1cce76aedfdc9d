"""``check quorum``: the facts, asked of the leader and of every voter, and read in the log.

Nothing is left in the quorum: the log is read as ``metaquorum tail`` reads it.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from typing import Any, Final

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.base.errors import InvariantViolated, OperatorError, PeerError
from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import Offset
from metaquorum.cli.check_quorum_rules import (
    MOST_NAMED,
    BrokerSeen,
    LogSeen,
    QuorumFacts,
    VoterSeen,
)
from metaquorum.cli.health import in_time
from metaquorum.client.connection import Connection
from metaquorum.client.leader_question import CONTROLLERS
from metaquorum.client.log_record import FetchedBatch
from metaquorum.client.metadata_log import MetadataLogReader, reading
from metaquorum.client.quorum_question import QuorumQuestion
from metaquorum.client.quorum_view import QuorumView, replicas_of
from metaquorum.client.security import PLAIN, Security
from metaquorum.client.snapshot_question import UNKNOWN_MS, SnapshotQuestion, header_time_ms
from metaquorum.config.listeners import HostPort
from metaquorum.exporter.cells import KAFKAS_MIN_IN_SYNC, figures_of
from metaquorum.exporter.followed_log import FollowedLog
from metaquorum.exporter.tally import default_min_in_sync
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.metadata.tables.topics import NO_LEADER, Partition
from metaquorum.records.errors import BatchError
from metaquorum.runtime.loop import collector

CLIENT_ID: Final = "metaquorum-check"
VOTER_TIMEOUT_S: Final = 5.0
"""How long a name may take to resolve, and a voter to answer."""

Resolve = Callable[[str, int], Sequence[str]]


def resolve(host: str, port: int) -> list[str]:
    """The addresses of a host; OperatorError says why it has none."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise OperatorError(getattr(error, "strerror", None) or str(error)) from None
    return sorted({str(one[4][0]) for one in found})


@define
class QuorumCheck:
    """One look at a quorum. ``timeout_ms`` is how long it may be without a leader.

    ``open``, ``open_reader``, ``resolve`` and ``question`` (options of the questions) are those of
    tests.
    """

    bootstrap: Sequence[HostPort]
    timeout_ms: int
    max_behind_ms: Millis
    security: Security = PLAIN
    open_reader: Callable[..., MetadataLogReader] = MetadataLogReader
    resolve: Resolve = resolve
    open: Callable[..., Connection] = field()
    question: dict[str, Any] = field(factory=dict)

    @open.default
    def _secured(self) -> Callable[..., Connection]:
        return self.security.open

    def facts(self) -> QuorumFacts:
        """Everything; OperatorError says why the quorum could not be looked at."""
        asked = self._asked()
        view = QuorumQuestion(*asked, **self.question).answer()
        snapshot, unknown = None, ""
        try:
            found = SnapshotQuestion(*asked, **self.question).latest(view.leader_epoch)
            snapshot = None if found is None else (found.end_offset, found.contained_ms)
        except OperatorError as error:
            unknown = str(error)
        state, log = self._read(0 if snapshot is None else snapshot[0])
        finalized = dict(state.features)
        voters = []
        for node_id in sorted({row.id for row in view.voters}):
            voter, levels = self._voter(node_id, _place_of(view, state, node_id))
            voters.append(voter)
            finalized = levels | finalized
        return QuorumFacts(
            view,
            tuple(replicas_of(view, self.max_behind_ms)),
            tuple(voters),
            finalized,
            log,
            snapshot,
            unknown,
        )

    def _asked(self) -> tuple[Any, ...]:
        """What questions are made of. A server that hangs leaves time for the others."""
        share_ms = max(1, self.timeout_ms // (len(self.bootstrap) + 1))
        return self.bootstrap, CONTROLLERS, self.timeout_ms, CLIENT_ID, share_ms, self.open

    # The voters.

    def _voter(
        self, node_id: NodeId, place: tuple[str, int] | None
    ) -> tuple[VoterSeen, dict[str, int]]:
        """A voter, and the levels that it says are in use."""
        if place is None:
            return VoterSeen(node_id, None), {}
        addresses, why = in_time(partial(self.resolve, *place), VOTER_TIMEOUT_S)
        if addresses is None:
            return VoterSeen(node_id, place, unresolved=why), {}
        answer, why = in_time(partial(self._features, *place), VOTER_TIMEOUT_S)
        if answer is None:
            return VoterSeen(node_id, place, tuple(addresses), silent=why), {}
        supported, finalized = answer
        return VoterSeen(node_id, place, tuple(addresses), supported=supported), finalized

    def _features(self, host: str, port: int) -> tuple[dict[str, tuple[int, int]], dict[str, int]]:
        timeout_ms = min(self.timeout_ms, int(VOTER_TIMEOUT_S * 1_000))
        with self.open(
            host,
            port,
            client_id=CLIENT_ID,
            connect_timeout_ms=timeout_ms,
            timeout_ms=timeout_ms,
        ) as connection:
            return dict(connection.supported), dict(connection.finalized)

    # The log.

    def _read(self, snapshot_end: Offset) -> tuple[StateView, LogSeen]:
        """The state at the high watermark, and what of it matters."""
        log, followed = _Reading(snapshot_end), FollowedLog(KAFKAS_MIN_IN_SYNC)
        addresses = [(place.host, place.port) for place in self.bootstrap]
        reader = self.open_reader(addresses, timeout_ms=self.timeout_ms, security=self.security)
        was_on = collector.pause()
        try:
            with reading(reader):
                batches = reader.batches()
                for batch in batches:
                    if batch.snapshot is None:
                        log.saw(batch)
                        followed.replay(batch)
                        continue
                    for _ in followed.cleared():
                        pass
                    log.began(batch)
                    for _ in followed.load(batch.snapshot, batch, batches):
                        pass
        except (InvariantViolated, BatchError, PeerError) as error:
            raise OperatorError(f"the log cannot be read at {followed.position}: {error}") from None
        finally:
            collector.resume(0, was_on=was_on)
        return followed.view, _seen(log, followed)


@define
class _Reading:
    """Where the log begins and ends, and how much of it is behind the latest snapshot."""

    snapshot_end: Offset
    start: Offset = -1
    first_ms: Millis = UNKNOWN_MS
    last_ms: Millis = UNKNOWN_MS
    bytes_behind: int = 0

    def began(self, snapshot_batch: FetchedBatch) -> None:
        assert snapshot_batch.snapshot is not None
        self.start = snapshot_batch.snapshot.offset
        self.first_ms = self.last_ms = header_time_ms(snapshot_batch.data)

    def saw(self, batch: FetchedBatch) -> None:
        header = batch.header
        if self.start < 0:
            self.start, self.first_ms = header.base_offset, header.max_timestamp_ms
        self.last_ms = header.max_timestamp_ms
        if header.next_offset > self.snapshot_end:
            self.bytes_behind += header.size_bytes


def _seen(log: _Reading, followed: FollowedLog) -> LogSeen:
    view, cells = followed.view, followed.cells
    figures = figures_of(cells, default_min_in_sync(view, KAFKAS_MIN_IN_SYNC))
    alone = sum(
        count
        for cell, count in cells.items()
        if cell.in_sync == 1 < cell.replicas and cell.leader != NO_LEADER
    )
    return LogSeen(
        start=max(log.start, 0),
        end=followed.position,
        first_ms=log.first_ms,
        last_ms=log.last_ms,
        bytes_behind_snapshot=log.bytes_behind,
        brokers=tuple(
            BrokerSeen(
                one.broker_id,
                {each.name: (each.lowest, each.highest) for each in one.features},
                one.fenced,
            )
            for _, one in sorted(view.brokers.items())
        ),
        one_in_sync=alone,
        one_in_sync_named=_some(view, _is_alone) if alone else (),
        offline=figures.offline,
        offline_named=_some(view, _is_offline) if figures.offline else (),
        under_min_in_sync=figures.under_min_in_sync,
    )


def _is_alone(one: Partition) -> bool:
    return len(one.isr) == 1 < len(one.replicas) and not _is_offline(one)


def _is_offline(one: Partition) -> bool:
    return one.leader == NO_LEADER


def _some(view: StateView, chosen: Callable[[Partition], bool]) -> tuple[str, ...]:
    """The first few partitions that are so, by name."""
    found = (
        f"{topic.name}-{number}"
        for (topic_id, number), one in view.partitions.items()
        if chosen(one) and (topic := view.topics.get(topic_id)) is not None
    )
    return tuple(sorted(islice(found, MOST_NAMED)))


def _place_of(view: QuorumView, state: StateView, node_id: NodeId) -> tuple[str, int] | None:
    """Where a voter listens, as the leader says; else as its registration does."""
    for _, host, port in view.endpoints.get(node_id, ()):
        return host, port
    controller = state.controllers.get(node_id)
    if controller is not None:
        for one in controller.endpoints:
            return one.host, one.port
    return None
