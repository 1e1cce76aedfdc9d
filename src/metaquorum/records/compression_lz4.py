"""The LZ4 frame, in the part of its format that Kafka's Java reader takes.

LZ4 Frame Format 1.6.2: a magic, a descriptor with its own checksum, blocks after their lengths
(top bit set: not compressed), an end mark of zero, all little endian. Blocks must not depend on
each other, there is no dictionary, and one frame is all there is. The frame is walked here and
only its blocks are handed to the library, so every block's size is known to be bounded before it
is unpacked.
"""

from __future__ import annotations

from struct import Struct
from typing import Any

from attrs import frozen
from xxhash import xxh32_intdigest

from metaquorum.records.compression_library import library
from metaquorum.records.errors import CorruptBatch, UnpackedTooLarge

MAGIC = b"\x04\x22\x4d\x18"
BLOCK_BYTES = 64 * 1024  # what Kafka's writer puts into one block

_VERSION = 0x40
_VERSION_BITS = 0xC0
_INDEPENDENT = 0x20
_BLOCK_CHECKSUM = 0x10
_CONTENT_SIZE = 0x08
_CONTENT_CHECKSUM = 0x04
_RESERVED_FLAGS = 0x03
_RESERVED_SIZES = 0x8F
_SIZES = {4: 64 * 1024, 5: 256 * 1024, 6: 1024 * 1024, 7: 4 * 1024 * 1024}
_PLAIN_BLOCK = 0x8000_0000
_DESCRIPTOR = bytes((_VERSION | _INDEPENDENT, 4 << 4))
_END_MARK = bytes(4)
_WORD = Struct("<I")
_LONG = Struct("<Q")


@frozen
class _Frame:
    """What the descriptor says; ``blocks_at`` is where the first block's length stands."""

    block_bytes: int
    has_block_checksums: bool
    has_content_checksum: bool
    content_bytes: int | None
    blocks_at: int


def pack(records: bytes) -> bytes:
    """``records`` as Kafka's own writer frames them: independent blocks of 64 KiB, no checksums."""
    compress_block = library("lz4").lz4.compress_block
    view = memoryview(records)
    parts = [MAGIC, _DESCRIPTOR, bytes((_descriptor_checksum(_DESCRIPTOR),))]
    for at in range(0, len(view), BLOCK_BYTES):
        plain = view[at : at + BLOCK_BYTES]
        block = bytes(compress_block(plain, store_size=False))
        if len(block) < len(plain):
            parts += (_WORD.pack(len(block)), block)
        else:
            parts += (_WORD.pack(len(plain) | _PLAIN_BLOCK), bytes(plain))
    parts.append(_END_MARK)
    return b"".join(parts)


def unpack(blob: bytes | memoryview, limit_bytes: int) -> bytes:
    """The records of one frame.

    Raises CorruptBatch, UnpackedTooLarge, UnsupportedCodec without the library.
    """
    cramjam = library("lz4")
    view = memoryview(blob)
    frame = _read_frame(view)
    if frame.content_bytes is not None and frame.content_bytes > limit_bytes:
        raise UnpackedTooLarge(limit_bytes)
    out: list[bytes] = []
    room = limit_bytes
    at = frame.blocks_at
    scratch = bytearray(frame.block_bytes)
    while word := _word(view, at):
        part, after = _block(cramjam, view, at, word, frame, scratch)
        room -= len(part)
        if room < 0:
            raise UnpackedTooLarge(limit_bytes)
        out.append(part)
        at = after
    records = b"".join(out)
    _check_end(view, at + len(_END_MARK), frame, records)
    return records


def _read_frame(view: memoryview) -> _Frame:
    if view[: len(MAGIC)] != MAGIC:
        raise CorruptBatch("no lz4 frame starts at byte 0 of the records")
    at = len(MAGIC)
    if len(view) < at + 3:
        raise CorruptBatch("the lz4 frame ends within its descriptor")
    flags, sizes = view[at], view[at + 1]
    if flags & _VERSION_BITS != _VERSION:
        raise CorruptBatch(f"lz4 frame version {flags >> 6}, only version 1 is read")
    if flags & _RESERVED_FLAGS or sizes & _RESERVED_SIZES or sizes >> 4 not in _SIZES:
        raise CorruptBatch(
            f"the lz4 descriptor {flags:02x} {sizes:02x} is not one that Kafka reads"
        )
    if not flags & _INDEPENDENT:
        raise CorruptBatch("the blocks of the lz4 frame depend on each other, which Kafka refuses")
    after = at + 2
    content_bytes = None
    if flags & _CONTENT_SIZE:
        if len(view) < after + _LONG.size + 1:
            raise CorruptBatch("the lz4 frame ends within its descriptor")
        (content_bytes,) = _LONG.unpack_from(view, after)
        after += _LONG.size
    if view[after] != (computed := _descriptor_checksum(view[at:after])):
        raise CorruptBatch(
            f"lz4 descriptor checksum {computed:02x} computed, {view[after]:02x} in the frame"
        )
    return _Frame(
        _SIZES[sizes >> 4],
        flags & _BLOCK_CHECKSUM != 0,
        flags & _CONTENT_CHECKSUM != 0,
        content_bytes,
        after + 1,
    )


def _block(
    cramjam: Any, view: memoryview, at: int, word: int, frame: _Frame, scratch: bytearray
) -> tuple[bytes, int]:
    """The block whose length ``word`` stands at ``at``, unpacked, and where the next one does."""
    size = word & ~_PLAIN_BLOCK
    start = at + _WORD.size
    if size > frame.block_bytes or size > len(view) - start:
        raise CorruptBatch(
            f"the lz4 block at byte {at} of the records has a length of {size} bytes, "
            f"its frame allows {frame.block_bytes}, {len(view) - start} are there"
        )
    after = start + size
    block = view[start:after]
    if frame.has_block_checksums:
        _check(block, _word(view, after), f"the lz4 block at byte {at} of the records")
        after += _WORD.size
    if word & _PLAIN_BLOCK:
        return bytes(block), after
    try:
        written: int = cramjam.lz4.decompress_block_into(block, scratch)
    except cramjam.DecompressionError as error:
        raise CorruptBatch(
            f"the lz4 block at byte {at} of the records is broken: {error}"
        ) from None
    return bytes(memoryview(scratch)[:written]), after


def _check_end(view: memoryview, at: int, frame: _Frame, records: bytes) -> None:
    """What follows the end mark, and the size that the descriptor promised."""
    if frame.has_content_checksum:
        _check(records, _word(view, at), "the content of the lz4 frame")
        at += _WORD.size
    if frame.content_bytes not in (None, len(records)):
        raise CorruptBatch(
            f"the lz4 frame promises {frame.content_bytes} bytes and holds {len(records)}"
        )
    if at != len(view):
        raise CorruptBatch(f"{len(view) - at} bytes follow the lz4 frame at byte {at}")


def _check(content: bytes | memoryview, stored: int, what: str) -> None:
    if (computed := xxh32_intdigest(content)) != stored:
        raise CorruptBatch(f"{what}: checksum {computed:08x} computed, {stored:08x} in the frame")


def _word(view: memoryview, at: int) -> int:
    if len(view) - at < _WORD.size:
        raise CorruptBatch(f"the lz4 frame ends too early, at byte {len(view)} of the records")
    word: int = _WORD.unpack_from(view, at)[0]
    return word


def _descriptor_checksum(descriptor: bytes | memoryview) -> int:
    return xxh32_intdigest(descriptor) >> 8 & 0xFF
