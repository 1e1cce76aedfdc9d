"""Leader: appends, counts what replicas have fetched, moves the high watermark (KIP-595)."""

from __future__ import annotations

from typing import ClassVar

from attrs import evolve, field

from metaquorum.base.clock import Millis
from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import Offset
from metaquorum.base.value import value
from metaquorum.quorum.progress import Progress
from metaquorum.quorum.types import RequestId, Voter


@value
class VoterChange:
    """The one change of voters, or upgrade of kraft.version, under way (KIP-853).

    ``request_id`` is whom to answer, None once that is done. An addition begins without
    ``offset``, while ``voter`` is asked for its versions; ``offset`` is that of its record.
    """

    kind: str
    deadline: Millis
    request_id: RequestId | None
    voter: Voter | None = None
    offset: Offset | None = None
    ack_when_committed: bool = True


@value
class Leader:
    """``epoch_start`` is where its LeaderChange stands, ``active_from`` the end of that batch.

    ``heard`` are the voters that fetched since the check-quorum deadline was last moved, and
    ``reported`` what voters reported of themselves under kraft.version 0, which is written nowhere.
    The progress is edited in place and copied on fork.
    """

    name: ClassVar[str] = "Leader"
    epoch_start: Offset
    active_from: Offset
    check_quorum_deadline: Millis
    begin_deadline: Millis
    heard: tuple[NodeId, ...] = ()
    to_tell: tuple[NodeId, ...] = ()
    change: VoterChange | None = None
    reported: tuple[Voter, ...] = ()
    progress: Progress = field(factory=Progress, eq=False)

    def listening(
        self, heard: tuple[NodeId, ...], to_tell: tuple[NodeId, ...], check_quorum_deadline: Millis
    ) -> Leader:
        """After a voter was heard: with every fetch, so without ``evolve``."""
        return Leader(
            self.epoch_start,
            self.active_from,
            check_quorum_deadline,
            self.begin_deadline,
            heard,
            to_tell,
            self.change,
            self.reported,
            self.progress,
        )

    def fork(self) -> Leader:
        """With a progress of its own."""
        return evolve(self, progress=self.progress.fork())
