"""Walking batches and records; every cut and flip ends in a BatchError, never in another."""

from __future__ import annotations

import gzip
from pathlib import Path
from struct import pack

import pytest

from metaquorum.records import compression, reader
from metaquorum.records.builder import build_batch
from metaquorum.records.errors import BatchError, CorruptBatch, CorruptRecord, UnsupportedCodec
from metaquorum.records.reader import walk_batches, walk_records

GOLDEN = Path(__file__).parent / "golden"
BATCH_MS = 1_700_000_000_000


def golden(name: str) -> bytes:
    return bytes.fromhex((GOLDEN / f"{name}.hex").read_text())


def batch_of(body: bytes, count: int, attributes: int = 0) -> bytes:
    """A batch with this body; only its framing matters, so its checksum is left at 0."""
    covered = pack(">hiqqqhii", attributes, count - 1, 1000, 5000, -1, -1, -1, count)
    return pack(">qiibI", 50, 49 + len(body), 1, 2, 0) + covered + body


@pytest.mark.parametrize("name", ["plain", "gzip", "snappy", "lz4", "zstd"])
def test_kafka_records_are_read_with_headers_timestamps_and_nulls(name: str) -> None:
    first, second = walk_records(golden(name))

    assert (first.offset, first.timestamp_ms, first.key) == (100, BATCH_MS, b"key")
    assert first.value == b"-".join([b"value"] * 5)
    assert first.headers == (("h", b"\x01\x02"), ("n", None))
    assert (second.offset, second.timestamp_ms) == (101, BATCH_MS + 5)
    assert (second.key, second.value, second.headers) == (None, b"", ())


@pytest.mark.parametrize("codec", [5, 6, 7])
def test_codecs_that_are_none_are_refused_by_number(codec: int) -> None:
    with pytest.raises(UnsupportedCodec, match=f"compressed with unknown codec {codec}"):
        walk_records(batch_of(b"\x0e\x00\x06\x00\x01\x02x\x00", 1, attributes=codec))


def test_a_log_append_time_batch_gives_every_record_its_maximum() -> None:
    [record] = walk_records(batch_of(b"\x0e\x00\x06\x00\x01\x02x\x00", 1, attributes=8))

    assert (record.timestamp_ms, record.value) == (5000, b"x")


def test_a_create_time_delta_is_added_to_the_base() -> None:
    [record] = walk_records(batch_of(b"\x0e\x00\x06\x00\x01\x02x\x00", 1))

    assert record.timestamp_ms == 1003


def test_whole_batches_are_walked_and_a_cut_off_tail_is_left_out() -> None:
    stream = golden("leader_change") + golden("no_op") + golden("plain")[:-1]
    sizes = [(header.size_bytes, len(batch)) for header, batch in walk_batches(stream)]

    assert sizes == [(91, 91), (72, 72)]


def test_a_walk_may_start_in_the_middle() -> None:
    stream = golden("leader_change") + golden("no_op")

    assert [bytes(batch) for _, batch in walk_batches(stream, 91)] == [golden("no_op")]


def test_a_walk_over_zeros_stops_with_a_word() -> None:
    with pytest.raises(CorruptBatch, match="message format 0"):
        list(walk_batches(golden("no_op") + bytes(100)))


def test_every_cut_of_a_batchs_body_is_a_batch_error() -> None:
    for name in ("plain", "gzip", "leader_change"):
        whole = golden(name)
        for size in range(61, len(whole)):
            cut = whole[:8] + pack(">i", size - 12) + whole[12:size]
            with pytest.raises(BatchError):
                list(walk_records(cut))


def test_every_flipped_byte_gives_records_or_a_batch_error() -> None:
    outcomes = {"records": 0, "error": 0}
    for name in ("plain", "leader_change", "gzip"):
        whole = golden(name)
        for at in range(61, len(whole)):
            for mask in (0x01, 0x80, 0xFF):
                broken = bytearray(whole)
                broken[at] ^= mask
                try:
                    list(walk_records(bytes(broken)))
                    outcomes["records"] += 1
                except BatchError:
                    outcomes["error"] += 1

    assert outcomes["records"] > 50
    assert outcomes["error"] > 100


@pytest.mark.parametrize(
    ("body", "count", "why"),
    [
        (b"\x01\x00\x00\x00\x01\x01\x00", 1, "a length of -1 bytes"),
        (b"\x10\x00\x00\x00\x01\x02x\x00", 1, "a length of 8 bytes does not fit"),
        (b"\x0e\x00\x00\x01\x01\x02x\x00", 1, "a negative offset delta"),
        (b"\x0e\x00\x00\x00\x01\x40x\x00", 1, "a field of 32 bytes"),
        (b"\x10\x00\x00\x00\x01\x02x\x00\x00", 1, "its fields end at byte 8"),
        (b"\x0e\x00\x00\x00\x01\x02x\x01", 1, "-1 headers"),
        (b"\x10\x00\x00\x00\x01\x01\x02\x01\x00", 1, "a header without a name"),
        (b"\x0e\x00\x00\x00\x01\x02x\x00\x00", 1, "1 bytes are left after 1 records"),
        (b"\x0e\x00\x00\x00\x01\x02x\x00", 2, "2 records do not fit 8 bytes"),
        (b"\x0e\x00" + b"\xff" * 11 + b"\x00", 1, "does not fit|exceeds 10 bytes"),
    ],
)
def test_records_that_break_their_framing_are_refused(body: bytes, count: int, why: str) -> None:
    with pytest.raises(CorruptRecord, match=why):
        list(walk_records(batch_of(body, count)))


def test_any_length_below_zero_is_null_as_in_kafkas_reader() -> None:
    [record] = walk_records(batch_of(b"\x0c\x00\x00\x00\x03\x05\x00", 1))

    assert (record.key, record.value) == (None, None)


def test_a_record_that_looks_usual_but_has_headers_is_read_with_them() -> None:
    body = b"\x16\x00\x00\x00\x01\x02x\x02\x02h\x02v"
    [record] = walk_records(batch_of(body, 1))

    assert (record.value, record.headers) == (b"x", (("h", b"v"),))


def test_a_gzip_stream_of_several_members_is_one_body() -> None:
    body = b"\x0e\x00\x00\x00\x01\x02x\x00"
    blob = gzip.compress(body[:5]) + gzip.compress(body[5:])
    [record] = walk_records(batch_of(blob, 1, attributes=1))

    assert record.value == b"x"


def test_a_broken_or_short_gzip_stream_is_a_corrupt_batch() -> None:
    batch = build_batch([(None, b"value" * 50)], timestamp_ms=1, compression=1)
    cut = batch[:8] + pack(">i", len(batch) - 5 - 12) + batch[12:-5]

    with pytest.raises(CorruptBatch, match="ends too early"):
        walk_records(cut)
    with pytest.raises(CorruptBatch, match="gzip stream is broken"):
        walk_records(batch[:61] + b"\x00" + batch[62:])


def test_a_gzip_bomb_is_stopped_at_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "MAX_DECOMPRESSED_BATCH_BYTES", 1000)
    batch = build_batch([(None, bytes(2000))], timestamp_ms=1, compression=1)

    with pytest.raises(CorruptBatch, match="more than 1000 bytes when unpacked"):
        walk_records(batch)


def test_values_of_every_length_and_place_are_read_twice_alike() -> None:
    """The first walk learns what usual records look like, the second one knows."""
    lengths = [*range(140), *range(2_030, 2_050), *range(8_170, 8_200)]
    mixed = [(None, bytes([n & 255]) * lengths[n % len(lengths)]) for n in range(600)]
    short = [(None, bytes(n & 3)) for n in range(8_300)]
    for pairs in (mixed, short):
        batch = build_batch(pairs, timestamp_ms=5)
        for _ in range(2):
            found = [(r.offset, r.timestamp_ms, r.key, r.value) for r in walk_records(batch)]
            assert found == [(n, 5, None, value) for n, (_, value) in enumerate(pairs)]


def test_the_table_of_usual_lengths_stays_small() -> None:
    for size in range(5_000):
        list(walk_records(build_batch([(None, bytes(size))], timestamp_ms=5)))
    assert all(len(rows) <= reader._KNOWN_LENGTHS for rows in reader._USUAL)
