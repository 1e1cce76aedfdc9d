"""The producer state file of a log without producers."""

from __future__ import annotations

from metaquorum.storage.producer_snapshot import write_empty_producer_snapshot
from metaquorum.testing.sim_disk import SimDisk


def empty_disk() -> SimDisk:
    disk = SimDisk()
    disk.make_directory("/log")
    return disk


def test_the_producer_state_of_the_metadata_log_is_kafkas_empty_one() -> None:
    disk = empty_disk()
    write_empty_producer_snapshot(disk, "/log", 42)

    assert disk.files() == {
        "/log/00000000000000000042.snapshot": bytes.fromhex("000148674bc700000000")
    }
