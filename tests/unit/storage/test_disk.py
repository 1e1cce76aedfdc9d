"""One set of promises for both disks: the real one and the simulated one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from metaquorum.storage.disk import Disk, DiskFailed, replace_durably
from metaquorum.storage.posix import PosixDisk
from metaquorum.testing.sim.disk import SimDisk
from metaquorum.wire.slices import FileSlice

Place = tuple[Disk, str]


@pytest.fixture(params=["posix", "simulated"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "posix":
        return PosixDisk(), str(tmp_path)
    disk = SimDisk()
    disk.make_directory("/disk")
    return disk, "/disk"


def test_appended_parts_stand_in_the_file_in_order(place: Place) -> None:
    disk, where = place
    file = disk.open(f"{where}/a", create=True)
    file.append([b"one", memoryview(b"two"), b""])
    file.append([bytearray(b"three")])
    file.sync()

    assert file.size() == 11
    assert file.read(0, 100) == b"onetwothree"
    assert file.read(3, 3) == b"two"
    assert file.read(11, 5) == b""
    file.close()
    assert disk.read_bytes(f"{where}/a") == b"onetwothree"


def test_more_parts_than_one_system_call_takes_are_all_written(place: Place) -> None:
    disk, where = place
    file = disk.open(f"{where}/a", create=True)
    file.append([b"%04d" % number for number in range(3000)])

    assert file.read(0, 20_000) == b"".join(b"%04d" % number for number in range(3000))


def test_a_file_that_is_opened_again_goes_on_at_its_end(place: Place) -> None:
    disk, where = place
    file = disk.open(f"{where}/a", create=True)
    file.append([b"begin"])
    file.close()
    again = disk.open(f"{where}/a", create=True)
    again.append([b"-end"])

    assert again.read(0, 99) == b"begin-end"


def test_truncating_cuts_and_appending_goes_on_there(place: Place) -> None:
    disk, where = place
    file = disk.open(f"{where}/a", create=True)
    file.append([b"0123456789"])
    file.truncate(4)
    file.append([b"x"])

    assert (file.size(), file.read(0, 99)) == (5, b"0123x")


def test_preallocation_never_shows_in_the_size(place: Place) -> None:
    disk, where = place
    file = disk.open(f"{where}/a", create=True)
    file.preallocate(1 << 16)
    file.append([b"data"])
    file.preallocate(1 << 16)
    file.sync()

    assert file.size() == 4
    assert disk.read_bytes(f"{where}/a") == b"data"


def test_room_shows_to_others_until_it_is_given_back(place: Place) -> None:
    disk, where = place
    file = disk.open(f"{where}/a", create=True)
    file.append([b"data"])
    assert file.make_room(100, b"mark")
    assert (file.size(), disk.read_bytes(f"{where}/a")) == (4, b"datamark" + bytes(96))
    file.append([b"123456789a", b"b"], b"mark")
    assert (file.size(), disk.read_bytes(f"{where}/a")) == (15, b"data123456789abmark" + bytes(85))
    file.append([b"123456789"], b"mark")
    file.sync()
    whole = b"data123456789ab123456789"
    assert (file.size(), disk.read_bytes(f"{where}/a")) == (24, whole + b"mark" + bytes(76))
    file.append([b"5"])
    assert (file.size(), file.read(24, 4)) == (25, b"5ark")
    file.truncate(25)
    assert (file.size(), disk.read_bytes(f"{where}/a")) == (25, whole + b"5")
    file.append([b"6"])
    assert disk.read_bytes(f"{where}/a") == whole + b"56"


def test_a_mark_beyond_the_room_makes_it_larger(place: Place) -> None:
    disk, where = place
    file = disk.open(f"{where}/a", create=True)
    assert file.make_room(6, b"mark")
    file.append([b"123456789"], b"mark")
    assert (file.size(), disk.read_bytes(f"{where}/a")) == (9, b"123456789mark")
    file.append([b"abcdefghi"], b"mark")
    assert (file.size(), disk.read_bytes(f"{where}/a")) == (18, b"123456789abcdefghimark")


def test_a_slice_reads_its_part_of_the_file(place: Place) -> None:
    disk, where = place
    file = disk.open(f"{where}/a", create=True)
    file.append([b"0123456789"])

    assert disk.read_slice(FileSlice(file.fileno(), 2, 5, file)) == b"23456"


def test_a_pinned_slice_outlives_the_name_of_its_file(place: Place) -> None:
    disk, where = place
    file = disk.open(f"{where}/a", create=True)
    file.append([b"still here"])
    part = FileSlice(file.fileno(), 0, 5, file)
    disk.unlink(f"{where}/a")
    del file

    assert disk.read_slice(part) == b"still"
    assert not disk.exists(f"{where}/a")


def test_renaming_replaces_and_removes_the_old_name(place: Place) -> None:
    disk, where = place
    for name in ("a", "b"):
        file = disk.open(f"{where}/{name}", create=True)
        file.append([name.encode()])
        file.close()
    disk.rename(f"{where}/a", f"{where}/b")

    assert disk.names(where) == ["b"]
    assert disk.read_bytes(f"{where}/b") == b"a"


def test_names_are_sorted_and_directories_are_made_with_their_parents(place: Place) -> None:
    disk, where = place
    disk.make_directory(f"{where}/z/y")
    disk.make_directory(f"{where}/z/y")
    for name in ("z/c", "z/a"):
        disk.open(f"{where}/{name}", create=True).close()
    disk.sync_directory(f"{where}/z")

    assert disk.names(f"{where}/z") == ["a", "c", "y"]
    assert disk.exists(f"{where}/z/y")
    assert not disk.exists(f"{where}/z/x")


@pytest.mark.parametrize(
    "attempt",
    [
        lambda disk, where: disk.open(f"{where}/missing"),
        lambda disk, where: disk.open(f"{where}/no/parent", create=True),
        lambda disk, where: disk.read_bytes(f"{where}/missing"),
        lambda disk, where: disk.names(f"{where}/missing"),
    ],
)
def test_what_is_not_there_is_a_file_not_found_error(
    place: Place, attempt: Callable[[Disk, str], object]
) -> None:
    disk, where = place
    with pytest.raises(FileNotFoundError):
        attempt(disk, where)


def test_removing_a_name_twice_is_no_failure(place: Place) -> None:
    disk, where = place
    disk.open(f"{where}/a", create=True).close()
    disk.unlink(f"{where}/a")
    disk.unlink(f"{where}/a")

    assert disk.names(where) == []


def test_renaming_what_is_not_there_is_a_disk_failure(place: Place) -> None:
    disk, where = place
    with pytest.raises(DiskFailed, match="cannot rename"):
        disk.rename(f"{where}/missing", f"{where}/b")


def test_a_file_replaced_durably_is_there_whole_and_nothing_beside_it(place: Place) -> None:
    disk, where = place
    replace_durably(disk, where, "state", b"first and longer")
    replace_durably(disk, where, "state", b"second")

    assert disk.names(where) == ["state"]
    assert disk.read_bytes(f"{where}/state") == b"second"


def test_a_finished_file_has_mode_0400_on_the_real_disk(tmp_path: Path) -> None:
    disk = PosixDisk()
    file = disk.open(f"{tmp_path}/a", create=True)
    file.make_read_only()

    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o400


def test_truncating_gives_preallocated_blocks_back_on_the_real_disk(tmp_path: Path) -> None:
    disk = PosixDisk()
    file = disk.open(f"{tmp_path}/a", create=True)
    file.append([b"x" * 5000])
    file.preallocate(1 << 20)
    file.truncate(5000)

    assert (tmp_path / "a").stat().st_blocks * 512 < 1 << 16


def test_a_write_to_a_closed_descriptor_is_a_disk_failure(tmp_path: Path) -> None:
    file = PosixDisk().open(f"{tmp_path}/a", create=True)
    file.close()
    for attempt in (lambda: file.append([b"x"]), file.sync, lambda: file.truncate(0)):
        with pytest.raises(DiskFailed, match="cannot"):
            attempt()


def test_a_failed_sync_is_a_disk_failure_on_the_simulated_disk() -> None:
    disk = SimDisk(sync_fails=1)
    file = disk.open("/a", create=True)
    file.sync()
    with pytest.raises(DiskFailed, match="cannot sync /a"):
        file.sync()
