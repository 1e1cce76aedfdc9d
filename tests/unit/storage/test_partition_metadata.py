"""partition.metadata: Kafka's text, checked against the topic id."""

from __future__ import annotations

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import METADATA_TOPIC_ID
from metaquorum.storage.partition_metadata import check_topic_id, read_topic_id, write_topic_id
from metaquorum.testing.sim.disk import SimDisk


def empty_disk() -> SimDisk:
    disk = SimDisk()
    disk.make_directory("/log")
    return disk


def test_partition_metadata_is_kafkas_text_without_a_line_feed() -> None:
    disk = empty_disk()
    write_topic_id(disk, "/log", METADATA_TOPIC_ID)

    assert disk.read_bytes("/log/partition.metadata") == (
        b"version: 0\ntopic_id: AAAAAAAAAAAAAAAAAAAAAQ"
    )
    assert read_topic_id(disk, "/log") == METADATA_TOPIC_ID


def test_missing_partition_metadata_is_written_another_topics_refused() -> None:
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
