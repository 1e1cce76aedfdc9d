"""``dump-log`` of what brokers keep: damaged records, JSON, and which decoder counts.

Whole records are held against Kafka's output in ``test_dump_log.py``.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path

import pytest

from metaquorum.cli.main import run
from metaquorum.records.builder import build_batch
from metaquorum.wire.generated.storage import remote_log_segment_metadata_record as segment

OFFSETS = "--offsets-decoder"
REMOTE = "--remote-log-metadata-decoder"
KEY = b"\0\1\0\1g\0\1t\0\0\0\5"  # offsets of partition 5 of t by group g
VALUE = b"\0\0" + bytes(7) + b"\x2a\0\0" + bytes(7) + b"\x09"
SHOWN_KEY = {"type": "1", "data": {"group": "g", "topic": "t", "partition": 5}}
SHOWN_VALUE = {"version": "0", "data": {"offset": 42, "metadata": "", "commitTimestamp": 9}}


def record(
    tmp_path: Path,
    capsysbinary: pytest.CaptureFixture[bytes],
    key: bytes | None,
    value: bytes | None,
    *flags: str,
) -> str:
    """The last line of the dump of a log with this one record."""
    path = tmp_path / f"{0:020d}.log"
    path.write_bytes(build_batch([(key, value)], timestamp_ms=1))
    assert run(["dump-log", *flags, "--files", str(path)]) == 0
    return capsysbinary.readouterr().out.decode().splitlines()[-1]


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        (KEY[:-1], None, "read record with version 1 from key's buffer due to: OffsetCommitKey."),
        (KEY, VALUE[:-1], "read record with version 0 from value's buffer due to: OffsetCommitV"),
        (KEY, b"\0\4", "read record with version 4 from value's buffer due to: OffsetCommitV"),
        (KEY, b"\0", "read version from value's buffer."),
        (b"", VALUE, "read version from key's buffer."),
    ],
)
def test_a_damaged_record_is_told_and_does_not_stop_the_dump(
    key: bytes,
    value: bytes | None,
    told: str,
    tmp_path: Path,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    line = record(tmp_path, capsysbinary, key, value, OFFSETS)
    assert f" headerKeys: [] key: Error at offset 0, skipping. Could not {told}" in line


@pytest.mark.parametrize(("value", "shown"), [(VALUE, SHOWN_VALUE), (None, None)])
def test_a_coordinators_record_as_json_has_key_and_payload(
    value: bytes | None,
    shown: object,
    tmp_path: Path,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    facts = json.loads(record(tmp_path, capsysbinary, KEY, value, OFFSETS, "-o", "json"))
    assert (facts["key"], facts["payload"]) == (SHOWN_KEY, shown)
    assert "error" not in facts


def test_a_record_that_cannot_be_read_has_an_error_in_json(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    facts = json.loads(record(tmp_path, capsysbinary, b"\0\x63", None, OFFSETS, "-o", "json"))
    assert facts["error"] == "unknown record type 99"
    assert "key" not in facts


def remote_segment(**fields: object) -> bytes:
    message = segment.RemoteLogSegmentMetadataRecord(
        end_offset=7, segment_leader_epochs=[segment.SegmentLeaderEpochEntry(leader_epoch=2)]
    )
    for name, value in fields.items():
        setattr(message, name, value)
    return b"\1\0\0" + segment.encode(message, 0)


def test_a_remote_segment_as_json_is_its_schema(
    tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    facts = json.loads(record(tmp_path, capsysbinary, None, remote_segment(), REMOTE, "-o", "json"))
    assert facts["payload"]["type"] == "RemoteLogSegmentMetadataRecord"
    assert facts["payload"]["data"]["segmentLeaderEpochs"] == [{"leaderEpoch": 2, "offset": 0}]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (None, "there is no value"),
        (b"\1\4\0", "unknown record type 4"),
        (b"\1\0\1", "RemoteLogSegmentMetadataRecord version 1 is not known"),
        (remote_segment() + b"x", "1 bytes left over"),
        (remote_segment(start_offset=8), "a segment from offset 8 to 7"),
        (remote_segment(start_offset=-1), "a segment from offset -1 to 7"),
        (remote_segment(segment_leader_epochs=[]), "a segment without leader epochs"),
        (remote_segment(remote_log_segment_state=4), "state 4 is not known"),
        (remote_segment(remote_log_segment_state=-1), "state -1 is not known"),
    ],
)
def test_invalid_remote_metadata_is_reported_and_the_dump_goes_on(
    value: bytes | None, told: str, tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    line = record(tmp_path, capsysbinary, None, value, REMOTE)
    assert f" headerKeys: [] payload: Error at offset 0, skipping. {told}" in line


@pytest.mark.parametrize(
    ("flags", "shown"),
    [
        ((OFFSETS, "--transaction-log-decoder"), "key: Unknown record type 99 at offset 0"),
        (("--transaction-log-decoder", "--cluster-metadata-decoder"), "key: Unknown record type"),
        (("--cluster-metadata-decoder", REMOTE), "payload: Error at 0, skipping."),
        ((REMOTE, "--share-group-state-decoder"), "payload: Error at offset 0, skipping."),
    ],
)
def test_of_two_decoders_the_one_that_kafka_takes_counts(
    flags: tuple[str, ...],
    shown: str,
    tmp_path: Path,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    for order in (flags, flags[::-1]):
        assert shown in record(tmp_path, capsysbinary, b"\0\x63", b"", *order)


def test_the_version_stands_alone_on_its_line(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(["dump-log", "--version"]) == 0
    assert capsysbinary.readouterr().out.decode() == f"{version('metaquorum')}\n"
