"""The other small files of a directory: epochs, topic id, producer state, marker, lock."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from metaquorum.base.epochs import EpochStarts
from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import METADATA_TOPIC_ID
from metaquorum.storage.clean_shutdown import take_marker, write_marker
from metaquorum.storage.directory_lock import DirectoryLock
from metaquorum.storage.epoch_file import decode_epochs, encode_epochs, read_epochs, write_epochs
from metaquorum.storage.partition_metadata import check_topic_id, read_topic_id, write_topic_id
from metaquorum.storage.producer_snapshot import write_empty_producer_snapshot
from metaquorum.testing.sim_disk import SimDisk

EPOCHS = EpochStarts((1, 3, 4), (0, 344, 424))


def empty_disk() -> SimDisk:
    disk = SimDisk()
    disk.make_directory("/log")
    return disk


def test_the_epoch_file_is_kafkas_text_both_ways() -> None:
    assert encode_epochs(EPOCHS) == b"0\n3\n1 0\n3 344\n4 424\n"
    assert decode_epochs(b"0\n3\n1 0\n3 344\n4 424\n") == EPOCHS
    assert decode_epochs(b"") == decode_epochs(b"0\n0\n") == EpochStarts()


@pytest.mark.parametrize(
    "content",
    [b"1\n0\n", b"0\n", b"0\n2\n1 0\n", b"0\n1\n1\n", b"0\n1\na b\n", b"0\n2\n2 0\n1 5\n", b"\xff"],
)
def test_an_epoch_file_that_contradicts_itself_says_nothing(content: bytes) -> None:
    assert decode_epochs(content) is None


def test_epochs_that_were_written_are_read_back() -> None:
    disk = empty_disk()
    assert read_epochs(disk, "/log") is None
    write_epochs(disk, "/log", EPOCHS)
    assert read_epochs(disk, "/log") == EPOCHS


def test_partition_metadata_is_kafkas_text_without_a_line_feed() -> None:
    disk = empty_disk()
    write_topic_id(disk, "/log", METADATA_TOPIC_ID)

    assert disk.read_bytes("/log/partition.metadata") == (
        b"version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAQ"
    )
    assert read_topic_id(disk, "/log") == METADATA_TOPIC_ID


def test_a_missing_partition_metadata_is_written_and_another_topics_is_refused() -> None:
    disk = empty_disk()
    check_topic_id(disk, "/log", METADATA_TOPIC_ID)
    check_topic_id(disk, "/log", METADATA_TOPIC_ID)
    with pytest.raises(OperatorError, match="the directory is another topic's"):
        check_topic_id(disk, "/log", bytes(15) + b"\x07")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "version missing"),
        (b"version: 1\ntopic_id: AAAAAAAAAAAAAAAAAAAAAQ", "version 1, only version 0"),
        (b"version: 0\ntopic_id: AAAA", "topic_id: "),
        (b"version: 0\n", "topic_id: "),
    ],
)
def test_a_partition_metadata_that_says_nothing_is_refused(content: bytes, why: str) -> None:
    disk = SimDisk.holding({"/log/partition.metadata": content})
    with pytest.raises(OperatorError, match=f"/log/partition.metadata: {why}"):
        read_topic_id(disk, "/log")


def test_the_producer_state_of_the_metadata_log_is_kafkas_empty_one() -> None:
    disk = empty_disk()
    write_empty_producer_snapshot(disk, "/log", 42)

    assert disk.files() == {
        "/log/00000000000000000042.snapshot": bytes.fromhex("000148674bc700000000")
    }


def test_the_marker_of_a_clean_stop_is_kafkas_and_is_taken_once() -> None:
    disk = empty_disk()
    write_marker(disk, "/log", 77)
    assert disk.read_bytes("/log/.kafka_cleanshutdown") == b'{"version":0,"brokerEpoch":77}'

    assert [take_marker(disk, "/log"), take_marker(disk, "/log")] == [True, False]
    assert disk.names("/log") == []


def test_a_marker_without_content_counts_as_well() -> None:
    disk = SimDisk.holding({"/log/.kafka_cleanshutdown": b""})

    assert take_marker(disk, "/log")


def test_a_locked_directory_is_refused_to_another_process_until_it_is_released(
    tmp_path: Path,
) -> None:
    lock = DirectoryLock(str(tmp_path))
    program = (
        "import sys\n"
        "from metaquorum.base.errors import OperatorError\n"
        "from metaquorum.storage.directory_lock import DirectoryLock\n"
        "try:\n"
        "    DirectoryLock(sys.argv[1]).release()\n"
        "except OperatorError as error:\n"
        "    sys.exit(str(error))\n"
    )

    def other() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", program, str(tmp_path)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    refused = other()
    assert refused.returncode == 1
    assert f"{tmp_path} is in use: another process holds" in refused.stderr
    lock.release()
    lock.release()
    assert os.listdir(tmp_path) == []
    assert other().returncode == 0
