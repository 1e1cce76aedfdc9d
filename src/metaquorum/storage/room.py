"""The room that a growing log has behind its end, and the mark that tells readers where it begins.

A file that already reaches beyond what is appended keeps its size, so a sync has no inode to write:
a third of the time (decision 191). Whoever reads the file meanwhile, or after the process was
killed, finds zeros there, and Kafka's tools stop with an error at a batch of size zero. But a batch
that says it is longer than what is left of the file is, for them and for us, a write that has not
ended: they stop there without a word. So that is what the mark says.
"""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.base.limits import MAX_FRAME_BYTES
from metaquorum.storage.disk import File

_HEAD: Final = Struct(">qi")  # the base offset and length of a batch
MARK: Final = _HEAD.pack(-1, MAX_FRAME_BYTES - _HEAD.size)
"""The most that a batch may be long, which is more than there ever is of room."""
_WINDOW_BYTES: Final = 1 << 20


def is_room(file: File, position: int) -> bool:
    """Whether the file holds the mark at ``position`` and nothing but zeros behind it."""
    if file.read(position, len(MARK)) != MARK:
        return False
    position += len(MARK)
    while window := file.read(position, _WINDOW_BYTES):
        if window.count(0) != len(window):
            return False
        position += len(window)
    return True
