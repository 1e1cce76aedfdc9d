"""Which voters a leader can commit without, and when those are told of records (decision 189).

Of three voters a majority is two, so one besides the leader is enough. The third, told at the same
moment, only takes processors and disks from the two that are waited for; told of several batches
together, it costs less and nobody notices. Paxos that asks no more than a majority is called
thrifty; where followers ask the leader, it is an answer that waits a little.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define

from metaquorum.base.clock import Millis
from metaquorum.base.ids import NodeId
from metaquorum.base.limits import SPARE_VOTER_LATEST_MS, SPARE_VOTER_MS
from metaquorum.base.offsets import Offset


@define(eq=False)
class Spares:
    """Every voter that is not ``needed`` is a spare; while nobody is needed, there are none.

    Needed are the first who, with the leader, held what was committed. Spares are told of records
    in rounds. One begins with records that come ``SPARE_VOTER_MS`` or more after the last began:
    then all are told together, and who is slower than a spare is needed no more. For the rest of
    the round a spare that holds what there was when it began waits, for the first records after
    it, but no longer than to ``waits_to``: a commit waits no longer than that for a voter that
    fell silent. A spare that lacks more, as one that comes back, is told at once until it does not.
    """

    needed: tuple[NodeId, ...] = ()
    _began_ms: Millis = -SPARE_VOTER_MS
    _began_offset: Offset = 0

    def note_commit(self, holders: Sequence[NodeId], count: int) -> None:
        """The leader commits with ``count`` others; of all voters these ``holders`` have it now."""
        needed = self.needed
        if len(needed) != count or not all(one in holders for one in needed):
            self.needed = tuple(holders[:count])

    def note_none(self) -> None:
        """The leader commits with all others, or with none, or that is not known."""
        self.needed = ()

    def can_wait(self, voter: NodeId, offset: Offset, now: Millis) -> bool:
        """Whether this voter, that asks for the records from ``offset`` on, gets them later."""
        needed = self.needed
        return (
            bool(needed)
            and voter not in needed
            and now < self._began_ms + SPARE_VOTER_MS
            and offset >= self._began_offset
        )

    @property
    def waits_to(self) -> Millis:
        """When a spare that waits is told, whether there is anything newer or not."""
        return self._began_ms + SPARE_VOTER_LATEST_MS

    def note_told(self, voter: NodeId, log_end: Offset, now: Millis) -> None:
        """This voter is told of records now, which end at ``log_end`` or before."""
        if voter not in self.needed and now >= self._began_ms + SPARE_VOTER_MS:
            self._began_ms, self._began_offset = now, log_end

    def fork(self) -> Spares:
        """A copy for the explorer."""
        return Spares(self.needed, self._began_ms, self._began_offset)

    def value(self) -> tuple[object, ...]:
        """These as a hashable value; a time has no place in it."""
        return (self.needed, self._began_offset)
