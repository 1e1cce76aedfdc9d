"""``dump-log`` beside Kafka's own: the files and the expected outputs came from Kafka 4.3.1."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from metaquorum.cli.main import run
from metaquorum.records.builder import build_batch

DATA = Path(__file__).parent / "data" / "dump_log"
SEGMENT = "00000000000000000043.log"
METADATA = "--cluster-metadata-decoder"
REMOTE = "--remote-log-metadata-decoder"
FIRST = "00000000000000000000.log"
TOPIC = "topic/00000000000000000000"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the data as the working directory, so that paths are short and may be spoilt."""
    shutil.copytree(DATA, tmp_path / "data")
    monkeypatch.chdir(tmp_path / "data")
    return tmp_path / "data"


def dumped(capsysbinary: pytest.CaptureFixture[bytes], *arguments: str) -> bytes:
    assert run(["dump-log", *arguments]) == 0
    return capsysbinary.readouterr().out


def expected(name: str) -> bytes:
    return (DATA / f"{name}.expected").read_bytes()


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("metadata_0", (METADATA, "--files", "00000000000000000000.log")),
        ("metadata_43", (METADATA, "--files", SEGMENT)),
        ("metadata_43_shallow", ("--files", SEGMENT)),
        ("metadata_43_deep", ("--deep-iteration", "--files", SEGMENT)),
        ("topic_print", ("--print-data-log", "--files", f"{TOPIC}.log")),
        ("metadata_43_print", ("--print-data-log", "--files", SEGMENT)),
        ("metadata_43_skip", (METADATA, "--skip-record-metadata", "--files", SEGMENT)),
        ("metadata_43_max_500", (METADATA, "--max-bytes", "500", "--files", SEGMENT)),
        (
            "snapshot_140",
            (METADATA, "--files", "00000000000000000140-0000000002.checkpoint"),
        ),
        ("bootstrap", (METADATA, "--files", "bootstrap.checkpoint")),
        ("offsets", ("--offsets-decoder", "--files", f"offsets/{FIRST}")),
        (
            "offsets_skip",
            ("--offsets-decoder", "--skip-record-metadata", "--files", f"offsets/{FIRST}"),
        ),
        ("transactions", ("--transaction-log-decoder", "--files", f"transactions/{FIRST}")),
        ("share_state", ("--share-group-state-decoder", "--files", f"share_state/{FIRST}")),
        ("remote_metadata", (REMOTE, "--files", f"remote_metadata/{FIRST}")),
        ("topic_shallow", ("--files", f"{TOPIC}.log")),
        ("topic_index", ("--files", f"{TOPIC}.index")),
        ("topic_timeindex", ("--files", f"{TOPIC}.timeindex")),
        ("topic_txnindex", ("--files", f"{TOPIC}.txnindex")),
        ("topic_snapshot", ("--files", "topic/00000000000000000029.snapshot")),
        ("topic_sanity", ("--index-sanity-check", "--files", f"{TOPIC}.index,{TOPIC}.timeindex")),
        ("topic_verify", ("--verify-index-only", "--files", f"{TOPIC}.index,{TOPIC}.timeindex")),
    ],
)
def test_output_is_kafkas_to_the_byte(
    name: str,
    arguments: tuple[str, ...],
    here: Path,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    assert dumped(capsysbinary, *arguments) == expected(name)


@pytest.mark.parametrize("padding", [5, 17])
def test_a_few_bytes_too_many_are_counted(
    padding: int, here: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    with open(here / SEGMENT, "ab") as file:
        file.write(bytes(padding))
    told = f"Found {padding} invalid bytes at the end of {SEGMENT}\n".encode()
    out = dumped(capsysbinary, METADATA, "--files", SEGMENT)
    assert out == expected("metadata_43") + told


def test_a_torn_batch_is_left_out_and_counted(
    here: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    content = (here / SEGMENT).read_bytes()
    (here / SEGMENT).write_bytes(content[:-20])
    whole = expected("metadata_43").splitlines(keepends=True)[:-2]
    told = f"Found 94 invalid bytes at the end of {SEGMENT}\n".encode()
    assert dumped(capsysbinary, METADATA, "--files", SEGMENT) == b"".join(whole) + told


def test_a_flipped_bit_is_told_and_does_not_stop_the_dump(
    here: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    content = bytearray((here / SEGMENT).read_bytes())
    content[17] ^= 1  # inside the checksum of the first batch
    (here / SEGMENT).write_bytes(content)
    lines = dumped(capsysbinary, "--files", SEGMENT).splitlines()
    assert lines[2].endswith(b"isvalid: false")
    assert lines[3:] == expected("metadata_43_shallow").splitlines()[3:]


def test_zeros_behind_the_log_stop_the_dump_with_a_place(
    here: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    with open(here / SEGMENT, "ab") as file:
        file.write(bytes(200))
    assert run(["dump-log", METADATA, "--files", SEGMENT]) == 1
    said = capsysbinary.readouterr()
    assert said.out == expected("metadata_43")
    assert b"at byte 2981 stands a batch of length 0" in said.err


def test_offsets_that_do_not_follow_each_other_are_told(
    here: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    content = (here / SEGMENT).read_bytes()
    first = 12 + int.from_bytes(content[8:12], "big")
    second = first + 12 + int.from_bytes(content[first + 8 : first + 12], "big")
    (here / SEGMENT).write_bytes(content[:first] + content[second:])
    run(["dump-log", "--deep-iteration", "--files", SEGMENT])
    assert capsysbinary.readouterr().err.decode() == (
        f"Non-consecutive offsets in {SEGMENT}\n  -1 is followed by 43\n  43 is followed by 45\n"
    )


def test_an_index_that_points_elsewhere_is_told(
    here: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = here / f"{TOPIC}.index"
    content = bytearray(path.read_bytes())
    content[3] += 1
    path.write_bytes(content)
    run(["dump-log", "--files", f"{TOPIC}.index"])
    assert capsysbinary.readouterr().err.decode() == (
        f"Mismatches in :{TOPIC}.index\n  Index offset: 15, log offset: 14\n"
    )


def test_a_time_index_that_disagrees_is_told(
    here: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = here / f"{TOPIC}.timeindex"
    content = bytearray(path.read_bytes())
    content[7] += 1
    path.write_bytes(content)
    run(["dump-log", "--files", f"{TOPIC}.timeindex"])
    assert capsysbinary.readouterr().err.decode() == (
        f"Found timestamp mismatch in :{TOPIC}.timeindex\n"
        "  Index timestamp: 1795254665916, log timestamp: 1795254665915\n"
    )


def test_a_time_index_out_of_order_is_told(
    here: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = here / f"{TOPIC}.timeindex"
    content = path.read_bytes()
    path.write_bytes(content[12:24] + content[:12] + content[24:])
    run(["dump-log", "--files", f"{TOPIC}.timeindex"])
    assert capsysbinary.readouterr().err.decode() == (
        f"Found out of order timestamp in :{TOPIC}.timeindex\n"
        "  Index timestamp: 1795254665915, Previously indexed timestamp: 1795254666102\n"
    )


def test_room_set_aside_at_the_end_of_an_index_is_no_entry(
    here: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    with open(here / f"{TOPIC}.index", "ab") as file:
        file.write(bytes(43))
    assert dumped(capsysbinary, "--files", f"{TOPIC}.index") == expected("topic_index")


def test_looking_changes_nothing(here: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    with open(here / f"{TOPIC}.index", "ab") as file:
        file.write(bytes(3))
    before = {path: path.read_bytes() for path in here.rglob("*") if path.is_file()}
    for suffix in ("log", "index", "timeindex"):
        dumped(capsysbinary, "--files", f"{TOPIC}.{suffix}")
    assert {path: path.read_bytes() for path in here.rglob("*") if path.is_file()} == before


def test_a_file_of_another_kind_is_passed_over(
    here: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert run(["dump-log", "--files", "notes.txt"]) == 0
    said = capsysbinary.readouterr()
    assert said.out == b"Dumping notes.txt\n"
    assert said.err == b"Ignoring unknown file notes.txt\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--files", "absent/00000000000000000000.log"], "No such file or directory"),
        (["--files", "name.log"], "named by an offset"),
        (["--files", "name.checkpoint"], "<20 digits>-<10 digits>.checkpoint"),
        (["--files", "00000000000000000007.index"], "00000000000000000007.log is not there"),
        (["--files", SEGMENT, "--offsets-decoder"], "the record at offset 43 has no key"),
        (["--files", "x.log", "--value-decoder-class", "a.B"], "Java classes are not loaded"),
    ],
)
def test_what_cannot_be_dumped_is_refused_with_its_reason(
    arguments: list[str], told: str, here: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert run(["dump-log", *arguments]) == 1
    assert told in capsysbinary.readouterr().err.decode()


def test_a_directory_in_the_place_of_a_segment_is_told_in_one_line(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / "00000000000000000000.log"
    path.mkdir()
    assert run(["dump-log", "--files", str(path)]) == 1
    assert capsysbinary.readouterr().err.decode() == f"metaquorum: {path}: Is a directory\n"


def test_a_value_that_is_no_metadata_record_does_not_stop_the_dump(
    here: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    out = dumped(capsysbinary, METADATA, "--max-bytes", "307", "--files", f"{TOPIC}.log").decode()
    assert "payload: Error at 0, skipping. frame version 118, only version 1 is known" in out
    assert "payload: Error at 9, skipping. " in out


def test_json_is_one_object_a_line(here: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    out = dumped(capsysbinary, METADATA, "-o", "json", "--files", SEGMENT)
    facts = [json.loads(line) for line in out.splitlines()]
    assert [one["kind"] for one in facts[:4]] == ["file", "log", "batch", "record"]
    assert {one["file"] for one in facts} == {SEGMENT}
    assert facts[2]["baseOffset"] == 43
    assert facts[2]["isvalid"] is True
    assert facts[3]["payload"]["type"] == "REGISTER_CONTROLLER_RECORD"


def test_a_damaged_producer_snapshot_is_reported_and_the_dump_goes_on(
    here: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = here / "topic" / "00000000000000000029.snapshot"
    content = bytearray(path.read_bytes())
    content[12] ^= 1
    path.write_bytes(content)
    assert run(["dump-log", "--files", f"{path},{SEGMENT}"]) == 0
    told = capsysbinary.readouterr()
    assert told.out.startswith(f"Dumping {path}\nDumping {SEGMENT}\n".encode())
    assert b"its checksum is not the one of its content" in told.err


def test_an_empty_index_is_told_to_be_empty_instead_of_sane(
    here: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    (here / f"{TOPIC}.index").write_bytes(b"")
    out = dumped(capsysbinary, "--index-sanity-check", "--files", f"{TOPIC}.index")
    assert out.decode() == f"Dumping {TOPIC}.index\n{TOPIC}.index is empty.\n"


def test_a_transaction_index_of_a_later_version_is_refused(
    here: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = here / f"{TOPIC}.txnindex"
    path.write_bytes(b"\0\1" + path.read_bytes()[2:])
    assert run(["dump-log", "--files", f"{TOPIC}.txnindex"]) == 1
    told = capsysbinary.readouterr()
    assert told.out.decode() == f"Dumping {TOPIC}.txnindex\n"
    assert b"version 1, only version 0 is known" in told.err


def test_too_high_a_record_count_still_shows_the_records_present(
    here: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    content = bytearray((here / SEGMENT).read_bytes())
    content[57] = 0x40  # the highest byte of the first batch's count
    (here / SEGMENT).write_bytes(content)
    assert run(["dump-log", "--deep-iteration", "--files", SEGMENT]) == 1
    told = capsysbinary.readouterr()
    whole = expected("metadata_43_deep").splitlines()
    second = next(at for at, line in enumerate(whole[3:], 3) if line.startswith(b"baseOffset"))
    assert told.out.splitlines()[3:] == whole[3:second]
    assert b"of the batch is cut off" in told.err


def test_sequences_below_none_are_counted_on_as_kafka_does(
    here: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    content = bytearray((here / SEGMENT).read_bytes())
    content[53:57] = (-9).to_bytes(4, "big", signed=True)
    (here / SEGMENT).write_bytes(content)
    first = dumped(capsysbinary, "--files", SEGMENT).splitlines()[2].decode()
    delta = int.from_bytes(content[23:27], "big")
    assert f"baseSequence: -9 lastSequence: {delta - 9} " in first


@pytest.mark.parametrize(
    ("decoder", "shown"),
    [("StringDecoder", "\0\0\0aZZZZ"), ("IntegerDecoder", "97"), ("LongDecoder", "418127698522")],
)
def test_the_decoders_of_kafkas_own_tools_can_be_named(
    decoder: str, shown: str, here: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    batch = build_batch([(b"\0\0\0aZZZZ", b"value")], timestamp_ms=1)
    (here / "00000000000000000000.log").write_bytes(batch)
    name = f"org.apache.kafka.tools.api.{decoder}"
    files = ("--files", "00000000000000000000.log")
    out = dumped(capsysbinary, "--key-decoder-class", name, *files)
    assert out.decode().splitlines()[-1].endswith(f"headerKeys: [] key: {shown} payload: value")


def test_a_value_too_short_for_its_decoder_stops_the_dump(
    here: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    batch = build_batch([(None, b"abc")], timestamp_ms=1)
    (here / "00000000000000000000.log").write_bytes(batch)
    name = "org.apache.kafka.tools.api.IntegerDecoder"
    arguments = ["--value-decoder-class", name, "--files", "00000000000000000000.log"]
    assert run(["dump-log", *arguments]) == 1
    assert b"3 bytes are no number of 4" in capsysbinary.readouterr().err
