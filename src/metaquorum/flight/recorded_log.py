"""A log that is followed for a recording: no state of the cluster is kept, only who is there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from attrs import define, evolve, field

from metaquorum.base.clock import Millis
from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import NO_OFFSET, Epoch, Offset, OffsetAndEpoch
from metaquorum.client.log_record import FetchedBatch
from metaquorum.exporter.figures import LogFigures, LogPlace
from metaquorum.exporter.followed_log import until_footer
from metaquorum.flight.evidence import BrokerChanged, BrokerRegistered, BrokerRemoved, Evidence
from metaquorum.flight.limits import MAX_BROKERS
from metaquorum.flight.log_evidence import Writing, evidence_of

RUN_MS: Final = 10_000
"""Batches that say nothing are told together, for so long at most."""


@define(eq=False)
class RecordedLog:
    """What ``LogFollower`` follows; ``put`` takes what is to be recorded."""

    put: Callable[..., None]
    position: Offset = 0
    epoch: Epoch | None = None
    is_live: bool = field(default=False, init=False)
    brokers: dict[NodeId, BrokerRegistered] = field(factory=dict)
    _writing: Writing = field(factory=lambda: Writing(RUN_MS), init=False)
    _flush_at_ms: Millis = field(default=0, init=False)

    def cleared(self) -> Iterator[None]:
        """Forget what was read: it is another log."""
        self.flush()
        self.brokers.clear()
        self.position, self.epoch = 0, None
        yield None

    def go_live(self) -> None:
        """It was read to its end once."""
        self.is_live = True

    def replay(self, batch: FetchedBatch) -> None:
        """Take one committed batch; what it says is recorded before that it was read."""
        header = batch.header
        items = evidence_of(header, batch.data)
        self._note(items)
        self._put(self._writing.add(header))
        if items:
            self._put(*items)
            self.flush()
        self.position, self.epoch = header.next_offset, header.leader_epoch

    def load(
        self, snapshot: OffsetAndEpoch, first: FetchedBatch, more: Iterator[FetchedBatch]
    ) -> Iterator[int]:
        """Take the registrations of brokers out of a snapshot; its other records are passed over.

        PeerError is raised for a snapshot that ends before its footer.
        """
        self.flush()
        records = 0
        for header, data in until_footer(first, more):
            if not header.is_control:
                self._note(evidence_of(header, data))
            records += header.record_count
            yield records
        self.brokers = {number: before_log(one) for number, one in self.brokers.items()}
        self._put(*self.brokers.values())
        self.position, self.epoch = snapshot.offset, snapshot.epoch

    def figures(self, place: LogPlace, now_ms: Millis) -> LogFigures | None:
        """There are none to show; what was read is recorded when enough has come together."""
        if now_ms >= self._flush_at_ms:
            self.flush()
            self._flush_at_ms = now_ms + RUN_MS
        return None

    def flush(self) -> None:
        """Record what was read and is not recorded yet."""
        self._put(self._writing.take())

    def _put(self, *items: Evidence | None) -> None:
        there = [one for one in items if one is not None]
        if there:
            self.put(*there)

    def _note(self, items: Sequence[Evidence]) -> None:
        for one in items:
            if isinstance(one, BrokerRegistered) and len(self.brokers) < MAX_BROKERS:
                self.brokers[one.node_id] = one
            elif isinstance(one, BrokerRemoved):
                self.brokers.pop(one.node_id, None)
            elif isinstance(one, BrokerChanged) and one.fenced is not None:
                known = self.brokers.get(one.node_id)
                if known is not None:
                    self.brokers[one.node_id] = evolve(known, fenced=one.fenced)


def before_log(broker: BrokerRegistered) -> BrokerRegistered:
    """The same as something that was known already, and did not happen at its offset."""
    return evolve(broker, offset=NO_OFFSET)
