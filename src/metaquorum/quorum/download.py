"""A snapshot on its way here, part by part (KIP-630)."""

from __future__ import annotations

from attrs import evolve

from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import Epoch
from metaquorum.base.value import value
from metaquorum.quorum.types import SnapshotId


@value
class Download:
    """Whose snapshot is fetched, and how much of its file is here already.

    Files of one id are equal in state and not in bytes, so a part belongs to one leader in one
    epoch: with the same one it goes on after a lost connection, with any other it begins anew.
    ``size_bytes`` is the whole file's, None before the first part. ``installing``: all of it is
    here, and the disk has been asked to put it in the place of the log.
    """

    leader_id: NodeId
    epoch: Epoch
    id: SnapshotId
    position: int = 0
    size_bytes: int | None = None
    installing: bool = False

    def is_from(self, leader_id: NodeId, epoch: Epoch) -> bool:
        """Whether the rest can come from this leader in this epoch."""
        return (self.leader_id, self.epoch) == (leader_id, epoch)

    def with_part(self, part_bytes: int, size_bytes: int) -> Download:
        """This download after one more part; installing when it was the last one."""
        position = self.position + part_bytes
        return evolve(
            self, position=position, size_bytes=size_bytes, installing=position == size_bytes
        )
