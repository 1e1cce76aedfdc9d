"""Zstandard: frames with and without their size, several in a row, and bombs."""

from __future__ import annotations

import tracemalloc

import cramjam
import pytest

from metaquorum.records import compression_zstd
from metaquorum.records.errors import CorruptBatch, UnpackedTooLarge

CONTENT = b"some records, some records, some records" * 5000
LIMIT = 1_000_000
MAGIC = b"\x28\xb5\x2f\xfd"


def unpack(frames: bytes, limit_bytes: int = LIMIT) -> bytes:
    return compression_zstd.unpack(frames, limit_bytes)


def sized(content: bytes) -> bytes:
    return bytes(cramjam.zstd.compress(content, 3))


def unsized(content: bytes) -> bytes:
    """A frame as streaming writers such as Kafka's make it, which do not know the end."""
    squeezer = cramjam.zstd.Compressor(3)
    squeezer.compress(content)
    return bytes(squeezer.finish())


def skippable(content: bytes, kind: int = 0) -> bytes:
    return bytes((0x50 + kind, 0x2A, 0x4D, 0x18)) + len(content).to_bytes(4, "little") + content


def run(byte: bytes, count: int, *, last: bool) -> bytes:
    """A block of one byte ``count`` times."""
    return (count << 3 | 1 << 1 | last).to_bytes(3, "little") + byte


def test_frames_with_and_without_their_size_are_read() -> None:
    assert sized(CONTENT)[4] & 0xE0 != 0
    assert unsized(CONTENT)[4] & 0xE0 == 0

    assert unpack(sized(CONTENT)) == CONTENT
    assert unpack(unsized(CONTENT)) == CONTENT


@pytest.mark.parametrize("size", [0, 255, 256, 65_791, 65_792, 140_000])
def test_sizes_of_every_width_are_read(size: int) -> None:
    assert unpack(sized(bytes(size))) == bytes(size)


def test_frames_in_a_row_are_one_and_skippable_ones_are_passed_over() -> None:
    frames = skippable(b"who wrote it") + sized(b"abc") + skippable(b"", 15) + unsized(b"def")

    assert unpack(frames) == b"abcdef"


def test_frames_in_a_row_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression_zstd, "MAX_COMPRESSED_FRAMES", 2)

    assert unpack(sized(b"a") * 2) == b"aa"
    with pytest.raises(CorruptBatch, match="more than 2 zstd frames"):
        unpack(sized(b"a") * 3)


def test_the_limit_counts_over_all_frames() -> None:
    frames = sized(bytes(600)) + unsized(bytes(400))

    assert unpack(frames, 1000) == bytes(1000)
    with pytest.raises(UnpackedTooLarge, match="more than 999 bytes when unpacked"):
        unpack(sized(bytes(400)) + sized(bytes(600)), 999)
    with pytest.raises(CorruptBatch, match="has more than 999 bytes when unpacked, or is broken"):
        unpack(frames, 999)


def test_a_bomb_that_hides_its_size_takes_no_more_than_the_limit() -> None:
    bomb = unsized(bytes(50_000_000))
    tracemalloc.start()
    try:
        with pytest.raises(CorruptBatch, match="more than 1000000 bytes when unpacked"):
            unpack(bomb)
        peak_bytes = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert peak_bytes < 2_000_000


def test_runs_beyond_the_limit_are_refused_before_decompression() -> None:
    front = MAGIC + b"\x00\x58"  # a window of 2 MiB, no size
    whole = front + run(b"x", 100_000, last=False) + run(b"y", 100_000, last=True)

    assert unpack(whole) == b"x" * 100_000 + b"y" * 100_000
    with pytest.raises(UnpackedTooLarge):
        unpack(whole, 199_999)


def test_a_size_that_lies_is_a_corrupt_batch() -> None:
    small, large = sized(b"ab" * 50), sized(b"ab" * 100)
    assert small[4] == large[4] == 0x20

    with pytest.raises(CorruptBatch, match="the zstd frame at byte 0 of the records is broken"):
        unpack(small[:5] + large[5:6] + small[6:])
    with pytest.raises(CorruptBatch, match="the zstd frame at byte 0 of the records is broken"):
        unpack(large[:5] + small[5:6] + large[6:])
    with pytest.raises(UnpackedTooLarge):
        unpack(MAGIC + b"\xe0" + b"\xff" * 8 + run(b"x", 1, last=True))


@pytest.mark.parametrize(
    ("frames", "told"),
    [
        (b"no frame", "no zstd frame starts at byte 0 of the records"),
        (sized(b"abc") + b"more", f"no zstd frame starts at byte {len(sized(b'abc'))} of"),
        (MAGIC, "the zstd frame at byte 0 of the records is cut off"),
        (MAGIC + b"\x00", "at byte 0 of the records is cut off"),
        (MAGIC + b"\x00\x58", "at byte 0 of the records is cut off"),
        (MAGIC + b"\x08\x58" + run(b"x", 1, last=True), "of an unknown kind"),
        (MAGIC + b"\x04\x58" + run(b"x", 1, last=True) + b"sum", "is cut off"),
        (
            MAGIC + b"\x00\x58" + b"\x07\x00\x00",
            "the zstd block at byte 6 of the records is broken",
        ),
        (MAGIC + b"\x00\x00" + run(b"x", 1025, last=True), "block at byte 6 .* is broken"),
        (MAGIC + b"\x00\x58" + run(b"x", 1, last=False), "is cut off"),
        (skippable(b"abc")[:-1], "at byte 0 of the records is cut off"),
        (b"\x50\x2a\x4d\x18", "at byte 0 of the records is cut off"),
        (unsized(CONTENT)[:-1], "at byte 0 of the records is cut off"),
    ],
)
def test_what_is_no_frame_is_refused_with_its_place(frames: bytes, told: str) -> None:
    with pytest.raises(CorruptBatch, match=told):
        unpack(frames)


def test_a_wrong_checksum_of_the_content_is_found() -> None:
    squeezed = MAGIC + b"\x04\x58" + run(b"x", 9, last=True) + b"\x00\x00\x00\x00"

    with pytest.raises(CorruptBatch, match="the zstd frame at byte 0 of the records is broken"):
        unpack(squeezed)
