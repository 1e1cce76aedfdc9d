"""Runs of a backup: what each adds, what is refused, and what a kill leaves."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaquorum.backup.chain import listed, read_chain
from metaquorum.backup.manifest import OBJECTS, STEPS, key_of
from metaquorum.backup.taking import AnotherHistory
from metaquorum.base.errors import OperatorError
from tests.unit.backup.backed_up import Backups, Cluster, Killed, KilledStore, batches
from tests.unit.client.fake_quorum import FETCH
from tests.unit.recover.lost_disks import topics


@pytest.fixture
def cluster() -> Cluster:
    made = Cluster()
    made.write("a", "b")
    made.write("c")
    return made


@pytest.fixture
def backups(cluster: Cluster, tmp_path: Path) -> Backups:
    return Backups(cluster, tmp_path)


def segment(backups: Backups, name: str, number: int = 0) -> bytes:
    (link,) = (one for one in chain(backups) if one.name == name)
    found = backups.store.read(key_of(name, link.step.segments[number].file.name))
    assert found is not None
    return found


def chain(backups: Backups) -> tuple:
    return read_chain(backups.store, listed(backups.store)).links


def test_the_first_step_has_the_whole_log(cluster: Cluster, backups: Backups) -> None:
    taken = backups.take()
    step = taken.step
    assert taken.is_new and step.is_full and step.snapshot is None
    assert (step.start, step.end, step.last_epoch) == (0, cluster.end, 1)
    assert step.epochs == ((1, 0),) and step.cluster_id == "CLUSTER"
    assert segment(backups, taken.name) == b"".join(cluster.history)
    assert backups.verified() == []


def test_the_next_step_has_what_is_new_alone(cluster: Cluster, backups: Backups) -> None:
    first = backups.take()
    cluster.elect()
    cluster.write("d")
    second = backups.take()
    assert (second.step.start, second.step.end) == (first.step.end, cluster.end)
    assert second.step.epochs == ((2, first.step.end),) and not second.step.is_full
    assert segment(backups, second.name) == batches(cluster.history, first.step.end, cluster.end)
    assert [one.name for one in chain(backups)] == [first.name, second.name]
    assert backups.verified() == []


def test_nothing_new_adds_no_step(backups: Backups) -> None:
    first = backups.take()
    again = backups.take()
    assert not again.is_new and again.name == first.name
    assert len(backups.store.sizes("")) == 2


def test_what_is_not_committed_is_left_out(cluster: Cluster, backups: Backups) -> None:
    committed = cluster.end
    cluster.write("late")
    cluster.quorum[1].high_watermark = committed
    assert backups.take().step.end == committed


def test_a_snapshot_comes_first_and_the_log_behind_it(cluster: Cluster, backups: Backups) -> None:
    name = cluster.snapshot(drops=True)
    cluster.write("d")
    taken = backups.take()
    assert taken.step.snapshot == name and taken.step.start == name.offset
    assert taken.step.snapshot_file is not None
    raw = backups.store.read(key_of(taken.name, taken.step.snapshot_file.name))
    assert cluster.quorum[1].snapshot is not None and raw == cluster.quorum[1].snapshot[1]
    assert segment(backups, taken.name) == cluster.history[-1]
    assert backups.verified() == []


def test_a_snapshot_alone_is_a_step_that_goes_on(cluster: Cluster, backups: Backups) -> None:
    cluster.snapshot(drops=True)
    taken = backups.take()
    assert taken.step.segments == () and taken.step.last_batch is None
    assert not backups.take().is_new
    cluster.write("d")
    more = backups.take()
    assert (more.step.start, more.step.end) == (taken.step.end, cluster.end)
    assert backups.verified() == []


def test_a_log_that_lost_its_start_begins_a_full_step(cluster: Cluster, backups: Backups) -> None:
    first = backups.take()
    cluster.write("d")
    name = cluster.snapshot(drops=True)
    cluster.write("e")
    taken = backups.take()
    assert taken.step.snapshot == name
    assert taken.why_full == f"offset {name.offset} is where the log starts, the backup ended at 6"
    found = read_chain(backups.store, listed(backups.store))
    assert found.reach == ((0, first.step.end), (name.offset, cluster.end))
    assert backups.verified() == []


def test_a_full_step_may_be_asked_for(cluster: Cluster, backups: Backups) -> None:
    backups.take()
    cluster.snapshot(drops=False)
    taken = backups.take(full=True)
    assert taken.step.snapshot is not None and taken.step.previous is not None
    assert backups.verified() == []


def test_large_logs_are_cut_into_several_objects(cluster: Cluster, backups: Backups) -> None:
    taken = backups.take(segment_bytes=200)
    assert len(taken.step.segments) == 3
    assert [segment(backups, taken.name, at) for at in range(3)] == cluster.history
    assert backups.verified() == []


def test_the_quorum_is_asked_as_by_nobody(cluster: Cluster, backups: Backups) -> None:
    backups.take()
    fetches = [request for _, key, request in cluster.quorum.requests if key == FETCH]
    assert fetches and all(one.replica_state.replica_id == -1 for one in fetches)


def test_another_cluster_is_refused(cluster: Cluster, backups: Backups) -> None:
    backups.take()
    cluster.quorum.cluster_id = "OTHER"
    with pytest.raises(AnotherHistory, match="the backup of cluster CLUSTER, and cluster OTHER"):
        backups.take()
    with pytest.raises(AnotherHistory, match="and cluster OTHER answers"):
        backups.take(full=True)


def test_a_cluster_formed_anew_meanwhile_is_refused(cluster: Cluster, backups: Backups) -> None:
    def formed_anew() -> None:
        cluster.quorum.cluster_id = "OTHER"

    cluster.quorum.before[5] = formed_anew
    with pytest.raises(AnotherHistory, match="formed anew while it was read"):
        backups.take()
    assert backups.store.sizes(STEPS) == {}


@pytest.mark.parametrize("full", [False, True])
def test_a_log_that_was_truncated_is_refused(
    cluster: Cluster, backups: Backups, full: bool
) -> None:
    backups.take()
    before = backups.store.sizes(STEPS)
    node = cluster.quorum[1]
    del node.log[-1]
    node.high_watermark = node.log_end
    with pytest.raises(AnotherHistory, match="has the log up to offset 6, and the quorum has not"):
        backups.take(full=full)
    assert backups.store.sizes(STEPS) == before


@pytest.mark.parametrize("full", [False, True])
def test_a_log_with_another_batch_at_the_end_is_refused(
    cluster: Cluster, backups: Backups, full: bool
) -> None:
    backups.take()
    node = cluster.quorum[1]
    node.log[-1] = topics(5, 1, "z")
    with pytest.raises(AnotherHistory, match="its batch at offset 5 is of epoch 1 with checksum"):
        backups.take(full=full)


def test_a_snapshot_of_an_older_epoch_is_refused(cluster: Cluster, backups: Backups) -> None:
    cluster.elect()
    cluster.write("d")
    backups.take()
    other = Cluster()
    other.write("x", "y", "z", "u", "v", "w")
    other.snapshot(drops=True)
    other.write("later")
    backups.cluster = other
    with pytest.raises(AnotherHistory, match="epoch 1 is that of its snapshot at offset 9"):
        backups.take()


def test_a_history_with_another_snapshot_is_refused(cluster: Cluster, backups: Backups) -> None:
    name = cluster.snapshot(drops=True)
    backups.take()
    cluster.epoch += 5
    other = cluster.snapshot(drops=True)
    cluster.quorum[1].epoch = cluster.epoch
    assert other.offset == name.offset
    with pytest.raises(AnotherHistory, match="the record before offset 6 is of epoch 6"):
        backups.take()


def test_an_empty_quorum_is_refused(backups: Backups) -> None:
    node = backups.cluster.quorum[1]
    node.log, node.high_watermark = [], 0
    with pytest.raises(OperatorError, match="has not committed a single record"):
        backups.take()


def test_a_damaged_last_step_is_refused_unless_full(cluster: Cluster, backups: Backups) -> None:
    taken = backups.take()
    path = Path(backups.store.uri) / key_of(taken.name, "00000000000000000000.log")
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(OperatorError, match=r"has \d+ bytes, \d+ were backed up"):
        backups.take()
    cluster.write("d")
    full = backups.take(full=True)
    assert full.step.previous is None
    assert backups.verified() == []


def test_of_two_runs_at_once_the_longer_goes_on(cluster: Cluster, backups: Backups) -> None:
    backups.take()
    cluster.write("d")
    one = backups.take()
    Path(backups.store.uri, f"{STEPS}{one.name}.json").rename(backups.tmp_path / "aside")
    cluster.write("e")
    two = backups.take()
    (backups.tmp_path / "aside").rename(Path(backups.store.uri, f"{STEPS}{one.name}.json"))
    found = read_chain(backups.store, listed(backups.store))
    assert [link.name for link in found.links][1:] == [two.name]
    assert found.beside == (one.name,)
    assert backups.verified() == []


@pytest.mark.parametrize("after", [False, True])
def test_a_kill_at_any_write_leaves_the_store_usable(tmp_path: Path, after: bool) -> None:
    """Of a full step with a snapshot and of one that goes on, each of several objects."""
    killed = 0
    for number in range(12):
        cluster = Cluster()
        cluster.write("a")
        cluster.snapshot(drops=True)
        cluster.write("b")
        cluster.write("c")
        backups = Backups(cluster, tmp_path / f"{number}")
        backups.tmp_path.mkdir()
        store = KilledStore(backups.store, number, after)
        for name in ("d", "e"):
            try:
                backups.take(store, segment_bytes=100)
            except Killed:
                killed += 1
                if backups.store.sizes(STEPS):
                    assert backups.verified() == []
                backups.take(store, segment_bytes=100)
            assert backups.verified() == []
            cluster.write(name)
        backups.take()
        links = chain(backups)
        assert links[-1].step.end == cluster.end and backups.verified() == []
        named = {key_of(one.name, file.name) for one in links for file in one.step.files}
        assert named <= set(backups.store.sizes(OBJECTS))
    assert killed >= 5
