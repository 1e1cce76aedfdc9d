"""What one member of a KIP-848 group has, on its way to what it is to have.

A member first gives up what is not its own any more; when it has said so, it goes on to the new
epoch and gets what is free. What another member still holds follows once that one has let it go.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum

from metaquorum.base.value import value
from metaquorum.groups.assignors import TopicPartition

Partitions = frozenset[TopicPartition]
NOTHING: Partitions = frozenset()


class Progress(IntEnum):
    """How far a member is; the numbers are those of the log."""

    STABLE = 0
    UNREVOKED = 1
    UNRELEASED = 2


@value
class Holding:
    """What a member has: ``revoking`` it has yet to give up."""

    epoch: int = 0
    previous_epoch: int = 0
    progress: Progress = Progress.STABLE
    assigned: Partitions = NOTHING
    revoking: Partitions = NOTHING


def reconcile(
    holding: Holding,
    target: Partitions,
    target_epoch: int,
    owned: Partitions | None,
    is_taken: Callable[[TopicPartition], bool],
) -> Holding:
    """The next step; ``owned`` is what the member says that it has, None if it does not say."""
    if holding.progress is Progress.STABLE and holding.epoch == target_epoch:
        return holding
    if holding.progress is Progress.UNREVOKED and (owned is None or owned & holding.revoking):
        return holding
    kept = holding.assigned & target
    revoking = holding.assigned - target
    free = frozenset(one for one in target - kept if not is_taken(one))
    if revoking and (owned is None or owned & revoking):
        return Holding(holding.epoch, holding.previous_epoch, Progress.UNREVOKED, kept, revoking)
    is_whole = kept | free == target
    return Holding(
        target_epoch,
        holding.epoch,
        Progress.STABLE if is_whole else Progress.UNRELEASED,
        kept | free,
    )
