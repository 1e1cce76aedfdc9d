"""Snapshots of a running node: one voter, real files, triggers so small that they fire at once."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.config.node_config import NodeConfig
from metaquorum.metadata.reading import read_metadata_records
from metaquorum.metadata.snapshot_writer import snapshot_values
from metaquorum.metadata.state import MetadataState, Provenance
from metaquorum.records.control import ControlType, controls_of
from metaquorum.records.reader import walk_batches
from metaquorum.runtime.disk.log_lane import LogLane
from metaquorum.storage.disk import DiskFailed
from metaquorum.storage.names import METADATA_DIRECTORY, snapshot_file
from tests.unit.node.whole_node import (
    Running,
    config_of,
    format_directory,
    properties,
    running,
)

BYTES = {"metadata_log_max_record_bytes_between_snapshots": "1"}
NEVER_BY_TIME = {"metadata_log_max_snapshot_interval_ms": "0"}
QUIET = {"metadata_max_idle_interval_ms": "0", **NEVER_BY_TIME}


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    format_directory(tmp_path / "data")
    return tmp_path / "data"


async def _newest(run: Running, beyond: int = 0) -> OffsetAndEpoch:
    """The newest snapshot that the core knows, once it ends above ``beyond``."""
    while True:
        newest = run.node.driver.replica.log.newest_snapshot
        if newest is not None and newest.offset > beyond:
            return newest
        await trio.lowlevel.checkpoint()


def _file(directory: Path, snapshot: OffsetAndEpoch) -> Path:
    return directory / METADATA_DIRECTORY / snapshot_file(snapshot)


def _values(run: Running) -> list[bytes]:
    """All records of the committed state but the registration, which changes with every start."""
    values = snapshot_values(run.node.driver.controller.state.committed())
    return [value for value in values if value[1] != 27]


def _parts(directory: Path) -> list[str]:
    return [path.name for path in (directory / METADATA_DIRECTORY).glob("*.part")]


async def test_bytes_make_a_snapshot_that_holds_the_state_and_the_voters(directory: Path) -> None:
    lines: list[str] = []
    async with running(config_of(directory, **BYTES, **QUIET), lines=lines) as run:
        await run.alter_quota("ann", 512.0)
        state = run.node.driver.controller.state
        newest = await _newest(run, beyond=state.end_offset - 1)
        expected = list(snapshot_values(state.committed()))
        place = state.provenance
    file = _file(directory, newest)
    assert file.stat().st_mode & 0o777 == 0o400
    assert _parts(directory) == []
    data = file.read_bytes()
    loaded = MetadataState.from_snapshot(read_metadata_records(data), Provenance(9, 1, 0))
    assert list(snapshot_values(loaded.committed())) == expected
    header, batch = next(walk_batches(data))
    controls = list(controls_of(batch, header))
    assert [control.type for control in controls] == [
        ControlType.SNAPSHOT_HEADER,
        ControlType.KRAFT_VERSION,
        ControlType.KRAFT_VOTERS,
    ]
    assert controls[0].message.last_contained_log_timestamp == place.timestamp_ms
    assert newest == OffsetAndEpoch(place.epoch, place.end_offset)
    told = [line for line in lines if "snapshot-written" in line][-1]
    assert f"end={newest.offset} epoch={newest.epoch} why=bytes" in told


async def test_a_node_starts_from_its_own_snapshot_with_an_equal_state(directory: Path) -> None:
    async with running(config_of(directory, **BYTES, **QUIET)) as run:
        for number in range(5):
            await run.alter_quota(f"user{number}", 512.0 + number)
        await _newest(run, beyond=run.node.driver.controller.state.end_offset - 1)
        before = _values(run)
    async with running(config_of(directory, **QUIET)) as again:
        assert again.node.directory.newest_snapshot is not None
        assert _values(again) == before


async def test_time_makes_one_when_something_has_changed(directory: Path) -> None:
    changes = {
        "metadata_max_idle_interval_ms": "0",
        "metadata_log_max_snapshot_interval_ms": "1",
    }
    lines: list[str] = []
    async with running(config_of(directory, **changes), lines=lines) as run:
        await run.alter_quota("ann", 1.0)
        end = run.node.driver.controller.state.end_offset
        newest = await _newest(run, beyond=end - 1)
        for _ in range(50):
            await trio.lowlevel.checkpoint()
    written = [line for line in lines if "snapshot-written" in line]
    assert all("why=time" in line for line in written)
    assert len([line for line in written if f"end={newest.offset} " in line]) == 1


async def test_where_the_ratio_is_set_bytes_wait_for_changed_records(directory: Path) -> None:
    given = properties(directory, **BYTES, **QUIET)
    given["metadata.snapshot.min.changed_records.ratio"] = "1.0"
    # With groups a node registers twice, and the second time may be before or after the snapshot.
    given["metaquorum.groups.enable"] = "false"
    async with running(NodeConfig.of(given, "server.properties")[0]) as run:
        changes = run.node.driver.controller.state.changes
        assert changes is not None
        await run.alter_quota("ann", 1.0)
        first = await _newest(run)
        while changes.base == 0:
            await trio.lowlevel.checkpoint()
        # The second user is a new record, and a changed one is far less than all of them.
        await run.alter_quota("bob", 1.0)
        await run.alter_quota("bob", 2.0)
        assert run.node.driver.replica.log.newest_snapshot == first
        assert 0 < changes.ratio < 1


def _aside_with(instead: dict[str, Callable[[], None]]) -> Any:
    """``run_in_thread`` that does something else first when a step of that name is asked for."""

    async def run_in_thread(work: Callable[..., Any], *arguments: object, limiter: object) -> Any:
        await trio.lowlevel.checkpoint()
        if work.__name__ in instead:
            instead.pop(work.__name__)()
        return work(*arguments)

    return run_in_thread


async def test_a_snapshot_in_a_directory_that_was_replaced_ends_the_node(
    directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(lane: LogLane, every_ms: int) -> None:
        await trio.sleep_forever()

    monkeypatch.setattr(LogLane, "keep_checking", never)  # so that it is the snapshot that tells

    def replace() -> None:
        log_directory = directory / METADATA_DIRECTORY
        log_directory.rename(directory / "before")
        shutil.copytree(directory / "before", log_directory)

    lines: list[str] = []
    told = f"cannot go on with {directory / METADATA_DIRECTORY}: another one has its name now"
    with pytest.RaisesGroup(
        pytest.RaisesExc(InvariantViolated, match=re.escape(told)),
        flatten_subgroups=True,
        allow_unwrapped=True,
    ):
        async with running(config_of(directory, **QUIET), lines=lines, clean=False) as run:
            task = run.node.snapshots
            task.run_in_thread = _aside_with({"freeze": replace})
            assert await task.write("test")
            assert not any("snapshot-written" in line for line in lines)
            await trio.sleep_forever()
    assert [line for line in lines if "snapshot-failed" in line and told in line]
    assert run.node.driver.replica.log.newest_snapshot == OffsetAndEpoch(0, 0)


async def test_a_disk_that_fails_the_file_is_told_and_the_node_goes_on(directory: Path) -> None:
    def fail() -> None:
        raise DiskFailed("a.part", "cannot sync", OSError(28, "no space left"))

    lines: list[str] = []
    async with running(config_of(directory, **QUIET), lines=lines) as run:
        task = run.node.snapshots
        task.run_in_thread = _aside_with({"freeze": fail})
        assert await task.write("test")
        assert run.node.driver.replica.log.newest_snapshot == OffsetAndEpoch(0, 0)
        assert _parts(directory) == []
        assert task.measures.failures.value == 1
        assert any("snapshot-failed" in line and "no space left" in line for line in lines)
        assert run.node.driver.controller.state.statistics()["marks"] == 1
        assert await task.write("test")
        assert (await _newest(run)).offset > 0


async def test_a_snapshot_that_was_installed_meanwhile_makes_this_one_stale(
    directory: Path,
) -> None:
    lines: list[str] = []
    async with running(config_of(directory, **QUIET), lines=lines) as run:
        controller, task = run.node.driver.controller, run.node.snapshots
        old = controller.state

        def replace() -> None:
            controller.state = MetadataState()

        task.run_in_thread = _aside_with({"append_all": replace})
        assert await task.write("test")
        controller.state = old
        assert run.node.driver.replica.log.newest_snapshot == OffsetAndEpoch(0, 0)
        assert (_parts(directory), old.statistics()["marks"]) == ([], 1)
        assert any("snapshot-abandoned" in line for line in lines)


async def test_there_is_none_twice_at_one_offset(directory: Path) -> None:
    async with running(config_of(directory, **QUIET)) as run:
        assert await run.node.snapshots.write("test")
        assert not await run.node.snapshots.write("test")
