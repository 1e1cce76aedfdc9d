"""The model of crashes: what may be lost, what may not, and what may be torn."""

from __future__ import annotations

from metaquorum.testing.sim.crashes import crashes
from metaquorum.testing.sim.disk import SimDisk


def survivors(disk: SimDisk, start: dict[str, bytes] | None = None) -> list[dict[str, bytes]]:
    """All that a crash at the very end may leave."""
    trace = disk.trace
    return [crash.files for crash in crashes(start or {}, trace, first=len(trace))]


def test_synced_bytes_under_synced_names_survive_every_crash() -> None:
    disk = SimDisk()
    file = disk.open("/a", create=True)
    file.append([b"kept"])
    file.sync()
    disk.sync_directory("/")

    assert survivors(disk) == [{"/a": b"kept"}]


def test_unsynced_bytes_survive_whole_torn_or_not_at_all() -> None:
    start = {"/a": b"old"}
    disk = SimDisk.holding(start)
    disk.open("/a").append([b"12345678"])
    left = [files["/a"] for files in survivors(disk, start)]

    assert left == [b"old", b"old1234", b"old1234567", b"old12345678"]


def test_a_later_write_never_survives_without_an_earlier_one() -> None:
    start = {"/a": b""}
    disk = SimDisk.holding(start)
    file = disk.open("/a")
    file.append([b"A"])
    file.append([b"B"])

    assert sorted(files["/a"] for files in survivors(disk, start)) == [b"", b"A", b"AB"]


def test_names_may_survive_without_bytes_and_bytes_without_names() -> None:
    disk = SimDisk()
    disk.open("/new", create=True).append([b"x"])

    assert {"/new": b""} in survivors(disk)
    assert {} in survivors(disk)

    synced = SimDisk()
    file = synced.open("/new", create=True)
    file.append([b"x"])
    file.sync()
    assert survivors(synced) == [{}, {"/new": b"x"}]


def test_a_rename_without_a_sync_before_it_may_leave_an_empty_file() -> None:
    start = {"/state": b"old"}
    disk = SimDisk.holding(start)
    disk.open("/state.tmp", create=True).append([b"new"])
    disk.rename("/state.tmp", "/state")
    disk.sync_directory("/")

    assert {"/state": b""} in survivors(disk, start)
    assert {"/state": b"new"} in survivors(disk, start)


def test_an_unsynced_removal_or_truncation_may_be_undone() -> None:
    start = {"/a": b"aaaa", "/b": b"bbbb"}
    disk = SimDisk.holding(start)
    disk.unlink("/a")
    disk.open("/b").truncate(1)
    left = survivors(disk, start)

    assert start in left
    assert {"/b": b"bbbb"} in left
    assert {"/b": b"b"} in left


def test_every_moment_of_a_trace_is_tried() -> None:
    disk = SimDisk()
    file = disk.open("/a", create=True)
    for _ in range(3):
        file.append([b"x"])
        file.sync()

    assert sorted({crash.done for crash in crashes({}, disk.trace)}) == list(range(8))
    assert [c.done for c in crashes({}, disk.trace, first=7)] == [7, 7]
