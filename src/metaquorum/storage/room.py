"""The room that a growing log has behind its end, and the mark that tells readers where it begins.

A file that already reaches beyond what is appended keeps its size, so a sync has no inode to write:
a third of the time (decision 191). Whoever reads the file meanwhile, or after the process was
killed, finds zeros there, and Kafka's tools stop with an error at a batch of size zero. But a batch
that says it is longer than what is left of the file is, for them and for us, a write that has not
ended: they stop there without a word. So that is what the mark says.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import Final

from metaquorum.base.limits import MAX_FRAME_BYTES

Read = Callable[[int, int], bytes]
"""So many bytes of a file from a position on; fewer only at its end."""

_HEAD: Final = Struct(">qi")  # the base offset and length of a batch
MARK: Final = _HEAD.pack(-1, MAX_FRAME_BYTES - _HEAD.size)
"""The most that a batch may be long, which is more than there ever is of room."""
_WINDOW_BYTES: Final = 1 << 20


def is_room(read: Read, position: int, size_bytes: int) -> bool:
    """Whether a file of that size has the mark at ``position`` and nothing but zeros behind it."""
    marked = read(position, len(MARK)) == MARK
    return marked and only_zeros(read, position + len(MARK), size_bytes)


def only_zeros(read: Read, position: int, size_bytes: int) -> bool:
    """Whether a file of that size has nothing but zeros from ``position`` on."""
    while position < size_bytes:
        window = read(position, min(_WINDOW_BYTES, size_bytes - position))
        if not window:
            return True
        if any(window):
            return False
        position += len(window)
    return True
