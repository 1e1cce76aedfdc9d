"""Zstandard frames, one or several in a row, with or without the size of their content.

RFC 8878. The headers of frames and blocks are walked here before anything is unpacked: they bound
what a frame can unpack to, so the library writes into a buffer of that size and no further.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from metaquorum.base.limits import MAX_COMPRESSED_FRAMES
from metaquorum.records.compression_library import library
from metaquorum.records.errors import CorruptBatch, UnpackedTooLarge

MAGIC = b"\x28\xb5\x2f\xfd"
LEVEL = 3  # Kafka's compression.zstd.level by default

_SKIPPABLE_MAGIC = b"\x2a\x4d\x18"  # after a first byte of 50 to 5f
_SINGLE_SEGMENT = 0x20
_RESERVED = 0x08
_CHECKSUM = 0x04
_CHECKSUM_BYTES = 4
_DICTIONARY_ID_BYTES = (0, 1, 2, 4)
_MAX_BLOCK_BYTES = 128 * 1024
_RUN, _PACKED = 1, 2  # kinds of blocks; 0 is one that is stored as it is


@frozen
class _Frame:
    """Where a frame's blocks start, the most that one unpacks to, and what follows the last."""

    blocks_at: int
    block_bytes: int
    content_bytes: int | None
    checksum_bytes: int


def pack(records: bytes) -> bytes:
    """``records`` in one frame that tells its size."""
    return bytes(library("zstd").zstd.compress(records, LEVEL))


def unpack(blob: bytes | memoryview, limit_bytes: int) -> bytes:
    """The records of all frames; skippable ones are passed over.

    Raises CorruptBatch, UnpackedTooLarge, UnsupportedCodec without the library.
    """
    cramjam = library("zstd")
    view = memoryview(blob)
    out: list[bytes] = []
    room = limit_bytes
    at = frames = 0
    while at < len(view):
        frames += 1
        if frames > MAX_COMPRESSED_FRAMES:
            raise CorruptBatch(f"more than {MAX_COMPRESSED_FRAMES} zstd frames in a row")
        if view[at + 1 : at + 4] == _SKIPPABLE_MAGIC and view[at] >> 4 == 5:
            at = _after_skippable(view, at)
            continue
        after, least, most = _measure(view, at)
        if least > room:
            raise UnpackedTooLarge(limit_bytes)
        try:
            part = _unpacked(cramjam, view[at:after], min(most, room))
        except cramjam.DecompressionError as error:
            too_large = f"has more than {limit_bytes} bytes when unpacked, or " * (most > room)
            raise CorruptBatch(
                f"the zstd frame at byte {at} of the records {too_large}is broken: {error}"
            ) from None
        room -= len(part)
        out.append(part)
        at = after
    return b"".join(out)


def _measure(view: memoryview, at: int) -> tuple[int, int, int]:
    """Where the frame at ``at`` ends, and how many bytes it unpacks to at least and at most."""
    frame = _read_frame(view, at)
    place = frame.blocks_at
    least = most = 0
    is_last = False
    while not is_last:
        if len(view) - place < 3:
            raise _cut_off(at)
        word = int.from_bytes(view[place : place + 3], "little")
        is_last, kind, size = word & 1 == 1, word >> 1 & 3, word >> 3
        if kind > _PACKED or size > frame.block_bytes:
            raise CorruptBatch(f"the zstd block at byte {place} of the records is broken")
        least += 0 if kind == _PACKED else size
        most += frame.block_bytes if kind == _PACKED else size
        place += 3 + (1 if kind == _RUN else size)
    place += frame.checksum_bytes
    if place > len(view):
        raise _cut_off(at)
    if frame.content_bytes is not None:
        least, most = max(least, frame.content_bytes), min(most, frame.content_bytes)
    return place, least, most


def _read_frame(view: memoryview, at: int) -> _Frame:
    if view[at : at + len(MAGIC)] != MAGIC:
        raise CorruptBatch(f"no zstd frame starts at byte {at} of the records")
    place = at + len(MAGIC) + 1
    if place > len(view):
        raise _cut_off(at)
    flags = view[place - 1]
    if flags & _RESERVED:
        raise CorruptBatch(f"the zstd frame at byte {at} of the records is of an unknown kind")
    is_single = flags & _SINGLE_SEGMENT != 0
    size_bytes = (1 if is_single else 0, 2, 4, 8)[flags >> 6]
    size_at = place + (not is_single) + _DICTIONARY_ID_BYTES[flags & 3]
    blocks_at = size_at + size_bytes
    if blocks_at > len(view):
        raise _cut_off(at)
    content_bytes = None
    if size_bytes:
        content_bytes = int.from_bytes(view[size_at:blocks_at], "little")
        content_bytes += 256 if size_bytes == 2 else 0
    if is_single:
        window_bytes = content_bytes or 0
    else:
        exponent, eighths = view[place] >> 3, view[place] & 7
        window_bytes = (8 + eighths) << (7 + exponent)
    checksum_bytes = _CHECKSUM_BYTES if flags & _CHECKSUM else 0
    return _Frame(blocks_at, min(window_bytes, _MAX_BLOCK_BYTES), content_bytes, checksum_bytes)


def _unpacked(cramjam: Any, frame: memoryview, most: int) -> bytes:
    out = bytearray(most)
    written: int = cramjam.zstd.decompress_into(frame, out)
    return bytes(memoryview(out)[:written])


def _after_skippable(view: memoryview, at: int) -> int:
    """Where the next frame starts after one that carries no content."""
    after = at + 8 + int.from_bytes(view[at + 4 : at + 8], "little")
    if after > len(view):
        raise _cut_off(at)
    return after


def _cut_off(at: int) -> CorruptBatch:
    return CorruptBatch(f"the zstd frame at byte {at} of the records is cut off")
