"""Telling a torn tail from rot: what is wrong in a segment, and whether anything valid follows.

A crash may leave the last write unfinished; cutting it off loses nothing that was promised. But a
batch that is broken with valid batches behind it was once whole and synced: a voter that cut
there would forget entries that it acknowledged (architecture, "Recovery refuses to be kind").
"""

from __future__ import annotations

from struct import Struct

from attrs import frozen

from metaquorum.base.errors import OperatorError
from metaquorum.base.limits import MAX_FRAME_BYTES
from metaquorum.base.offsets import Offset
from metaquorum.records.batch import BATCH_OVERHEAD_BYTES, LEAST_LENGTH, MAGIC, check
from metaquorum.records.errors import CorruptBatch
from metaquorum.storage.disk import File

_LOOK = Struct(">qiibIhi")  # base offset, length, epoch, magic, crc, attributes, last offset delta
_MAGIC_AT = 16
_WINDOW_BYTES = 1 << 20
_KNOWN_ATTRIBUTES = 0x7F
_FARTHEST_OFFSETS = 1 << 40  # beyond any log that we wrote


@frozen
class Fault:
    """The first thing wrong in a segment: where, which offset was due there, and what is wrong.

    ``checksum_right`` tells a whole batch in the wrong place, which no torn write explains.
    """

    position: int
    offset: Offset
    why: str
    checksum_right: bool = False


class RottenLog(OperatorError):
    """The log is broken where it was whole before: the node must not start on it."""

    def __init__(self, path: str, fault: Fault) -> None:
        super().__init__(
            f"{path} is damaged at offset {fault.offset}, byte {fault.position}: {fault.why}. "
            "This is not the end of an interrupted write, so entries that were acknowledged may "
            "be lost. Restore the file from a copy, or bring this node back as a new replica: "
            "format an empty directory with a new directory id."
        )
        self.path = path
        self.fault = fault


def valid_batch_after(file: File, fault: Fault, end: int) -> int | None:
    """The position of a whole batch behind a fault with an offset that fits; None without one.

    Every byte is tried as a start, since the broken batch's own length may be what is broken.
    """
    start = fault.position + 1
    while start + BATCH_OVERHEAD_BYTES <= end:
        window = file.read(start, min(_WINDOW_BYTES, end - start))
        place = window.find(MAGIC, _MAGIC_AT)
        while place >= 0 and place - _MAGIC_AT + BATCH_OVERHEAD_BYTES <= len(window):
            position = start + place - _MAGIC_AT
            if _may_start_at(window, place - _MAGIC_AT, fault.offset, end - position) and _whole(
                file, position
            ):
                return position
            place = window.find(MAGIC, place + 1)
        start += max(len(window) - BATCH_OVERHEAD_BYTES + 1, 1)
    return None


def _may_start_at(window: bytes, at: int, least: Offset, left_bytes: int) -> bool:
    base, length, epoch, _, _, attributes, delta = _LOOK.unpack_from(window, at)
    return bool(
        least <= base < least + _FARTHEST_OFFSETS
        and LEAST_LENGTH <= length <= left_bytes - 12
        and length <= MAX_FRAME_BYTES
        and epoch >= -1
        and delta >= 0
        and attributes & ~_KNOWN_ATTRIBUTES == 0
    )


def _whole(file: File, position: int) -> bool:
    length = int.from_bytes(file.read(position + 8, 4), "big")
    try:
        check(file.read(position, length + 12))
    except CorruptBatch:
        return False
    return True
