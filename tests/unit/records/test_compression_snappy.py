"""Snappy: the framing of snappy-java both ways, and bare blocks."""

from __future__ import annotations

from struct import pack

import cramjam
import pytest

from metaquorum.records import compression_snappy
from metaquorum.records.errors import CorruptBatch, UnpackedTooLarge

CONTENT = b"some records, some records, some records" * 5000
HEADER = bytes.fromhex("82534e4150505900 00000001 00000001")
LIMIT = 1_000_000


def unpack(stream: bytes, limit_bytes: int = LIMIT) -> bytes:
    return compression_snappy.unpack(stream, limit_bytes)


def block(content: bytes) -> bytes:
    bare = bytes(cramjam.snappy.compress_raw(content))
    return pack(">i", len(bare)) + bare


def test_a_stream_is_a_header_and_blocks_of_32_kib() -> None:
    content = CONTENT[:70_000]
    pieces = [content[:32768], content[32768:65536], content[65536:]]

    assert compression_snappy.pack(content) == HEADER + b"".join(map(block, pieces))
    assert compression_snappy.pack(b"") == HEADER


def test_a_bare_block_is_read_too() -> None:
    assert unpack(bytes(cramjam.snappy.compress_raw(CONTENT))) == CONTENT


def test_streams_in_a_row_are_one() -> None:
    assert unpack(HEADER + block(b"a") + HEADER + block(b"b") + block(b"c")) == b"abc"


def test_streams_in_a_row_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression_snappy, "MAX_COMPRESSED_FRAMES", 2)

    assert unpack(HEADER * 2) == b""
    with pytest.raises(CorruptBatch, match="more than 2 snappy streams"):
        unpack(HEADER * 3)


def test_newer_versions_of_the_framing_are_read_as_snappy_java_does() -> None:
    assert unpack(HEADER[:8] + pack(">ii", 2, 1) + block(b"abc")) == b"abc"


def test_a_size_beyond_the_limit_is_refused_before_decompression() -> None:
    claims = b"\xff\xff\xff\xff\x0f"

    with pytest.raises(UnpackedTooLarge):
        unpack(claims)
    with pytest.raises(UnpackedTooLarge):
        unpack(HEADER + block(bytes(600)) + block(bytes(401)), 1000)
    assert unpack(HEADER + block(bytes(600)) + block(bytes(400)), 1000) == bytes(1000)


@pytest.mark.parametrize(
    ("stream", "told"),
    [
        (b"", "the snappy block at byte 0 of the records does not tell its size"),
        (b"\x80" * 6, "does not tell its size"),
        (b"\x05abc", "the snappy block at byte 0 of the records is broken"),
        (HEADER[:-1], "the snappy header at byte 0 of the records is cut off"),
        (HEADER[:8] + bytes(8), "header at byte 0 of the records has version 0"),
        (HEADER + block(b"abc") + b"\0\0", "ends too early, at byte 25"),
        (HEADER + block(b"abc")[:-1], "block at byte 16 .* a length of 5 bytes, 4 are there"),
        (HEADER + pack(">i", -5) + b"abcde", "block at byte 16 .* a length of -5 bytes"),
        (HEADER + pack(">i", 0), "block at byte 16 .* a length of 0 bytes"),
        (HEADER + block(b"abc") + pack(">i", 2) + b"\x09a", "block at byte 29 .* is broken"),
    ],
)
def test_what_is_no_stream_is_refused_with_its_place(stream: bytes, told: str) -> None:
    with pytest.raises(CorruptBatch, match=told):
        unpack(stream)
