"""What a consumer's Fetch gets: for each partition a read plan or an error, and what to wait for.

Pure: the log is asked through ``LogReader`` for plans (file, position, length), never for bytes,
and only below the high watermark. Rules, with their sources:

- The leader epoch that the consumer names is checked first (KIP-320): older than ours
  FENCED_LEADER_EPOCH, newer UNKNOWN_LEADER_EPOCH, absent no check. Then leadership.
- Consumers read from the leader, and from a leader only once it knows its high watermark: what
  they are given never goes back. Those whose version lets them choose a replica (KIP-392, from 11
  on) may read from any node that follows a leader, below its own high watermark.
- Below the log start or above the log end: OFFSET_OUT_OF_RANGE from a leader. A follower may only
  be behind, or have cut off more: it says NOT_LEADER_OR_FOLLOWER, and the leader decides. Between
  high watermark and log end: nothing yet, which is what a consumer sees that outran an unclean
  answer; it must not be sent back to the start for that. Snapshots are not shown to consumers
  (KIP-630 is for replicas).
- The first batch of an answer is whole however small the limits are (KIP-74); after it both the
  partition's limit and what is left of the answer's limit hold, in the order of the request.
- An error ends the wait for more records, for the whole answer: records that are there leave at
  once. An answer of errors alone may be held, which is not for this module to say; see
  ``FetchPlan.has_only_errors``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from attrs import define, frozen

from metaquorum.base.offsets import (
    NO_EPOCH,
    NO_OFFSET,
    UNREACHABLE_OFFSET,
    Epoch,
    Offset,
    OffsetAndEpoch,
)
from metaquorum.wire.generated import error_codes
from metaquorum.wire.slices import FileSlice


class ReadPlan(Protocol):
    """Whole batches of the log, unread: where they lie and how many bytes they are."""

    @property
    def slices(self) -> Sequence[bytes | memoryview | FileSlice]:
        """The pieces in order; empty when there is nothing to read."""

    @property
    def size_bytes(self) -> int:
        """The sum of their lengths."""

    @property
    def next_offset(self) -> Offset:
        """The offset after the last batch in it."""


class LogReader(Protocol):
    """The log as its readers see it. Nothing here waits for a disk that is not in the cache."""

    @property
    def start_offset(self) -> Offset:
        """The first offset that is still there."""

    @property
    def high_watermark(self) -> Offset:
        """The first offset that is not committed; -1 while this node does not know it."""

    @property
    def end_offset(self) -> Offset:
        """The offset that the next record will get."""

    def epoch_at(self, offset: Offset) -> Epoch | None:
        """The epoch of the record at ``offset``; None before the epochs that are known."""

    def end_of_epoch(self, epoch: Epoch) -> OffsetAndEpoch | None:
        """The largest epoch not above ``epoch`` and its end (exclusive); None below them all."""

    def read_plan(
        self, offset: Offset, max_bytes: int, below: Offset, whole_first: bool = True
    ) -> ReadPlan:
        """Whole batches from the one that holds ``offset``, up to ``max_bytes``.

        Nothing at or above ``below``; the first batch at any size if ``whole_first``.
        """

    def offset_for_timestamp(
        self, timestamp_ms: int, below: Offset
    ) -> tuple[Offset, int, Epoch] | None:
        """The first record at or after a time: its offset, its own timestamp, its epoch."""

    def max_timestamp(self, below: Offset) -> tuple[Offset, int, Epoch] | None:
        """The first record with the largest timestamp: offset, timestamp, epoch."""


@frozen
class Leadership:
    """Whether this node leads or follows a leader that it knows, and in which epoch."""

    epoch: Epoch
    is_leader: bool
    is_follower: bool = False


@frozen
class Wish:
    """One partition of a Fetch request. ``log`` is None for a partition that is not here."""

    log: LogReader | None
    fetch_offset: Offset
    max_bytes: int
    current_leader_epoch: Epoch = NO_EPOCH
    absent_code: int = error_codes.UNKNOWN_TOPIC_OR_PARTITION


@frozen
class Portion:
    """What one partition gets: an error code, or records and the offsets that go with them."""

    code: int
    high_watermark: Offset = NO_OFFSET
    log_start_offset: Offset = NO_OFFSET
    records: ReadPlan | None = None

    @property
    def size_bytes(self) -> int:
        """Bytes of records in it."""
        return 0 if self.records is None else self.records.size_bytes


@define
class FetchPlan:
    """One portion for each wish, in order, and the watermark at which it is worth to plan anew.

    ``wait_for`` is None when the plan is to be answered as it is. ``has_only_errors`` tells of
    errors and no records, and that none of the errors is one that clients act on at once: a client
    that asks again without a pause would get the same answer, unless the watermark reaches
    ``wait_for``.
    """

    portions: list[Portion]
    size_bytes: int
    wait_for: Offset | None
    has_only_errors: bool = False

    @property
    def has_error(self) -> bool:
        """Whether any partition cannot be served."""
        return any(portion.code for portion in self.portions)


def plan_fetch(
    wishes: Sequence[Wish],
    leadership: Leadership,
    *,
    min_bytes: int,
    max_bytes: int,
    leader_only: bool = True,
) -> FetchPlan:
    """Plan one answer. What did not fit is there already, so an answer that is full waits never."""
    portions: list[Portion] = []
    size = 0
    wait_for: Offset | None = None
    has_error = is_prompt = False
    for wish in wishes:
        code = refusal_of(wish, leadership, leader_only=leader_only)
        log = wish.log
        if code or log is None:
            portions.append(Portion(code))
            has_error = True
            is_prompt = is_prompt or code == error_codes.OFFSET_OUT_OF_RANGE
            continue
        portion = _read(wish, log, max_bytes - size, whole_first=size == 0)
        portions.append(portion)
        size += portion.size_bytes
        is_prompt = is_prompt or _leaves_something(wish, portion)
        threshold = max(portion.high_watermark, wish.fetch_offset) + 1
        wait_for = threshold if wait_for is None else min(wait_for, threshold)
    if is_prompt or size >= min_bytes or (has_error and size):
        return FetchPlan(portions, size, None)
    if has_error and wait_for is None:
        wait_for = UNREACHABLE_OFFSET
    return FetchPlan(portions, size, wait_for, has_error)


def refusal_of(wish: Wish, leadership: Leadership, *, leader_only: bool = True) -> int:
    """The error code of a partition that cannot be read at the wished place; 0 if it can."""
    log = wish.log
    if log is None:
        return wish.absent_code
    code = epoch_refusal(wish.current_leader_epoch, leadership, leader_only=leader_only)
    if code:
        return code
    if log.high_watermark == NO_OFFSET:
        return error_codes.NOT_LEADER_OR_FOLLOWER
    if not log.start_offset <= wish.fetch_offset <= log.end_offset:
        if leadership.is_leader:
            return error_codes.OFFSET_OUT_OF_RANGE
        return error_codes.NOT_LEADER_OR_FOLLOWER
    return error_codes.NONE


def epoch_refusal(named_epoch: Epoch, leadership: Leadership, *, leader_only: bool = True) -> int:
    """The error code for a request that names ``named_epoch`` (KIP-320); 0 if it may be served."""
    if named_epoch != NO_EPOCH and named_epoch != leadership.epoch:
        if named_epoch < leadership.epoch:
            return error_codes.FENCED_LEADER_EPOCH
        return error_codes.UNKNOWN_LEADER_EPOCH
    if leadership.is_leader or (leadership.is_follower and not leader_only):
        return error_codes.NONE
    return error_codes.NOT_LEADER_OR_FOLLOWER


def _leaves_something(wish: Wish, portion: Portion) -> bool:
    """Whether the limits kept out what could have been read: more waiting would bring nothing."""
    records = portion.records
    reached = wish.fetch_offset
    if records is not None and records.size_bytes:
        reached = records.next_offset
    return reached < portion.high_watermark


def _read(wish: Wish, log: LogReader, left_bytes: int, *, whole_first: bool) -> Portion:
    watermark = log.high_watermark
    limit = min(wish.max_bytes, left_bytes)
    records: ReadPlan | None = None
    if wish.fetch_offset < watermark and (whole_first or limit > 0):
        records = log.read_plan(wish.fetch_offset, max(limit, 0), watermark, whole_first)
    return Portion(error_codes.NONE, watermark, log.start_offset, records)
