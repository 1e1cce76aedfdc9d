"""The marker of a clean stop: written once, taken once."""

from __future__ import annotations

from metaquorum.storage.clean_shutdown import take_marker, write_marker
from metaquorum.testing.sim.disk import SimDisk


def empty_disk() -> SimDisk:
    disk = SimDisk()
    disk.make_directory("/log")
    return disk


def test_the_marker_of_a_clean_stop_is_kafkas_and_is_taken_once() -> None:
    disk = empty_disk()
    write_marker(disk, "/log", 77)
    assert disk.read_bytes("/log/.kafka_cleanshutdown") == b'{"version":0,"brokerEpoch":77}'

    assert [take_marker(disk, "/log"), take_marker(disk, "/log")] == [True, False]
    assert disk.names("/log") == []


def test_a_marker_without_content_counts_as_well() -> None:
    disk = SimDisk.holding({"/log/.kafka_cleanshutdown": b""})

    assert take_marker(disk, "/log")
