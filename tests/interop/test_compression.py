"""Every codec both ways: segments of Kafka's classes are read by us, ours by Kafka and others."""

from __future__ import annotations

from pathlib import Path

import pytest
from aiokafka.record.memory_records import MemoryRecords as AioRecords

from metaquorum.records.batch import check
from metaquorum.records.builder import build_batch
from metaquorum.records.compression import NAMES
from metaquorum.records.reader import walk_batches, walk_records
from metaquorum.records.record import Record
from tools.kafka import JavaHelper, jars, jvm
from tools.kafka.helper import compiled
from tools.kafka.tool import finished
from tools.own_node import metaquorum

SOURCE = Path(__file__).parents[2] / "tools/java/CompressedLogs.java"
SEGMENT = "00000000000000000000.log"
TIMEOUT_S = 60
CODECS = range(len(NAMES))


@pytest.fixture(scope="module")
def their_logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory a codec, and v0 and v1, as Kafka's own classes wrote them."""
    target = tmp_path_factory.mktemp("theirs")
    run = jvm.command(
        jars.libs(),
        "CompressedLogs",
        flags=jvm.SHORT_LIVED_FLAGS,
        class_path=(compiled(SOURCE, jars.libs()),),
    )
    done = finished([*run, str(target)], TIMEOUT_S)
    assert done.exit_code == 0, done.stderr
    assert done.stdout.split() == [*NAMES, "v0", "v1"]
    return target


@pytest.fixture(scope="module")
def our_logs(tmp_path_factory: pytest.TempPathFactory, their_logs: Path) -> Path:
    """The same records, written by us with each codec, in the batches in which they came."""
    target = tmp_path_factory.mktemp("ours")
    content = (their_logs / "none" / SEGMENT).read_bytes()
    for codec, name in enumerate(NAMES):
        segment = target / name / SEGMENT
        segment.parent.mkdir()
        with segment.open("wb") as file:
            for header, batch in walk_batches(content):
                pairs = [(record.key, record.value) for record in walk_records(batch, header)]
                file.write(
                    build_batch(
                        pairs,
                        timestamp_ms=header.base_timestamp_ms,
                        base_offset=header.base_offset,
                        compression=codec,
                    )
                )
    return target


def records_of(segment: Path, codec: int) -> list[Record]:
    found: list[Record] = []
    for header, batch in walk_batches(segment.read_bytes()):
        assert header.compression == codec
        check(batch)
        found += walk_records(batch, header)
    return found


def same_dump(java: JavaHelper, segment: Path, name: str) -> None:
    theirs = java.tool("dump-log", "--print-data-log", "--files", segment)
    ours = metaquorum("dump-log", "--print-data-log", "--files", segment)
    assert (theirs.exit_code, ours.exit_code) == (0, 0), theirs.stderr + ours.stderr
    assert theirs.stdout.count(f"compresscodec: {name} ") == 3
    assert theirs.stdout.count("| offset: ") == 342
    assert ours.stdout == theirs.stdout


@pytest.mark.parametrize("codec", CODECS, ids=NAMES)
def test_what_kafkas_classes_compress_is_read_to_equal_records(
    their_logs: Path, codec: int
) -> None:
    plain = records_of(their_logs / "none" / SEGMENT, 0)
    assert len(plain) == 342
    assert records_of(their_logs / NAMES[codec] / SEGMENT, codec) == plain


@pytest.mark.parametrize("name", NAMES)
def test_segments_of_kafka_are_dumped_alike(java: JavaHelper, their_logs: Path, name: str) -> None:
    same_dump(java, their_logs / name / SEGMENT, name)


@pytest.mark.parametrize("name", NAMES)
def test_segments_of_ours_are_dumped_alike(java: JavaHelper, our_logs: Path, name: str) -> None:
    same_dump(java, our_logs / name / SEGMENT, name)


@pytest.mark.parametrize("codec", CODECS, ids=NAMES)
def test_aiokafka_reads_what_we_compress(our_logs: Path, codec: int) -> None:
    segment = our_logs / NAMES[codec] / SEGMENT
    batches = AioRecords(segment.read_bytes())
    seen: list[tuple[int, bytes | None, bytes | None]] = []
    while (batch := batches.next_batch()) is not None:
        assert batch.validate_crc()
        seen += [(record.offset, record.key, record.value) for record in batch]
    expected = records_of(segment, codec)
    assert seen == [(record.offset, record.key, record.value) for record in expected]


@pytest.mark.parametrize("version", [0, 1])
def test_a_message_set_of_kafkas_classes_is_refused_with_its_reason(
    their_logs: Path, version: int
) -> None:
    done = metaquorum(
        "dump-log", "--print-data-log", "--files", their_logs / f"v{version}" / SEGMENT
    )
    assert done.exit_code == 1
    assert f"the batch at byte 0 is of message format {version}, " in done.stderr
    assert "older than Kafka 0.11" in done.stderr
