"""Batches out of a part of a log or checkpoint file, with what is wrong named by its place.

A batch whose bytes are rotten is passed over and said; where the header itself cannot be one
there is no way on, and that is said too. Zeros at the end are space that was preallocated, no
fault, and so are those behind the mark that says so (``storage.preallocation``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from attrs import define, frozen

from metaquorum.base.limits import MAX_FRAME_BYTES
from metaquorum.records.batch import BATCH_OVERHEAD_BYTES, BatchHeader, check, read_header
from metaquorum.records.errors import BatchError, TruncatedBatch
from metaquorum.storage.preallocation import LOOKS, Read, is_unfinished, only_zeros

WINDOW_BYTES: Final = 8_388_608
_NOTHING: Final = memoryview(b"")


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


@define
class _Window:
    """The part of a file that is held, which follows the place that is looked at."""

    read: Read
    size_bytes: int
    window_bytes: int
    _base: int = 0
    _held: memoryview = _NOTHING

    def seen_from(self, position: int, least_bytes: int) -> memoryview:
        """What is there from ``position`` on, so many bytes or more unless the file ends."""
        at = position - self._base
        if len(self._held) - at < least_bytes and self._base + len(self._held) < self.size_bytes:
            self._held = memoryview(self.read(position, max(least_bytes, self.window_bytes)))
            self._base, at = position, 0
        return self._held[at:]

    def forget(self) -> None:
        """Read anew what is looked at next."""
        self._base, self._held = 0, _NOTHING


def batches_between(
    read: Read, start: int, end: int, size_bytes: int, *, window_bytes: int = WINDOW_BYTES
) -> Iterator[PlacedBatch | Fault]:
    """The batches that begin from ``start`` up to ``end`` of a file with ``size_bytes``.

    ``read(position, count)`` gives bytes of the file, which may be written meanwhile. After a
    Fault without a header nothing follows.
    """
    position, looks = start, 0
    window = _Window(read, size_bytes, window_bytes)
    while position < end:
        found = _found(window, position)
        if isinstance(found, Fault):
            if found.header is None and _is_the_end(read, position, size_bytes):
                return
            looks += 1
            if looks < LOOKS:
                window.forget()
                continue
        yield found
        if found.header is None:
            return
        position, looks = position + found.header.size_bytes, 0


def _found(window: _Window, position: int) -> PlacedBatch | Fault:
    header: BatchHeader | None = None
    try:
        header = read_header(window.seen_from(position, BATCH_OVERHEAD_BYTES))
        size = header.size_bytes
        if size > MAX_FRAME_BYTES:
            return Fault(position, f"a batch of {size} bytes cannot be one")
        data = window.seen_from(position, size)
        check(data)
    except TruncatedBatch as error:
        if header is None:
            return Fault(position, error.reason)
        left = window.size_bytes - position
        return Fault(position, f"cut off: a batch of {header.size_bytes} bytes, {left} are left")
    except BatchError as error:
        return Fault(position, error.reason, header)
    return PlacedBatch(position, header, data[:size])


def _is_the_end(read: Read, position: int, size_bytes: int) -> bool:
    return is_unfinished(read, position) or only_zeros(read, position, size_bytes)
