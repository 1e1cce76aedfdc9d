"""Uploads of segments: all parts or none, nothing made up, and the same after any interruption."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.storage.missing_snapshots import EXPIRATION_MS, make_missing
from metaquorum.storage.partition_directories import partition_directories
from metaquorum.storage.posix import PosixDisk
from metaquorum.storage.producer_snapshot import EMPTY
from metaquorum.storage.tier_check import check_store
from metaquorum.storage.tier_store import LocalStore, StoreFailed
from metaquorum.storage.tier_upload import Done
from tests.unit.storage.broker_batches import NOW_MS, data, marker
from tests.unit.storage.tiered_partition import (
    TOPIC_ID,
    contents,
    orders,
    upload,
    whole_partition,
)


def name(base: int, suffix: str) -> str:
    return f"{base:020d}{suffix}"


def key(base: int) -> str:
    return f"orders/{TOPIC_ID}/0/{base:020d}"


def test_a_closed_segment_is_uploaded_whole_and_its_log_only_read(
    tmp_path: Path,
) -> None:
    directory, store = orders(tmp_path), tmp_path / "store"
    before = contents(directory)
    assert [one.done for one in upload(directory, store)] == [Done.UPLOADED] * 3
    assert contents(directory) == before
    found = contents(store / key(3))
    assert sorted(found) == [
        name(3, ".index"),
        name(3, ".log"),
        name(3, ".timeindex"),
        name(5, ".snapshot"),
        "leader-epoch-checkpoint",
        "manifest.json",
    ]
    for suffix in (".log", ".index", ".timeindex"):
        assert found[name(3, suffix)] == before[name(3, suffix)]
    assert found["leader-epoch-checkpoint"] == b"0\n2\n1 0\n4 4\n"
    assert contents(store / key(0))["leader-epoch-checkpoint"] == b"0\n1\n1 0\n"
    told = json.loads(found["manifest.json"])
    assert (told["topic"], told["topic_id"], told["partition"]) == ("orders", TOPIC_ID, 0)
    assert (told["base_offset"], told["end_offset"]) == (3, 5)
    assert told["leader_epochs"] == [[1, 3], [4, 4]]
    assert not (store / key(7)).exists(), "the active segment stays"


def test_a_missing_producer_snapshot_is_rebuilt_as_regenerate_does(tmp_path: Path) -> None:
    directory, store = orders(tmp_path), tmp_path / "store"
    upload(directory, store)
    disk = PosixDisk()
    (partition,) = partition_directories(disk, str(directory))
    assert all(one.made for one in make_missing(disk, partition, NOW_MS, EXPIRATION_MS))
    for base, end in ((0, 3), (3, 5), (5, 7)):
        made = (store / key(base) / name(end, ".snapshot")).read_bytes()
        assert made == (directory / name(end, ".snapshot")).read_bytes() != EMPTY
        parts = json.loads((store / key(base) / "manifest.json").read_bytes())["parts"]
        assert [one["regenerated"] for one in parts] == [False] * (len(parts) - 1) + [True]


def test_a_snapshot_that_is_there_goes_as_it_is(tmp_path: Path) -> None:
    directory, store = orders(tmp_path), tmp_path / "store"
    (directory / name(3, ".snapshot")).write_bytes(EMPTY)
    (directory / name(5, ".snapshot")).write_bytes(b"\0\1 torn")
    upload(directory, store)
    assert (store / key(0) / name(3, ".snapshot")).read_bytes() == EMPTY
    assert (store / key(3) / name(5, ".snapshot")).stat().st_size == 10 + 2 * 46


def test_what_is_there_already_is_left_alone(tmp_path: Path) -> None:
    directory, store = orders(tmp_path), tmp_path / "store"
    upload(directory, store)
    before = {one: one.stat().st_mtime_ns for one in store.rglob("*")}
    assert [one.done for one in upload(directory, store)] == [Done.THERE] * 3
    assert {one: one.stat().st_mtime_ns for one in store.rglob("*")} == before


def test_a_dry_run_looks_through_everything_and_writes_nothing(tmp_path: Path) -> None:
    directory, store = orders(tmp_path), tmp_path / "store"
    assert [one.done for one in upload(directory, store, dry_run=True)] == [Done.WOULD_BE] * 3
    assert not store.exists()


class Interrupted(LocalStore):
    """A store that takes so many objects and then fails."""

    def __init__(self, directory: Path, left: int) -> None:
        super().__init__(str(directory))
        self.left = left

    def put(self, key: str, content: BinaryIO, size_bytes: int, sha256: str) -> None:
        if not self.left:
            raise StoreFailed("the line was cut")
        self.left -= 1
        super().put(key, content, size_bytes, sha256)


@pytest.mark.parametrize("after", range(18))
def test_an_upload_interrupted_anywhere_is_completed_by_the_next(
    tmp_path: Path, after: int
) -> None:
    directory, store = orders(tmp_path), tmp_path / "store"
    upload(directory, tmp_path / "wanted")
    with pytest.raises(StoreFailed, match="the line was cut"):
        upload(directory, Interrupted(store, after))
    for one in store.rglob("manifest.json"):
        assert contents(one.parent) == contents(tmp_path / "wanted" / one.parent.relative_to(store))
    upload(directory, store)
    assert contents(store) == contents(tmp_path / "wanted")


def test_a_part_that_was_lost_in_the_store_is_put_again(tmp_path: Path) -> None:
    directory, store = orders(tmp_path), tmp_path / "store"
    upload(directory, store)
    wanted = contents(store)
    (store / key(3) / name(3, ".index")).unlink()
    (store / key(5) / name(5, ".log")).write_bytes(b"cut")
    told = {one.key: one.problems for one in check_store(LocalStore(str(store)))}
    assert told[key(0) + "/"] == ()
    assert told[key(3) + "/"] == (f"{name(3, '.index')} is missing: the offset-index",)
    assert "has 3 bytes" in told[key(5) + "/"][0]
    done = [one.done for one in upload(directory, store)]
    assert done == [Done.THERE, Done.UPLOADED, Done.UPLOADED]
    assert contents(store) == wanted


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-3])


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(bytes(content))


def lies(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[3] += 9
    path.write_bytes(bytes(content))


def points_elsewhere(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[15] ^= 2
    path.write_bytes(bytes(content))


@pytest.mark.parametrize(
    ("file", "harm", "why"),
    [
        (name(3, ".log"), flip, "is damaged at byte"),
        (name(3, ".log"), cut, "it is cut off"),
        (name(3, ".index"), Path.unlink, "is missing: the offset index"),
        (name(3, ".index"), cut, "is damaged at byte 8: 13 bytes"),
        (name(3, ".index"), lies, "is damaged at byte 0: offset 12"),
        (name(3, ".index"), points_elsewhere, "no batch begins at position"),
        (name(3, ".timeindex"), Path.unlink, "is missing: the time index"),
        (name(3, ".timeindex"), cut, "no whole number of entries"),
        (name(3, ".txnindex"), lambda path: path.write_bytes(b"\0\1" + bytes(32)), "version 1"),
    ],
)
def test_a_segment_with_a_part_that_is_missing_or_rotten_stays(
    tmp_path: Path, file: str, harm: Callable[[Path], None], why: str
) -> None:
    directory, store = orders(tmp_path), tmp_path / "store"
    upload(directory, tmp_path / "wanted")
    for end in (3, 5, 7):  # so that rot in one segment costs no other one its snapshot
        made = tmp_path / "wanted" / key({3: 0, 5: 3, 7: 5}[end]) / name(end, ".snapshot")
        (directory / made.name).write_bytes(made.read_bytes())
    harm(directory / file)
    first, second, third = upload(directory, store)
    assert (first.done, second.done, third.done) == (Done.UPLOADED, Done.REFUSED, Done.UPLOADED)
    assert str(directory / file) in second.why and why in second.why
    assert not (store / key(3)).exists()


@pytest.mark.parametrize(
    ("epochs", "why"),
    [
        (None, "is missing: the leader epochs"),
        ("0\n2\n1 0\n", "is damaged"),
        ("", "tells no leader epoch"),
        ("0\n1\n5 90\n", "tells no leader epoch"),
    ],
)
def test_without_leader_epochs_nothing_is_uploaded(
    tmp_path: Path, epochs: str | None, why: str
) -> None:
    directory, store = orders(tmp_path), tmp_path / "store"
    path = directory / "leader-epoch-checkpoint"
    path.unlink() if epochs is None else path.write_text(epochs)
    done = upload(directory, store)
    assert {one.done for one in done} == {Done.REFUSED}
    assert all(str(path) in one.why and why in one.why for one in done)
    assert not store.exists()


def test_an_aborted_transaction_wants_its_index(tmp_path: Path) -> None:
    segments = {
        0: [data(0, 7, transactional=True), marker(1, 7, commit=False)],
        2: [data(2)],
    }
    directory = whole_partition(tmp_path / "orders-0", segments)
    (done,) = upload(directory, tmp_path / "store")
    assert done.done is Done.REFUSED
    assert f"{directory / name(0, '.txnindex')} is missing: the transaction index" in done.why
    (directory / name(0, ".txnindex")).write_bytes(
        bytes(2) + (7).to_bytes(8, "big") + bytes(8) + (1).to_bytes(8, "big") * 2
    )
    (done,) = upload(directory, tmp_path / "store")
    assert done.done is Done.UPLOADED
    assert (tmp_path / "store" / key(0) / name(0, ".txnindex")).stat().st_size == 34


def test_rot_without_snapshots_stops_what_comes_after_it(tmp_path: Path) -> None:
    directory, store = orders(tmp_path), tmp_path / "store"
    log = directory / name(3, ".log")
    log.write_bytes(log.read_bytes()[:70])
    done = upload(directory, store)
    assert [one.done for one in done] == [Done.UPLOADED, Done.NOT_YET, Done.NOT_YET]


def test_what_is_not_committed_stays(tmp_path: Path) -> None:
    directory = orders(tmp_path)
    done = upload(directory, tmp_path / "store", high_watermark=6)
    assert [one.done for one in done] == [Done.UPLOADED, Done.UPLOADED, Done.NOT_YET]
    assert done[2].why == "the high watermark is 6"


@pytest.mark.parametrize("snapshots", [False, True])
def test_what_an_open_transaction_began_in_stays(tmp_path: Path, snapshots: bool) -> None:
    segments = {
        0: [data(0)],
        1: [data(1, 7, transactional=True)],
        2: [data(2, 8, transactional=True)],
        3: [marker(3, 8)],
    }
    directory = whole_partition(tmp_path / "orders-0", segments)
    if snapshots:
        disk = PosixDisk()
        (partition,) = partition_directories(disk, str(directory))
        assert len(list(make_missing(disk, partition, NOW_MS, EXPIRATION_MS))) == 3
    done = upload(directory, tmp_path / "store")
    assert [one.done for one in done] == [Done.UPLOADED, Done.NOT_YET, Done.NOT_YET]
    assert done[1].why == "a transaction is open since offset 1"


def test_another_segment_of_that_place_is_not_overwritten(tmp_path: Path) -> None:
    directory, store = orders(tmp_path), tmp_path / "store"
    upload(directory, store)
    kept = contents(store)
    other = whole_partition(
        tmp_path / "other" / "orders-0", {0: [data(0, 1, value=b"other than those")], 3: []}
    )
    (done,) = upload(other, store)
    assert done.done is Done.REFUSED and "holds another segment" in done.why
    assert contents(store) == kept


def test_a_topic_from_before_topic_ids_has_none(tmp_path: Path) -> None:
    directory, store = orders(tmp_path), tmp_path / "store"
    (directory / "partition.metadata").unlink()
    upload(directory, store)
    told = json.loads((store / "orders/no-topic-id/0" / name(0, "") / "manifest.json").read_bytes())
    assert told["topic_id"] is None


def test_a_foreign_file_in_the_place_of_the_id_is_refused_by_name(tmp_path: Path) -> None:
    directory = orders(tmp_path)
    (directory / "partition.metadata").write_bytes(b"\xff\0 what")
    with pytest.raises(OperatorError, match=r"partition\.metadata"):
        upload(directory, tmp_path / "store")


def test_a_deep_check_finds_a_part_that_only_looks_right(tmp_path: Path) -> None:
    directory, store = orders(tmp_path), tmp_path / "store"
    upload(directory, store)
    flip(store / key(0) / name(0, ".log"))
    assert not any(one.problems for one in check_store(LocalStore(str(store))))
    wrong = [one for one in check_store(LocalStore(str(store)), deep=True) if one.problems]
    assert [one.key for one in wrong] == [key(0) + "/"]
    assert "another checksum" in wrong[0].problems[0]
    (store / key(5) / "manifest.json").unlink()
    assert any(
        "interrupted" in one.problems[0]
        for one in check_store(LocalStore(str(store)))
        if one.problems
    )
