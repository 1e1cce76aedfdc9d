"""Partitions as brokers of Kafka 2.8.2, 3.3.2 and 3.9.1 left them: snapshots, and uploads."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from metaquorum.storage.missing_snapshots import make_missing
from metaquorum.storage.names import PRODUCER_SNAPSHOT
from metaquorum.storage.partition_directories import partition_directories
from metaquorum.storage.posix import PosixDisk
from metaquorum.storage.producer_snapshot import decode_producers
from metaquorum.storage.tier_store import LocalStore
from metaquorum.storage.tier_upload import Done, PartitionUpload

GOLDEN = Path(__file__).parent / "golden"
NEVER_MS = 1 << 50  # the producers of these logs are not forgotten, whenever this runs
NOW_MS = 1_900_000_000_000


def broker(release: str, into: Path) -> Path:
    """The log directory as the broker left it."""
    packed = json.loads((GOLDEN / f"kafka_{release}_broker.json").read_text())
    for name, content in packed.items():
        path = into / name
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = bytes.fromhex(content) if isinstance(content, str) else bytes(content["zeros"])
        path.write_bytes(whole)
    return into


each_release = pytest.mark.parametrize("release", ["2_8_2", "3_3_2", "3_9_1"])


@each_release
def test_what_is_made_again_is_what_the_broker_had(release: str, tmp_path: Path) -> None:
    directory = broker(release, tmp_path) / "orders-0"
    theirs = {}
    for path in sorted(directory.glob(f"*{PRODUCER_SNAPSHOT}")):
        theirs[path.name] = frozenset(decode_producers(path.read_bytes()))
        path.unlink()
    disk = PosixDisk()
    (partition,) = partition_directories(disk, str(directory))
    made = list(make_missing(disk, partition, NOW_MS, NEVER_MS))
    assert len(made) == 3 and not any(one.problem for one in made)
    for path in directory.glob(f"*{PRODUCER_SNAPSHOT}"):
        assert frozenset(decode_producers(path.read_bytes())) == theirs[path.name]
    assert len(set(theirs.values())) == 4, "each batch changed the state"


@each_release
def test_its_segments_have_all_that_an_upload_wants(release: str, tmp_path: Path) -> None:
    directory = broker(release, tmp_path / "logs") / "orders-0"
    (directory / f"{8:020d}{PRODUCER_SNAPSHOT}").unlink()
    disk = PosixDisk()
    (partition,) = partition_directories(disk, str(directory))
    store = LocalStore(str(tmp_path / "store"))
    done = list(PartitionUpload(disk, partition, store, None, NOW_MS, NEVER_MS).run())
    assert [one.done for one in done] == [Done.UPLOADED] * 3
    made = [[part.regenerated for part in one.manifest.parts] for one in done if one.manifest]
    assert [any(one) for one in made] == [False, True, False]
