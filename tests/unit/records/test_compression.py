"""The codecs together: Kafka's batches, limits, damage, a missing library, old formats."""

from __future__ import annotations

import ast
import gzip
import random
import sys
import tracemalloc
from pathlib import Path

import pytest

from metaquorum.records import compression
from metaquorum.records.batch import check, read_header
from metaquorum.records.builder import build_batch
from metaquorum.records.compression import NAMES, compress, decompress
from metaquorum.records.errors import (
    CorruptBatch,
    TruncatedBatch,
    UnknownMagic,
    UnpackedTooLarge,
    UnsupportedCodec,
)
from metaquorum.records.reader import walk_batches, walk_records

GOLDEN = Path(__file__).parent / "golden"
SOURCES = Path(compression.__file__).parents[1]
PACKED = (1, 2, 3, 4)
NATIVE = (2, 3, 4)
BATCH_MS = 1_700_000_000_000


def golden(name: str) -> bytes:
    return bytes.fromhex((GOLDEN / f"{name}.hex").read_text())


def value_of(index: int) -> bytes | None:
    """What ``tools/java/CompressedLogs.java`` puts into record ``index`` of 300."""
    return None if index % 7 == 6 else f"value {'again ' * (index % 90)}{index}".encode()


@pytest.mark.parametrize("name", NAMES[1:])
def test_a_batch_of_several_blocks_that_kafka_wrote_is_read_whole(name: str) -> None:
    batch = golden(f"{name}_of_300_records")
    assert NAMES[check(batch).compression] == name
    found = list(walk_records(batch))

    assert [record.offset for record in found] == list(range(42, 342))
    assert [record.timestamp_ms - BATCH_MS for record in found] == list(range(0, 900, 3))
    assert [record.value for record in found] == [value_of(index) for index in range(300)]
    assert found[1].key == b"key 1"
    assert found[5].headers == (("h5", b"\x01\x02"), ("n", None))


@pytest.mark.parametrize("codec", range(5), ids=NAMES)
@pytest.mark.parametrize("size", [0, 1, 32_768, 32_769, 65_536, 65_537, 300_000])
def test_what_is_packed_is_unpacked_whether_it_shrinks_or_not(codec: int, size: int) -> None:
    for content in (bytes(size), random.Random(size).randbytes(size)):
        blob = compress(codec, content)

        assert decompress(codec, blob) == content
        assert decompress(codec, memoryview(b"before" + blob)[6:]) == content


@pytest.mark.parametrize("codec", PACKED, ids=NAMES[1:])
def test_the_limit_itself_is_unpacked_and_one_byte_more_is_not(
    codec: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compression, "MAX_DECOMPRESSED_BATCH_BYTES", 100_000)

    assert decompress(codec, compress(codec, bytes(100_000))) == bytes(100_000)
    with pytest.raises(UnpackedTooLarge, match="more than 100000 bytes when unpacked"):
        decompress(codec, compress(codec, bytes(100_001)))


@pytest.mark.parametrize("codec", PACKED, ids=NAMES[1:])
def test_a_bomb_takes_no_more_memory_than_the_limit_allows(
    codec: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compression, "MAX_DECOMPRESSED_BATCH_BYTES", 1_000_000)
    bomb = compress(codec, bytes(40_000_000))
    tracemalloc.start()
    try:
        with pytest.raises(UnpackedTooLarge):
            decompress(codec, bomb)
        peak_bytes = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert peak_bytes < 4_000_000


@pytest.mark.parametrize("codec", PACKED, ids=NAMES[1:])
def test_every_cut_or_flipped_bit_is_read_or_is_a_corrupt_batch(codec: int) -> None:
    name = NAMES[codec]
    blob = golden(name)[61:]
    spoilt = [blob[:size] for size in range(len(blob))]
    for at in range(len(blob)):
        for bit in range(8):
            spoilt.append(blob[:at] + bytes((blob[at] ^ 1 << bit,)) + blob[at + 1 :])
    refused = 0
    for one in spoilt:
        try:
            assert len(decompress(codec, one)) < 1_000_000
        except CorruptBatch as error:
            assert error.reason
            refused += 1

    assert refused > len(blob)


@pytest.mark.parametrize("codec", PACKED, ids=NAMES[1:])
def test_a_batch_damaged_anywhere_gives_records_or_a_corrupt_batch(codec: int) -> None:
    whole = golden(f"{NAMES[codec]}_of_300_records")
    chance = random.Random(codec)
    refused = 0
    for _ in range(300):
        broken = bytearray(whole)
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(61, len(broken))
            broken[at : at + chance.randint(0, 2)] = chance.randbytes(chance.randint(0, 2))
        broken[8:12] = (len(broken) - 12).to_bytes(4, "big")
        try:
            list(walk_records(bytes(broken)))
        except CorruptBatch as error:
            assert error.reason
            refused += 1

    assert refused > 100


@pytest.mark.parametrize("codec", NATIVE, ids=NAMES[2:])
def test_without_the_library_a_batch_says_what_to_install(
    codec: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "cramjam", None)
    told = rf"records in {NAMES[codec]} need .* pip install 'metaquorum\[compression\]'"

    with pytest.raises(UnsupportedCodec, match=told):
        walk_records(golden(NAMES[codec]))
    with pytest.raises(UnsupportedCodec, match=told):
        build_batch([(None, b"x")], timestamp_ms=1, compression=codec)


@pytest.mark.parametrize("name", ["plain", "gzip"])
def test_plain_and_gzip_batches_need_no_library(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cramjam", None)

    assert len(list(walk_records(golden(name)))) == 2


def test_the_members_of_a_gzip_stream_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression, "MAX_COMPRESSED_FRAMES", 3)

    assert decompress(1, gzip.compress(b"x") * 3) == b"xxx"
    with pytest.raises(CorruptBatch, match="more than 3 members"):
        decompress(1, gzip.compress(b"x") * 4)


def test_a_broken_gzip_member_is_named_by_its_place() -> None:
    first = gzip.compress(b"x" * 50)

    with pytest.raises(CorruptBatch, match=f"in the member at byte {len(first)} of the records"):
        decompress(1, first + b"no member")


@pytest.mark.parametrize("codec", PACKED, ids=NAMES[1:])
def test_a_batch_without_records_is_not_unpacked(codec: int) -> None:
    empty = bytearray(golden("plain")[:61])
    empty[8:12] = (49).to_bytes(4, "big")
    empty[22] = codec
    empty[57:61] = bytes(4)

    assert list(walk_records(bytes(empty))) == []


@pytest.mark.parametrize("codec", PACKED, ids=NAMES[1:])
def test_control_records_are_never_compressed(codec: int) -> None:
    with pytest.raises(ValueError, match="control records are never compressed"):
        build_batch([(b"\0\0\0\2", b"")], timestamp_ms=1, control=True, compression=codec)


def test_nothing_that_ships_asks_for_compressed_batches() -> None:
    asked = [
        f"{path.name}:{call.lineno}"
        for path in sorted(SOURCES.rglob("*.py"))
        if not {"generated", "testing"} & set(path.relative_to(SOURCES).parts)
        if "compression=" in (text := path.read_text())
        for call in ast.walk(ast.parse(text))
        if isinstance(call, ast.Call)
        and getattr(call.func, "id", getattr(call.func, "attr", "")) in ("build_batch", "build")
        and any(argument.arg == "compression" for argument in call.keywords)
    ]

    assert asked == []


@pytest.mark.parametrize("version", [0, 1])
def test_a_message_set_is_refused_by_name_however_short(version: int) -> None:
    old = golden(f"message_set_v{version}")
    assert len(old) < 61
    told = f"message format {version}, only format 2 is read: this is a message set v{version}"

    with pytest.raises(UnknownMagic, match=told):
        read_header(old)
    with pytest.raises(UnknownMagic, match=told) as refusal:
        list(walk_batches(golden("no_op") + old))
    assert refusal.value.at == len(golden("no_op"))
    with pytest.raises(UnknownMagic, match=told):
        list(walk_batches(old * 4))


@pytest.mark.parametrize("version", [0, 1])
def test_a_message_set_that_is_cut_off_is_a_tail_like_any_other(version: int) -> None:
    cut = golden(f"message_set_v{version}")[:-1]

    assert len(list(walk_batches(golden("no_op") + cut))) == 1
    with pytest.raises(TruncatedBatch):
        read_header(cut)


def test_a_short_run_of_zeros_is_no_message_set() -> None:
    assert list(walk_batches(bytes(60))) == []
