"""Metadata transactions: one logical change over several batches (KIP-868).

Begin opens a mark, End lets go of it, Abort goes back to it. Until End, nothing of what came
after Begin belongs to the committed state.
"""

from __future__ import annotations

from attrs import define, frozen

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.offsets import Offset
from metaquorum.metadata.timeline import Mark, Marks


@frozen
class OpenTransaction:
    """A transaction that was begun and neither ended nor aborted."""

    begin_offset: Offset
    name: str | None
    mark: Mark


@define
class Transactions:
    """At most one open transaction, and its mark."""

    marks: Marks
    open: OpenTransaction | None = None

    def begin(self, offset: Offset, name: str | None) -> OpenTransaction:
        """Remember the state before the BeginTransaction record at ``offset``."""
        if self.open is not None:
            raise InvariantViolated(
                f"the metadata log begins a transaction at offset {offset}, "
                f"but the one from offset {self.open.begin_offset} is still open"
            )
        self.open = OpenTransaction(offset, name, self.marks.open(offset))
        return self.open

    def end(self, offset: Offset) -> OpenTransaction:
        """Keep what the transaction wrote; the EndTransaction record is at ``offset``."""
        ended = self._close(offset, "ends")
        self.marks.release(ended.mark)
        return ended

    def abort(self, offset: Offset) -> OpenTransaction:
        """Take back what the transaction wrote; the AbortTransaction record is at ``offset``."""
        aborted = self._close(offset, "aborts")
        self.marks.revert(aborted.mark)
        self.marks.release(aborted.mark)
        return aborted

    def forget(self) -> None:
        """The state went back to before the transaction: its mark is gone already."""
        self.open = None

    def _close(self, offset: Offset, verb: str) -> OpenTransaction:
        closed = self.open
        if closed is None:
            raise InvariantViolated(
                f"the metadata log {verb} a transaction at offset {offset}, but none is open"
            )
        self.open = None
        return closed
