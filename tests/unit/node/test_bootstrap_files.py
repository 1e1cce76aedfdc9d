"""Which file the first records come from, and when the older one goes (KIP-1170)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from metaquorum.cli.zero_checkpoint import legacy_pair, zero_checkpoint
from metaquorum.node.data_directory import DataDirectory
from metaquorum.quorum.types import Endpoint, ReplicaKey, Voter
from metaquorum.records.batch import stamp
from metaquorum.records.reader import walk_batches
from metaquorum.storage import quorum_state
from metaquorum.storage.posix import PosixDisk
from metaquorum.storage.quorum_state import ElectionStateData
from tests.unit.node.whole_node import DIRECTORY_ID, config_of, format_directory, running

ZERO = "__cluster_metadata-0/00000000000000000000-0000000000.checkpoint"
VOTER = Voter(ReplicaKey(1, DIRECTORY_ID), (Endpoint("CONTROLLER", "127.0.0.1", 9093),), 0, 1)
OLD = {"metadata.version": 21}
NEW = {"metadata.version": 30}


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A formatted node whose zero checkpoint is yet to be written."""
    format_directory(tmp_path / "data")
    (tmp_path / "data" / ZERO).unlink()
    return tmp_path / "data"


@contextmanager
def _opened(directory: Path) -> Iterator[DataDirectory]:
    opened = DataDirectory.open(config_of(directory))
    try:
        yield opened
    finally:
        opened.release()


def _levels(directory: Path) -> list[int]:
    with _opened(directory) as opened:
        return [record.message.feature_level for record in opened.bootstrap_records()]


def _write_legacy_pair(directory: Path, *, with_checkpoint: bool) -> None:
    checkpoint, bootstrap = legacy_pair(OLD, 1, [VOTER], 1)
    (directory / "bootstrap.checkpoint").write_bytes(bootstrap)
    if with_checkpoint:
        assert checkpoint is not None
        (directory / ZERO).write_bytes(checkpoint)


def _write_zero_checkpoint(directory: Path) -> None:
    (directory / ZERO).write_bytes(zero_checkpoint(NEW, 1, [VOTER], 1))


def _write_election(directory: Path) -> None:
    state = ElectionStateData(epoch=1, leader_id=1)
    quorum_state.write(PosixDisk(), str(directory / "__cluster_metadata-0"), state)


def _of_epoch_1(snapshot: bytes) -> bytes:
    return b"".join(
        stamp(bytes(batch), header.base_offset, 1) for header, batch in walk_batches(snapshot)
    )


def test_without_a_zero_checkpoint_the_older_file_counts(directory: Path) -> None:
    _write_legacy_pair(directory, with_checkpoint=False)
    assert _levels(directory) == [21]


def test_beside_a_zero_checkpoint_of_controls_the_older_file_counts(directory: Path) -> None:
    _write_legacy_pair(directory, with_checkpoint=True)
    assert _levels(directory) == [21]
    with _opened(directory) as opened:
        assert opened.overruled_bootstrap is None


def test_a_zero_checkpoint_alone_counts(directory: Path) -> None:
    _write_zero_checkpoint(directory)
    assert _levels(directory) == [30]


def test_a_directory_with_neither_has_no_first_records(directory: Path) -> None:
    assert _levels(directory) == []


async def test_with_records_in_both_the_zero_checkpoint_wins_with_a_warning(
    directory: Path,
) -> None:
    _write_legacy_pair(directory, with_checkpoint=False)
    _write_zero_checkpoint(directory)
    lines: list[str] = []
    async with running(config_of(directory), lines=lines) as run:
        assert run.node.driver.controller.state.live().features.metadata_version == 30
    told = [line for line in lines if " warn bootstrap-file-ignored " in line]
    assert len(told) == 1
    assert str(directory / "bootstrap.checkpoint") in told[0]


async def test_a_snapshot_with_records_makes_the_older_file_go(directory: Path) -> None:
    _write_legacy_pair(directory, with_checkpoint=True)
    snapshot = directory / "__cluster_metadata-0" / "00000000000000000010-0000000001.checkpoint"
    snapshot.write_bytes(_of_epoch_1(zero_checkpoint(NEW, 1, [VOTER], 1)))
    _write_election(directory)
    async with running(config_of(directory)) as run:
        assert run.node.driver.controller.state.provenance.end_offset >= 10
        assert run.node.driver.controller.state.live().features.metadata_version == 30
    assert not (directory / "bootstrap.checkpoint").exists()


async def test_a_newest_snapshot_that_is_damaged_is_passed_over(directory: Path) -> None:
    _write_zero_checkpoint(directory)
    damaged = directory / "__cluster_metadata-0" / "00000000000000000010-0000000001.checkpoint"
    damaged.write_bytes(zero_checkpoint(OLD, 1, [VOTER], 1)[:-1])
    _write_election(directory)
    with _opened(directory) as opened:
        assert opened.newest_snapshot is None
        assert [size for _, size in opened.log_view().snapshots] == [
            (directory / ZERO).stat().st_size
        ]
    async with running(config_of(directory)) as run:
        assert run.node.driver.controller.state.live().features.metadata_version == 30
