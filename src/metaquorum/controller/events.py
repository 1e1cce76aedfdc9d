"""What can happen to a controller. The host sends these in the order in which they happened."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.base.value import value

if TYPE_CHECKING:
    from metaquorum.controller.commands import Command
    from metaquorum.metadata.state import MetadataState
    from metaquorum.records.metadata_record import MetadataRecord

CommandId = Hashable
"""Chosen by the host, given back in the reply."""


@value
class BatchCommitted:
    """A committed batch, at start and while another node leads; offsets follow each other."""

    base_offset: Offset
    epoch: Epoch
    timestamp_ms: int
    records: tuple[MetadataRecord, ...]
    is_batch_end: bool = True


@value
class SnapshotLoaded:
    """A snapshot's state, made aside and whole, takes the place of everything replayed so far."""

    state: MetadataState


@value
class BecameActive:
    """This node leads, and everything up to its LeaderChange record is committed and was fed."""

    epoch: Epoch
    log_end: Offset


@value
class BecameInactive:
    """This node leads no more; ``leader_id`` is None while nobody is known to."""

    epoch: Epoch
    leader_id: NodeId | None


@value
class CommandArrived:
    """Somebody asks for a change; the reply is owed by ``deadline_ms`` (on the step's clock)."""

    id: CommandId
    command: Command
    deadline_ms: Millis = NEVER


@value
class BatchEnded:
    """The batch that the last records were placed in takes no more."""


@value
class HighWatermark:
    """Everything below ``offset`` is committed; while this node leads."""

    offset: Offset


@value
class TimePassed:
    """The deadline may have come."""


Event = (
    BatchCommitted
    | SnapshotLoaded
    | BecameActive
    | BecameInactive
    | CommandArrived
    | BatchEnded
    | HighWatermark
    | TimePassed
)
