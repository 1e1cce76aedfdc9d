"""The answers for consumers that stand at one place of the log, made once for all of them.

When something is committed, hundreds who tail the log ask for the same records in the same way. The
plan of the first one is every other's too, and so are the rows of its answer, as the same objects:
the encoder of answers knows them by that.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING

from attrs import define, field

from metaquorum.base.limits import SHARED_FETCH_ANSWERS
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.fetch.plan import FetchPlan, Leadership, LogReader
from metaquorum.fetch.session import PartitionKey

if TYPE_CHECKING:  # a node without consumers does not load the codec
    from metaquorum.wire.generated.fetch_response import FetchableTopicResponse


def moment_of(log: LogReader, leadership: Leadership) -> Hashable:
    """While this is equal, so is every plan: below the watermark nothing ever changes."""
    leads = leadership.is_leader
    return log.high_watermark, log.start_offset, leadership.epoch, leads, leadership.is_follower


def question(
    key: PartitionKey,
    offset: Offset,
    leader_epoch: Epoch,
    partition_bytes: int,
    limit_bytes: int,
    min_bytes: int,
    leader_only: bool,
) -> Hashable:
    """All that the answer to a fetch of one partition depends on, besides the moment."""
    return *key, offset, leader_epoch, partition_bytes, limit_bytes, min_bytes, leader_only


@define(eq=False)
class SharedFetch:
    """A plan and, once it was answered, the rows that every answer with all rows shares."""

    plan: FetchPlan
    topics: Sequence[FetchableTopicResponse] = ()


@define(eq=False)
class SharedFetches:
    """By what was asked (``question``), at one moment: ends of the log, and who leads."""

    _moment: Hashable = None
    _shared: dict[Hashable, SharedFetch] = field(factory=dict)

    def __len__(self) -> int:
        return len(self._shared)

    def known(self, moment: Hashable, asked: Hashable) -> SharedFetch | None:
        """The answer to an earlier fetch that asked so, if there was one."""
        return self._shared.get(asked) if moment == self._moment else None

    def find(self, moment: Hashable, asked: Hashable, plan: Callable[[], FetchPlan]) -> SharedFetch:
        """The answer to a fetch that asks so now; ``plan`` is called if there was none before."""
        if moment != self._moment:
            self._moment = moment
            self._shared.clear()
        shared = self._shared.get(asked)
        if shared is None:
            shared = SharedFetch(plan())
            if len(self._shared) < SHARED_FETCH_ANSWERS:
                self._shared[asked] = shared
        return shared
