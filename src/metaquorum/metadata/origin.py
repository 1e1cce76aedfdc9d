"""Where an entry of the metadata state comes from: the record that set it last."""

from __future__ import annotations

from typing import Final

from attrs import define

from metaquorum.base.offsets import NO_EPOCH, NO_OFFSET, Epoch, Offset


@define(weakref_slot=False)
class Origin:
    """The place of one record, never edited; all entries of a snapshot share one.

    ``timestamp_ms`` is when the record's batch was appended, since 1970. What was loaded from a
    snapshot carries no place of its own: ``offset`` is then the last one that the snapshot
    contains, and the entry is at least as old. Not frozen: one is made for every record, and
    freezing would cost four times as much.
    """

    offset: Offset
    epoch: Epoch
    timestamp_ms: int
    from_snapshot: bool = False


NO_ORIGIN: Final = Origin(NO_OFFSET, NO_EPOCH, -1)
