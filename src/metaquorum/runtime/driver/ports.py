"""What a driver carries effects out with, and who is called when something happens in it."""

from __future__ import annotations

from collections.abc import Callable

from attrs import field, frozen

from metaquorum.base.offsets import LeaderAndEpoch, Offset
from metaquorum.quorum.effects import Complaint, RoleChanged, Send
from metaquorum.quorum.retention import Measured
from metaquorum.quorum.types import SnapshotId
from metaquorum.runtime.disk.log_lane import LogLane


@frozen
class Ports:
    """Made for one driver while it is constructed, as all of these report back to it.

    ``settle_install`` is called when the disk has taken a downloaded snapshot, or refused it.
    ``apply_inline`` applies what is committed, or returns False where a task has to.
    """

    lane: LogLane
    send: Callable[[Send], None]
    settle_install: Callable[[SnapshotId], None]
    measure_log: Callable[[], Measured]
    apply_inline: Callable[[], bool]


@frozen
class Listeners:
    """Callbacks; any list may be empty, and is called in order.

    ``replayed``: so many bytes, up to an offset, became part of the state. ``state_moved``: the
    committed state is another. ``cut``: the file is about to lose what is at an offset and above.
    ``failed``: work that nobody waits for raised this.
    """

    leader: list[Callable[[LeaderAndEpoch], None]] = field(factory=list)
    notice: list[Callable[[RoleChanged | Complaint], None]] = field(factory=list)
    replayed: list[Callable[[Offset, int], None]] = field(factory=list)
    state_moved: list[Callable[[], None]] = field(factory=list)
    cut: list[Callable[[Offset], None]] = field(factory=list)
    failed: list[Callable[[Exception], None]] = field(factory=list)
