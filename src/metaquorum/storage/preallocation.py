"""The space that a growing log has behind its end, and the mark that tells readers where it begins.

A file that already reaches beyond what is appended keeps its size, so a sync has no inode to write:
a third of the time (decision 191). A reader of the file meanwhile, or after the process was
killed, finds zeros there, and Kafka's tools stop with an error at a batch of size zero. But a batch
that says it is longer than what is left of the file is, for them and for us, a write that has not
ended: they stop there without a word. So that is what the mark says.

The first byte of its length is the one that says so, and what takes the mark's place has that byte
too until all of it is there, with the next mark behind it: nobody ever finds half a batch.

A reader beside the node that writes may find the mark, and when it looks again a batch in its
place, or the end of the file: so it looks ``LOOKS`` times before it speaks of a fault. What is not
finished then is the end of the log, and no fault: its writer may have to wait for a processor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from struct import Struct
from typing import Final

from metaquorum.storage.disk import Buffer

Read = Callable[[int, int], bytes]
"""So many bytes of a file from a position on; fewer only at its end."""

UNFINISHED_AT: Final = 8
"""Where the length of a batch begins."""
UNFINISHED: Final = b"\x7f"
"""Its first byte while the batch is being written: two GiB, which no file of ours has left."""
MARK: Final = Struct(">qi").pack(-1, UNFINISHED[0] << 24)  # a base offset and a length
LOOKS: Final = 3
"""How often to look at a place where no batch is, in a file that its node may be writing."""
_WINDOW_BYTES: Final = 1 << 20
_ZEROS: Final = bytes(_WINDOW_BYTES)


def is_preallocation(read: Read, position: int, size_bytes: int) -> bool:
    """Whether a file of that size has the mark at ``position`` and nothing but zeros behind it."""
    marked = read(position, len(MARK)) == MARK
    return marked and only_zeros(read, position + len(MARK), size_bytes)


def only_zeros(read: Read, position: int, size_bytes: int) -> bool:
    """Whether a file of that size has nothing but zeros from ``position`` on."""
    while position < size_bytes:
        window = read(position, min(_WINDOW_BYTES, size_bytes - position))
        if not window:
            return True
        if window != _ZEROS[: len(window)]:
            return False
        position += len(window)
    return True


def is_unfinished(read: Read, position: int) -> bool:
    """Whether what begins at ``position`` was still being written, so that it was not acknowledged:
    no sync can have come before its last byte.
    """
    return is_marked_unfinished(read(position, len(MARK)))


def is_marked_unfinished(head: bytes) -> bool:
    """The same by what is there."""
    return head[UNFINISHED_AT : UNFINISHED_AT + 1] == UNFINISHED


def held_back(batches: Sequence[Buffer], mark: bytes) -> tuple[bytes, bytes]:
    """What to write of these first, with the mark behind it; and the byte at ``UNFINISHED_AT``
    that is written last.
    """
    first = batches[0]
    end = UNFINISHED_AT + 1
    parts = (first[:UNFINISHED_AT], UNFINISHED, first[end:], *batches[1:], mark)
    return b"".join(parts), bytes(first[UNFINISHED_AT:end])
