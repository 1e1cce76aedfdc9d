"""One fetch session (KIP-227): what a fetcher wants, and what it was last sent for each partition.

With a session a fetcher names only what it changed, and its answers list only partitions about
which there is something new. Both sides count: a request carries the epoch that the server expects
next, so that a lost or doubled message is noticed.

- What the fetcher wants of a partition is what the latest request said that names the partition.
- A partition is listed when there are records for it, when its high watermark or its log start is
  another than the one sent last, when a replica is to be preferred, when the epochs of the two logs
  diverge or a snapshot is to be fetched instead, and when it has an error: then in every answer,
  and once more when the error is over. The last stable offset alone is no reason.
- Partitions keep the order in which they were first named. Those that brought records go to the
  end, so that with small limits each has its turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.base.limits import FETCH_PARTITION_BYTES, FETCH_SESSION_BYTES
from metaquorum.base.offsets import Offset
from metaquorum.wire.generated import error_codes

if TYPE_CHECKING:  # a node without consumers does not load the codec
    from metaquorum.wire.generated.fetch_request import FetchPartition, ForgottenTopic
    from metaquorum.wire.generated.fetch_response import PartitionData

NO_SESSION: Final = 0
"""The id that says that there is none."""
INITIAL_EPOCH: Final = 0
"""The epoch of a full request whose sender would like a session."""
FINAL_EPOCH: Final = -1
"""The epoch of a full request whose sender wants none, or no longer."""
FIRST_EPOCH: Final = 1
"""What a new session expects next."""
LAST_EPOCH: Final = (1 << 31) - 1
LAST_SESSION_ID: Final = (1 << 31) - 1

_NO_OFFSET: Final = -1
_NO_REPLICA: Final = -1

PartitionKey = tuple[str, bytes, int]
"""Topic name (to version 12), topic id (from 13), index."""


def next_epoch(epoch: int) -> int:
    """The epoch after ``epoch``: after the largest comes 1, and a final one stays what it is."""
    if epoch < 0:
        return FINAL_EPOCH
    return FIRST_EPOCH if epoch == LAST_EPOCH else epoch + 1


@define(eq=False)
class CachedPartition:
    """One partition of a request: what is wanted of it, and what was sent for it last.

    ``high_watermark`` is None while nothing was sent, or an error: whatever comes next is news.
    """

    topic: str
    topic_id: bytes
    wanted: FetchPartition
    high_watermark: Offset | None = None
    log_start_offset: Offset = _NO_OFFSET

    @property
    def key(self) -> PartitionKey:
        """What tells it from the others."""
        return self.topic, self.topic_id, self.wanted.partition

    @property
    def cost_bytes(self) -> int:
        """What a session is charged for keeping it; a letter takes up to four bytes in memory."""
        letter_bytes = 1 if self.topic.isascii() else 4
        return FETCH_PARTITION_BYTES + letter_bytes * len(self.topic)

    def is_news(self, row: PartitionData) -> bool:
        """Whether an answer within a session has to list ``row``."""
        return (
            bool(row.records)
            or row.error_code != error_codes.NONE
            or row.high_watermark != self.high_watermark
            or row.log_start_offset != self.log_start_offset
            or row.preferred_read_replica != _NO_REPLICA
            or row.diverging_epoch.end_offset != _NO_OFFSET
            or row.snapshot_id.end_offset != _NO_OFFSET
        )

    def answered(self, row: PartitionData) -> None:
        """``row`` is what the fetcher is sent for it now."""
        self.log_start_offset = row.log_start_offset
        self.high_watermark = row.high_watermark if row.error_code == error_codes.NONE else None


@define(eq=False)
class FetchSession:
    """A session: ``epoch`` is the one that its next request has to carry.

    ``is_privileged`` if a replica opened it. ``uses_topic_ids`` tells which family of versions it
    belongs to: below 13 topics have names, from 13 on ids, and neither follows from the other.
    """

    id: int
    is_privileged: bool
    uses_topic_ids: bool
    created_at_ms: Millis
    used_at_ms: Millis
    epoch: int = FIRST_EPOCH
    cost_bytes: int = FETCH_SESSION_BYTES
    _partitions: dict[PartitionKey, CachedPartition] = field(factory=dict)

    def __len__(self) -> int:
        return len(self._partitions)

    @property
    def partitions(self) -> list[CachedPartition]:
        """All of them, in the order in which they are read."""
        return list(self._partitions.values())

    def find(self, topic: str, topic_id: bytes, index: int) -> CachedPartition | None:
        """The partition of that name or id, if it is in the session."""
        return self._partitions.get((topic, topic_id, index))

    def add(self, partition: CachedPartition) -> None:
        """One more, at the end; one that is there already keeps its place and its last answer."""
        known = self._partitions.get(partition.key)
        if known is not None:
            known.wanted = partition.wanted
            return
        self._partitions[partition.key] = partition
        self.cost_bytes += partition.cost_bytes

    def forget(self, topics: Sequence[ForgottenTopic]) -> None:
        """Drop the partitions named, those that were never there included."""
        for topic in topics:
            topic_id = bytes(topic.topic_id)
            for index in topic.partitions:
                dropped = self._partitions.pop((topic.topic, topic_id, index), None)
                if dropped is not None:
                    self.cost_bytes -= dropped.cost_bytes

    def brought_records(self, partition: CachedPartition) -> None:
        """It had its turn: the others come first now."""
        key = partition.key
        if self._partitions.pop(key, None) is not None:
            self._partitions[key] = partition
