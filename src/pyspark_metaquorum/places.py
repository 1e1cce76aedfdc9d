"""Where the records of usual batches lie: found by their lengths, and checked all at once.

A usual record is what controllers write: no key, no headers, the time of its batch, the next
offset. What is not usual is read record by record (``metaquorum.records.reader``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa
from attrs import define, field, frozen

from metaquorum.base.clock import Millis
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.records.batch import BatchHeader
from metaquorum.records.errors import BatchError
from metaquorum.records.reader import records_body

PADDING_BYTES: Final = 512  # so many may be looked at behind the last value, and count for nothing
_MOST_OFFSET: Final = (1 << 63) - 1
_MOST_RECORDS: Final = 8192  # beyond, offset deltas have more than two bytes


@frozen(eq=False)
class Values:
    """Many values in one buffer, which has ``PADDING_BYTES`` more; an entry each in the arrays.

    ``batch`` says which of some batches a value is of.
    """

    data: bytes
    starts: Any
    ends: Any
    offsets: Any
    timestamps_ms: Any
    batch: Any

    @property
    def seen(self) -> Any:
        """The buffer as an array of bytes."""
        return np.frombuffer(self.data, np.uint8)

    def fronts(self) -> Any:
        """The first three bytes of each as one number; -1 where a value is shorter."""
        seen, at = self.seen, self.starts
        found = seen[at].astype(np.int32) << 16
        found |= seen[at + 1].astype(np.int32) << 8
        found |= seen[at + 2]
        found[self.ends - at < 3] = -1
        return found

    def __len__(self) -> int:
        return len(self.starts)

    def chosen(self, which: Any) -> Values:
        """Only some of them: a mask, or their numbers."""
        arrays = self.starts, self.ends, self.offsets, self.timestamps_ms, self.batch
        return Values(self.data, *(one[which] for one in arrays))

    def each(self) -> Iterator[bytes]:
        """The values themselves."""
        data = self.data
        for start, end in zip(self.starts.tolist(), self.ends.tolist()):
            yield data[start:end]


@frozen(eq=False)
class WaitingBatch:
    """A batch of metadata records, its records unpacked, and where each begins in them."""

    header: BatchHeader
    data: bytes | memoryview
    snapshot: OffsetAndEpoch | None
    body: bytes
    starts: list[int]

    @property
    def timestamp_ms(self) -> Millis:
        """Of all its records, if they are usual ones."""
        header = self.header
        return header.max_timestamp_ms if header.timestamp_type else header.base_timestamp_ms


@define(eq=False)
class WaitingBatches:
    """Batches that are to be read together."""

    batches: list[WaitingBatch] = field(factory=list)
    records: int = 0

    def add(
        self, header: BatchHeader, data: bytes | memoryview, snapshot: OffsetAndEpoch | None
    ) -> bool:
        """Take in one more batch; False if its lengths or offsets are not the usual ones."""
        count = header.record_count
        if count > _MOST_RECORDS or not 0 <= header.base_offset <= _MOST_OFFSET - _MOST_RECORDS:
            return False
        try:
            body = records_body(data, header)
        except BatchError:
            return False
        starts = record_starts(body, count)
        if starts is None:
            return False
        self.batches.append(WaitingBatch(header, data, snapshot, body, starts))
        self.records += len(starts)
        return True


def record_starts(body: bytes, count: int) -> list[int] | None:
    """Where ``count`` records begin by the lengths that they tell.

    None if these do not fill the body, or take more than two bytes.
    """
    at = 0
    found: list[int] = []
    add = found.append
    try:
        for _ in range(count):
            add(at)
            size = body[at]
            if size < 0x80:
                at += (size >> 1) + 1
            else:
                high = body[at + 1]
                if high >= 0x80:
                    return None
                at += (high << 6) + (size >> 1) - 62  # 64 for the size's top bit, two bytes
    except IndexError:
        return None
    return found if at == len(body) else None


def values_in(values: Any, offsets: Any, timestamps_ms: Any) -> Values:
    """The values of an Arrow array; a null is an empty one."""
    values = values.cast(pa.binary()).fill_null(b"")
    count = len(values)
    _, places, data = values.buffers()
    edges: Any = np.zeros(1, np.int64)
    if count:
        edges = np.frombuffer(places, np.int32)[values.offset :][: count + 1].astype(np.int64)
    return Values(
        b"".join([b"" if data is None else data, bytes(PADDING_BYTES)]),
        edges[:-1],
        edges[1:],
        offsets.cast(pa.int64()).to_numpy(),
        timestamps_ms.cast(pa.int64()).to_numpy(),
        np.zeros(count, np.int64),
    )


def values_of(batches: Sequence[WaitingBatch]) -> tuple[Values, Any]:
    """The values of all records, and which batches have a record that is not a usual one.

    The values of those batches mean nothing.
    """
    data = b"".join([*(one.body for one in batches), bytes(PADDING_BYTES)])
    sizes: Any = np.array([len(one.body) for one in batches])
    counts: Any = np.array([len(one.starts) for one in batches])
    batch: Any = np.repeat(np.arange(len(batches)), counts)
    index: Any = np.arange(len(batch)) - np.repeat(np.cumsum(counts) - counts, counts)
    starts: Any = np.array([at for one in batches for at in one.starts], np.int64)
    starts += np.repeat(np.cumsum(sizes) - sizes, counts)
    after: Any = np.append(starts[1:], len(data) - PADDING_BYTES)

    seen: Any = np.frombuffer(data, np.uint8)
    size = seen[starts]
    at = starts + 2 + (size >= 0x80)  # behind the length and the attributes
    usual = (size & 1 == 0) & (seen[at] == 0)  # no time delta
    delta = index << 1
    is_long = index >= 64
    usual &= seen[at + 1] == np.where(is_long, delta & 0x7F | 0x80, delta)
    usual &= ~is_long | (seen[at + 2] == delta >> 7)
    at += 2 + is_long
    usual &= seen[at] == 1  # a null key
    low, high = seen[at + 1].astype(np.int64), seen[at + 2].astype(np.int64)
    is_long = low >= 0x80
    usual &= (low & 1 == 0) & ~(is_long & (high >= 0x80))
    at += 2 + is_long
    ends = at + (np.where(is_long, low - 0x80 + (high << 7), low) >> 1)
    usual &= (ends == after - 1) & (seen[after - 1] == 0)  # no headers

    bases: Any = np.array([one.header.base_offset for one in batches], np.int64)
    stamps: Any = np.array([one.timestamp_ms for one in batches], np.int64)
    values = Values(data, at, ends, bases[batch] + index, stamps[batch], batch)
    return values, np.unique(batch[~usual])
