"""LZ4 frames: what is written is what Kafka writes, and only what Kafka reads is read."""

from __future__ import annotations

from struct import pack

import cramjam
import pytest
from xxhash import xxh32_intdigest

from metaquorum.records import compression_lz4
from metaquorum.records.errors import CorruptBatch, UnpackedTooLarge

CONTENT = b"some records, some records, some records" * 5000
LIMIT = 1_000_000


def unpack(frame: bytes, limit_bytes: int = LIMIT) -> bytes:
    return compression_lz4.unpack(frame, limit_bytes)


def frame_of(flags: int, sizes: int, *blocks: bytes, size: int | None = None) -> bytes:
    descriptor = bytes((flags, sizes)) + (b"" if size is None else pack("<Q", size))
    front = b"\x04\x22\x4d\x18" + descriptor
    return front + bytes((xxh32_intdigest(descriptor) >> 8 & 0xFF,)) + b"".join(blocks) + bytes(4)


def plain(content: bytes) -> bytes:
    return pack("<I", len(content) | 0x8000_0000) + content


def squeezed(content: bytes) -> bytes:
    block = bytes(cramjam.lz4.compress_block(content, store_size=False))
    return pack("<I", len(block)) + block


def test_a_frame_is_of_independent_blocks_of_64_kib_without_checksums() -> None:
    frame = compression_lz4.pack(CONTENT)

    assert frame[:7].hex() == "04224d18604082"
    assert frame[-4:] == bytes(4)
    assert bytes(cramjam.lz4.decompress(frame)) == CONTENT


def test_no_records_are_a_frame_without_blocks() -> None:
    assert compression_lz4.pack(b"").hex() == "04224d1860408200000000"


def test_frames_with_content_checksums_are_read_and_these_verified() -> None:
    squeezer = cramjam.lz4.Compressor(level=1, content_checksum=True, block_linked=False)
    squeezer.compress(CONTENT)
    frame = bytes(squeezer.finish())
    assert frame[4] & 0x24 == 0x24

    assert unpack(frame) == CONTENT
    with pytest.raises(CorruptBatch, match="the content of the lz4 frame: checksum"):
        unpack(frame[:-1] + bytes((frame[-1] ^ 1,)))


def test_frames_with_block_checksums_are_read_and_these_verified() -> None:
    first, second = squeezed(b"x" * 999), plain(b"tail")
    blocks = [block + pack("<I", xxh32_intdigest(block[4:])) for block in (first, second)]
    frame = frame_of(0x70, 0x40, *blocks)

    assert unpack(frame) == b"x" * 999 + b"tail"
    with pytest.raises(CorruptBatch, match="the lz4 block at byte 7 of the records: checksum"):
        unpack(frame_of(0x70, 0x40, blocks[0][:-1] + b"?", blocks[1]))


def test_a_frame_that_tells_its_size_is_held_to_it() -> None:
    assert unpack(frame_of(0x68, 0x70, squeezed(b"ab" * 500), size=1000)) == b"ab" * 500
    with pytest.raises(CorruptBatch, match="promises 999 bytes and holds 1000"):
        unpack(frame_of(0x68, 0x70, squeezed(b"ab" * 500), size=999))
    with pytest.raises(UnpackedTooLarge):
        unpack(frame_of(0x68, 0x70, size=2**63))


@pytest.mark.parametrize(("sizes", "block_bytes"), [(0x50, 2**18), (0x60, 2**20), (0x70, 2**22)])
def test_larger_blocks_are_read_up_to_what_the_frame_allows(sizes: int, block_bytes: int) -> None:
    fits, content = squeezed(bytes(block_bytes)), bytes(block_bytes)

    assert unpack(frame_of(0x60, sizes, fits), block_bytes) == content
    with pytest.raises(CorruptBatch, match="the lz4 block at byte 7 of the records is broken"):
        unpack(frame_of(0x60, sizes, squeezed(content + b"x")), block_bytes * 2)


def test_blocks_that_depend_on_each_other_are_refused_as_kafka_does() -> None:
    with pytest.raises(CorruptBatch, match="depend on each other"):
        unpack(bytes(cramjam.lz4.compress(CONTENT)))


@pytest.mark.parametrize(
    ("frame", "told"),
    [
        (b"", "no lz4 frame starts"),
        (b"\x02\x21\x4c\x18" + bytes(9), "no lz4 frame starts"),
        (frame_of(0x60, 0x40)[:6], "ends within its descriptor"),
        (frame_of(0x68, 0x40, size=3)[:14], "ends within its descriptor"),
        (frame_of(0xA0, 0x40), "lz4 frame version 2"),
        (frame_of(0x61, 0x40), "the lz4 descriptor 61 40 is not one that Kafka reads"),
        (frame_of(0x60, 0x30), "the lz4 descriptor 60 30 is not one"),
        (frame_of(0x60, 0xC0), "the lz4 descriptor 60 c0 is not one"),
        (frame_of(0x60, 0x41), "the lz4 descriptor 60 41 is not one"),
        (frame_of(0x60, 0x40)[:6] + b"\x81" + bytes(4), "checksum 82 computed, 81 in the frame"),
        (frame_of(0x60, 0x40, plain(b"x"))[:-1], "ends too early, at byte 15"),
        (frame_of(0x60, 0x40, plain(b"xyz"))[:12], "at byte 7 .* a length of 3 bytes.* 1 are"),
        (frame_of(0x60, 0x40, pack("<I", 65537)), "allows 65536"),
        (frame_of(0x60, 0x40) + b"more", "4 bytes follow the lz4 frame at byte 11"),
        (frame_of(0x64, 0x40, plain(b"x")), "ends too early, at byte 16"),
    ],
)
def test_what_is_no_frame_of_kafka_is_refused_with_its_place(frame: bytes, told: str) -> None:
    with pytest.raises(CorruptBatch, match=told):
        unpack(frame)
