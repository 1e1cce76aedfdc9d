"""A quorum as the source of a backup: its leader's answers, and its log without a trace."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from attrs import define, field

from metaquorum.base.offsets import Epoch, Offset, OffsetAndEpoch
from metaquorum.client.connection import Connection
from metaquorum.client.leader_question import CONTROLLERS
from metaquorum.client.log_record import FetchedBatch
from metaquorum.client.log_span import snapshot_batches
from metaquorum.client.metadata_log import MetadataLogReader
from metaquorum.client.quorum_question import QuorumQuestion
from metaquorum.client.quorum_view import QuorumView
from metaquorum.client.security import PLAIN, Security
from metaquorum.client.snapshot_question import LatestSnapshot, SnapshotQuestion
from metaquorum.config.listeners import HostPort

CLIENT_ID: Final = "metaquorum-backup"


@define
class QuorumSource:
    """``timeout_ms`` is how long the quorum may be without a leader.

    ``open``, ``open_reader`` and ``question`` (options of the questions) are those of tests.
    """

    bootstrap: Sequence[HostPort]
    timeout_ms: int
    security: Security = PLAIN
    notice: Callable[[str], None] = lambda text: None
    open_reader: Callable[..., MetadataLogReader] = MetadataLogReader
    open: Callable[..., Connection] = field()
    question: dict[str, Any] = field(factory=dict)

    @open.default
    def _secured(self) -> Callable[..., Connection]:
        return self.security.open

    def view(self) -> QuorumView:
        """The quorum as its leader describes it; OperatorError says why nobody did."""
        return QuorumQuestion(*self._asked(), **self.question).answer()

    def latest_snapshot(self, epoch: Epoch) -> LatestSnapshot | None:
        """Of the leader of this epoch, None where it has none; OperatorError: nobody said."""
        return SnapshotQuestion(*self._asked(), **self.question).latest(epoch)

    def reader(self, start: Offset, start_epoch: Epoch | None) -> MetadataLogReader:
        """A reader up to the high watermark; it says SnapshottedAway where ``start`` is gone."""
        return self._open(self._addresses, start=start, start_epoch=start_epoch, bridge=False)

    def snapshot(self, snapshot: OffsetAndEpoch) -> Iterator[FetchedBatch]:
        """Its batches, once it is downloaded; raises SnapshotGone."""
        return snapshot_batches(
            self._addresses, snapshot, timeout_ms=self.timeout_ms, open=self._open
        )

    def _open(self, bootstrap: Any, **options: Any) -> MetadataLogReader:
        options.setdefault("timeout_ms", self.timeout_ms)
        return self.open_reader(
            bootstrap, security=self.security, notice=self.notice, impatient=True, **options
        )

    @property
    def _addresses(self) -> list[tuple[str, int]]:
        return [(place.host, place.port) for place in self.bootstrap]

    def _asked(self) -> tuple[Any, ...]:
        """What questions are made of. A server that hangs leaves time for the others."""
        share_ms = max(1, self.timeout_ms // (len(self.bootstrap) + 1))
        return self.bootstrap, CONTROLLERS, self.timeout_ms, CLIENT_ID, share_ms, self.open
