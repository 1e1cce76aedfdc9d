"""A plan of recovery: the history to go on with, its new voters, and what is lost by it at most."""

from __future__ import annotations

from attrs import frozen

from metaquorum.base.clock import Millis
from metaquorum.base.ids import ClusterId, NodeId, Uuid
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.quorum.types import Voter
from metaquorum.recover.history import History
from metaquorum.recover.survey import Change, Committed
from metaquorum.storage.quorum_state import ElectionStateData


@frozen
class Source:
    """A directory that was surveyed, by its number in the plan."""

    name: str
    directory: str
    node_id: NodeId | None
    fingerprint: str
    taken_ms: Millis


@frozen
class Loss:
    """What is lost at most.

    ``from_offset`` is None where every record that was acknowledged is kept. Else every one below
    it is kept; from it on acknowledged records may be missing, and those that are there, which
    ``beyond`` tells in words, may never have been acknowledged. ``beyond_listed_from`` is the
    offset from which on all of them are told.
    """

    from_offset: Offset | None
    why: str
    proof: Committed
    beyond: tuple[Change, ...] = ()
    beyond_listed_from: Offset = 0


@frozen
class Other:
    """A replica whose log is not the one that is gone on with.

    Its records from ``parts_at`` up to ``end`` are dropped, ``dropped`` tells what they changed,
    from ``dropped_listed_from`` on. ``instead`` is what the history has from ``parts_at`` on.
    """

    source: int
    is_voter: bool
    parts_at: Offset
    end: Offset
    dropped: tuple[Change, ...] = ()
    dropped_listed_from: Offset = 0
    instead: tuple[Change, ...] = ()

    @property
    def differs(self) -> bool:
        """Whether it has records that the history does not have."""
        return self.end > self.parts_at


@frozen
class NodePlan:
    """What the directory of one new voter is to be.

    ``source`` is the survey of that very disk, if there is one; ``history`` what is written, and
    ``appends`` whether the records of the fresh epoch follow it. ``election`` is its quorum-state.
    """

    node_id: NodeId
    directory_id: Uuid
    source: int | None
    history: History
    appends: bool
    election: ElectionStateData

    @property
    def needs(self) -> tuple[int, ...]:
        """The numbers of the sources whose files are read."""
        used = {one.survey for one in self.history.pieces}
        if self.history.base is not None:
            used.add(self.history.base.survey)
        return tuple(sorted(used))


@frozen(kw_only=True)
class Plan:
    """All that ``apply`` needs to know, and all that an operator has to be told."""

    plan_id: str
    created_ms: Millis
    cluster_id: ClusterId
    kraft_version: int
    epoch: Epoch
    leader_id: NodeId
    last_voters: tuple[Voter, ...]
    voters: tuple[Voter, ...]
    steps: tuple[tuple[Voter, ...], ...]
    """Voter sets to be written one after the other: a record may add one and remove one voter."""
    sources: tuple[Source, ...]
    history: History
    loss: Loss
    counted: tuple[NodeId, ...]
    """The last voters whose disks count: there, theirs, and known to show all that they held."""
    others: tuple[Other, ...]
    nodes: tuple[NodePlan, ...]
    notes: tuple[str, ...] = ()

    def node(self, node_id: NodeId) -> NodePlan | None:
        """The part of one node; None where it is no new voter."""
        return next((one for one in self.nodes if one.node_id == node_id), None)
