"""The file of epoch starts: Kafka's text both ways."""

from __future__ import annotations

import pytest

from metaquorum.base.epochs import EpochStarts
from metaquorum.storage.epoch_file import decode_epochs, encode_epochs, read_epochs, write_epochs
from metaquorum.testing.sim.disk import SimDisk

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
