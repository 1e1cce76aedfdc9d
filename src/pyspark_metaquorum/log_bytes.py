"""Batches out of a part of a log or checkpoint file, with what is wrong named by its place.

A batch whose bytes are rotten is passed over and said; where the header itself cannot be one
there is no way on, and that is said too. Zeros at the end are room that was reserved, no fault,
and so are those behind the mark that says so (``storage.room``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from attrs import frozen

from metaquorum.base.limits import MAX_FRAME_BYTES
from metaquorum.records.batch import BATCH_OVERHEAD_BYTES, BatchHeader, check, read_header
from metaquorum.records.errors import BatchError, TruncatedBatch
from metaquorum.storage.room import Read, is_room, only_zeros

WINDOW_BYTES: Final = 8_388_608


@frozen
class Fault:
    """Bytes that are no batch: where, and why. ``header`` is there if that much can be read."""

    position: int
    why: str
    header: BatchHeader | None = None


@frozen
class PlacedBatch:
    """A whole batch with a right checksum, and where in the file it begins."""

    position: int
    header: BatchHeader
    data: memoryview


def batches_between(
    read: Read, start: int, end: int, size_bytes: int, *, window_bytes: int = WINDOW_BYTES
) -> Iterator[PlacedBatch | Fault]:
    """The batches that begin from ``start`` up to ``end`` of a file with ``size_bytes``.

    ``read(position, count)`` gives bytes of the file. After a Fault without a header nothing
    follows.
    """
    position = start
    base, window = start, memoryview(b"")
    while position < end:
        at = position - base
        if len(window) - at < BATCH_OVERHEAD_BYTES and base + len(window) < size_bytes:
            base, window = (
                position,
                memoryview(read(position, max(window_bytes, BATCH_OVERHEAD_BYTES))),
            )
            at = 0
        try:
            header = read_header(window, at)
            if header.size_bytes > MAX_FRAME_BYTES:
                yield Fault(position, f"a batch of {header.size_bytes} bytes cannot be one")
                return
        except BatchError as error:
            rest = window[at:]
            if not any(rest) and isinstance(error, TruncatedBatch):
                return
            if not any(rest[:BATCH_OVERHEAD_BYTES]) and only_zeros(read, position, size_bytes):
                return
            if is_room(read, position, size_bytes):
                return
            yield Fault(position, error.reason)
            return
        size = header.size_bytes
        if at + size > len(window) and base + len(window) < size_bytes:
            base, window = position, memoryview(read(position, max(size, window_bytes)))
            at = 0
        try:
            check(window, at)
        except TruncatedBatch:
            left = size_bytes - position
            yield Fault(position, f"cut off: a batch of {size} bytes, {left} are left")
            return
        except BatchError as error:
            yield Fault(position, error.reason, header)
        else:
            yield PlacedBatch(position, header, window[at : at + size])
        position += size
