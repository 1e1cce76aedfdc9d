"""Snappy as Kafka has it: snappy-java's ("xerial") framing, or one bare block.

A stream is an eight-byte magic, two versions of four bytes, and then blocks, each after its length
in four bytes, all big endian. Kafka's Java clients frame; librdkafka writes a bare block.
"""

from __future__ import annotations

from struct import Struct
from typing import Any

from metaquorum.base.limits import MAX_COMPRESSED_FRAMES
from metaquorum.records.compression_library import library
from metaquorum.records.errors import CorruptBatch, UnpackedTooLarge

MAGIC = b"\x82SNAPPY\x00"
BLOCK_BYTES = 32 * 1024  # what snappy-java puts into one block

_VERSION = 1
_VERSIONS = Struct(">ii")  # of the stream, and the oldest that reads it
_HEADER_BYTES = len(MAGIC) + _VERSIONS.size
_LENGTH = Struct(">i")
_LONGEST_PREAMBLE_BYTES = 5


def pack(records: bytes) -> bytes:
    """``records`` in the framing that Kafka's own writers use."""
    compress_raw = library("snappy").snappy.compress_raw
    view = memoryview(records)
    parts = [MAGIC, _VERSIONS.pack(_VERSION, _VERSION)]
    for at in range(0, len(view), BLOCK_BYTES):
        block = bytes(compress_raw(view[at : at + BLOCK_BYTES]))
        parts += (_LENGTH.pack(len(block)), block)
    return b"".join(parts)


def unpack(blob: bytes | memoryview, limit_bytes: int) -> bytes:
    """The records of a framed stream, or of several in a row, or of one bare block.

    Raises CorruptBatch, UnpackedTooLarge, UnsupportedCodec without the library.
    """
    cramjam = library("snappy")
    view = memoryview(blob)
    if view[: len(MAGIC)] != MAGIC:
        return _block(cramjam, view, 0, limit_bytes, limit_bytes)
    out: list[bytes] = []
    room = limit_bytes
    at = streams = 0
    while at < len(view):
        if view[at : at + len(MAGIC)] == MAGIC:
            streams += 1
            if streams > MAX_COMPRESSED_FRAMES:
                raise CorruptBatch(f"more than {MAX_COMPRESSED_FRAMES} snappy streams in a row")
            at = _after_header(view, at)
            continue
        if len(view) - at < _LENGTH.size:
            raise CorruptBatch(f"the snappy stream ends too early, at byte {at} of the records")
        (size,) = _LENGTH.unpack_from(view, at)
        start = at + _LENGTH.size
        if size <= 0 or size > len(view) - start:
            raise CorruptBatch(
                f"the snappy block at byte {at} of the records has a length of {size} bytes, "
                f"{len(view) - start} are there"
            )
        part = _block(cramjam, view[start : start + size], start, room, limit_bytes)
        room -= len(part)
        out.append(part)
        at = start + size
    return b"".join(out)


def _after_header(view: memoryview, at: int) -> int:
    """Where the blocks of the stream start whose magic stands at ``at``."""
    if len(view) - at < _HEADER_BYTES:
        raise CorruptBatch(f"the snappy header at byte {at} of the records is cut off")
    version, _ = _VERSIONS.unpack_from(view, at + len(MAGIC))
    if version < _VERSION:
        raise CorruptBatch(f"the snappy header at byte {at} of the records has version {version}")
    return at + _HEADER_BYTES


def _block(cramjam: Any, block: memoryview, at: int, room: int, limit_bytes: int) -> bytes:
    """One bare block, which begins with its size when unpacked; it is believed within ``room``."""
    size = _claimed_bytes(block, at)
    if size > room:
        raise UnpackedTooLarge(limit_bytes)
    out = bytearray(size)
    try:
        written: int = cramjam.snappy.decompress_raw_into(block, out)
    except cramjam.DecompressionError as error:
        raise CorruptBatch(
            f"the snappy block at byte {at} of the records is broken: {error}"
        ) from None
    return bytes(memoryview(out)[:written])


def _claimed_bytes(block: memoryview, at: int) -> int:
    """The size that a block claims to unpack to: a varint of at most 32 bits."""
    size = 0
    for index, byte in enumerate(block[:_LONGEST_PREAMBLE_BYTES]):
        size |= (byte & 0x7F) << 7 * index
        if byte < 0x80:
            return size
    raise CorruptBatch(f"the snappy block at byte {at} of the records does not tell its size")
