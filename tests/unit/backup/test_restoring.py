"""A backup is restored: the same state, new voters, through every crash of the machine."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from metaquorum.backup.chain import listed, read_chain
from metaquorum.backup.restoring import Order, Restored, restore
from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import Offset
from metaquorum.cli.metadata_diff import changes
from metaquorum.cli.metadata_files import from_directory
from metaquorum.cli.metadata_load import Loading
from metaquorum.cli.metadata_point import END
from metaquorum.quorum.types import Endpoint, ReplicaKey, Voter
from metaquorum.records.batch import read_header
from metaquorum.recover.reading import survey_directory
from metaquorum.storage import meta_properties, quorum_state
from metaquorum.storage.disk import DiskFailed, LocalDisk
from metaquorum.storage.names import METADATA_DIRECTORY
from metaquorum.storage.posix import PosixDisk
from metaquorum.testing.sim.crashes import crashes
from metaquorum.testing.sim.disk import SimDisk
from tests.unit.backup.backed_up import NOW_MS, Backups, Cluster, batches

TOKEN = "0123456789ab"


def new(*ids: int) -> tuple[Voter, ...]:
    return tuple(
        Voter(
            ReplicaKey(one, bytes((one,)) * 16), (Endpoint("CONTROLLER", f"new{one}", 9093),), 0, 1
        )
        for one in ids
    )


def restored(
    backups: Backups,
    disk: LocalDisk,
    directory: str,
    *,
    node: int = 7,
    voters: tuple[Voter, ...] = (),
    cluster_id: str | None = None,
    at: Offset | None = None,
    token: str = TOKEN,
) -> Restored:
    order = Order(node_id=node, voters=voters or new(node), cluster_id=cluster_id, at=at)
    return restore(disk, backups.store, order, directory, token, NOW_MS)


def backed_up(tmp_path: Path, *, dynamic: bool = True) -> Backups:
    """A snapshot, the log behind it, and a second step of another epoch."""
    cluster = Cluster(dynamic)
    cluster.write("a", "b")
    cluster.snapshot(drops=True)
    cluster.write("c")
    backups = Backups(cluster, tmp_path)
    backups.take()
    cluster.elect()
    cluster.write("d", "e")
    cluster.write("f")
    backups.take()
    return backups


def empty(directory: str = "/n7") -> SimDisk:
    disk = SimDisk()
    disk.make_directory(directory)
    disk.sync_directory("/")
    return disk


def test_the_directory_is_that_of_a_voter_that_led(tmp_path: Path) -> None:
    backups, disk = backed_up(tmp_path), empty()
    done = restored(backups, disk, "/n7", cluster_id="NEW")
    cluster = backups.cluster
    assert (done.at, done.epoch, done.kraft_version) == (cluster.end, 1_002, 1)
    assert disk.names("/n7") == [METADATA_DIRECTORY, "meta.properties"]
    identity = meta_properties.read(disk, "/n7")
    assert identity is not None
    assert (identity.cluster_id, identity.node_id) == ("NEW", 7)
    assert identity.directory_id == new(7)[0].key.directory_id
    state = quorum_state.read(disk, f"/n7/{METADATA_DIRECTORY}")
    assert state is not None and (state.epoch, state.leader_id) == (1_002, 7)
    survey = survey_directory(disk, "/n7", NOW_MS)
    assert not survey.damages and survey.end.offset == done.end
    assert survey.voters[-1].voters == new(7)
    log = disk.read_bytes(f"/n7/{METADATA_DIRECTORY}/00000000000000000005.log")
    assert log.startswith(batches(cluster.history, 5, cluster.end))
    raw = disk.read_bytes(f"/n7/{METADATA_DIRECTORY}/00000000000000000005-0000000001.checkpoint")
    assert cluster.quorum[1].snapshot is not None and raw == cluster.quorum[1].snapshot[1]


def test_the_old_cluster_id_is_kept_where_that_is_asked(tmp_path: Path) -> None:
    disk = empty()
    assert restored(backed_up(tmp_path), disk, "/n7").cluster_id == "CLUSTER"
    identity = meta_properties.read(disk, "/n7")
    assert identity is not None and identity.cluster_id == "CLUSTER"


def test_static_voters_stay_static(tmp_path: Path) -> None:
    backups, disk = backed_up(tmp_path, dynamic=False), empty()
    done = restored(backups, disk, "/n7", voters=new(7, 8, 9))
    assert (done.kraft_version, done.end) == (0, backups.cluster.end)
    state = quorum_state.read(disk, f"/n7/{METADATA_DIRECTORY}")
    assert state is not None and (state.data_version, state.voters) == (0, (7, 8, 9))


def test_a_static_quorum_is_restored_from_a_snapshot_alone(tmp_path: Path) -> None:
    cluster = Cluster(dynamic=False)
    cluster.write("a")
    cluster.snapshot(drops=True)
    backups, disk = Backups(cluster, tmp_path), empty()
    backups.take()
    assert restored(backups, disk, "/n7").end == cluster.end


def test_each_voter_of_one_order_gets_the_same_log(tmp_path: Path) -> None:
    backups = backed_up(tmp_path)
    logs = []
    for number, node in enumerate((7, 8, 9)):
        disk = empty()
        token = f"{number:012x}"
        done = restored(
            backups, disk, "/n7", node=node, voters=new(7, 8, 9), at=9, token=token
        )  # fmt: skip
        partition = f"/n7/{METADATA_DIRECTORY}"
        logs.append(disk.read_bytes(f"{partition}/00000000000000000005.log"))
        state = quorum_state.read(disk, partition)
        assert state is not None and state.epoch == done.epoch
        assert (state.leader_id, state.voted_id) == ((7, None) if node == 7 else (None, 7))
    assert logs[0] == logs[1] == logs[2]


def test_a_state_is_cut_at_the_end_of_a_batch(tmp_path: Path) -> None:
    backups, disk = backed_up(tmp_path), empty()
    assert restored(backups, disk, "/n7", at=8).at == 7  # 7 to 9 are one batch
    assert restored(backups, empty(), "/n7", at=5).at == 5  # the snapshot alone
    with pytest.raises(OperatorError, match=r"offset 4 is not in the backup; .*: 5 to 10"):
        restored(backups, empty(), "/n7", at=4)


@pytest.mark.parametrize("name", ["meta.properties", "topic-0/x", "metaquorum-recovery.json"])
def test_a_directory_that_is_not_empty_is_refused(tmp_path: Path, name: str) -> None:
    backups = backed_up(tmp_path)
    disk = empty()
    restored(backups, disk, "/n7")
    content = b"x" if "recovery" not in name else (
        b'{"kind": "metaquorum recovery journal", "version": 1, "planId": "abc", "nodeId": 7,'
        b'"phase": "done", "hadDirectory": true, "hadIdentity": true, "writesIdentity": false,'
        b'"built": ""}'
    )  # fmt: skip
    other = SimDisk.holding({f"/n7/{name}": content})
    before = other.files()
    with pytest.raises(OperatorError, match=r"/n7 is not empty: there is "):
        restored(backups, other, "/n7")
    assert other.files() == before
    before = disk.files()
    with pytest.raises(OperatorError, match="there is __cluster_metadata-0 in it"):
        restored(backups, disk, "/n7", token="ba9876543210")
    assert disk.files() == before


def test_a_node_that_is_no_new_voter_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OperatorError, match="node 7 is none of the new voters"):
        restored(backed_up(tmp_path), empty(), "/n7", voters=new(1, 2, 3))


@pytest.mark.parametrize("file", ["checkpoint", "log"])
def test_a_damaged_backup_leaves_the_directory_empty(tmp_path: Path, file: str) -> None:
    backups, disk = backed_up(tmp_path), empty()
    (path, *_) = sorted(Path(backups.store.uri).rglob(f"*.{file}"))
    content = bytearray(path.read_bytes())
    content[-10] ^= 1
    path.write_bytes(content)
    with pytest.raises(OperatorError, match="has another checksum than what was backed up"):
        restored(backups, disk, "/n7")
    assert disk.names("/n7") == []


@pytest.mark.slow
def test_after_every_crash_the_same_command_begins_anew(tmp_path: Path) -> None:
    backups, disk = backed_up(tmp_path), empty()
    before, begun = disk.files(), len(disk.trace)
    restored(backups, disk, "/n7")
    after = {path: body for path, body in disk.files().items() if "meta.prop" not in path}
    tried = done = 0
    for crash in crashes(before, disk.trace[begun:], most_cuts=2):
        again = SimDisk.holding(crash.files)
        again.make_directory("/n7")
        try:
            restored(backups, again, "/n7", token="ba9876543210")
        except OperatorError as error:  # it was all done, but for its end being told
            assert "/n7 is not empty" in str(error)
            done += 1
        left = {path: body for path, body in again.files().items() if "meta.prop" not in path}
        assert left == after, (crash.done, crash.story)
        identity = meta_properties.read(again, "/n7")
        assert identity is not None and identity.node_id == 7
        tried += 1
    assert tried > 100 and 0 < done < tried / 2


@pytest.mark.slow
def test_a_disk_that_is_full_anywhere_is_left_empty(tmp_path: Path) -> None:
    backups = backed_up(tmp_path)
    refused = 0
    for free_bytes in range(0, 6_000, 150):
        disk = empty()
        disk.free_bytes = free_bytes
        try:
            restored(backups, disk, "/n7")
        except (DiskFailed, OperatorError):
            refused += 1
            disk.free_bytes = None
            restored(backups, disk, "/n7", token="ba9876543210")
        assert disk.names("/n7") == [METADATA_DIRECTORY, "meta.properties"]
    assert refused > 5


# The restored state is the backed-up state at every offset.


def random_history(random: Random, backups: Backups) -> None:
    """Elections, writes, snapshots and runs of the backup, by chance."""
    cluster, number = backups.cluster, 0
    for _ in range(random.randrange(8, 30)):
        draw = random.random()
        if draw < 0.1:
            cluster.elect()
        elif draw < 0.65:
            count = random.randrange(1, 4)
            cluster.write(*(f"t{number + at}" for at in range(count)))
            number += count
        elif draw < 0.8:
            cluster.snapshot(drops=random.random() < 0.6)
        else:
            size = random.choice((100, 300, 1 << 20))
            backups.take(full=random.random() < 0.2, segment_bytes=size)
    backups.take()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_the_restored_state_is_the_backed_up_one(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    backups = Backups(Cluster(dynamic=random.random() < 0.7), tmp_path)
    random_history(random, backups)
    assert backups.verified() == []
    chain = read_chain(backups.store, listed(backups.store))
    history = backups.cluster.history
    ends = [read_header(one).next_offset for one in history]
    offsets = [
        random.randrange(max(start, ends[0]), end + 1)
        for start, end in chain.reach
        if end >= ends[0]
    ]
    for number, at in enumerate({*offsets, chain.links[-1].step.end}):
        directory = tmp_path / f"n{number}"
        directory.mkdir()
        done = restored(backups, PosixDisk(), str(directory), at=at)
        assert done.at == max(end for end in ends if end <= at)
        expected = Loading("history", END, lambda text: None)
        for one in history:
            if read_header(one).next_offset <= at:
                expected.take(read_header(one), memoryview(one))
        found = from_directory(str(directory), END, lambda text: None)
        wanted = expected.finished("history")
        assert list(changes(found.view, wanted.view)) == []
        names = sorted(one.name for _, one in found.view.topics.items())
        assert names == sorted(name for offset, name in backups.cluster.names if offset < done.at)
