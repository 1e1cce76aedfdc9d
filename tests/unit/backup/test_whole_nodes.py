"""Nodes that run in this event loop are backed up and restored, over real sockets and files."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import trio

from metaquorum.backup.chain import listed, read_chain
from metaquorum.backup.restoring import Order, restore
from metaquorum.backup.source import QuorumSource
from metaquorum.backup.taking import Backup, Taken
from metaquorum.config.listeners import HostPort
from metaquorum.quorum.types import Endpoint, ReplicaKey, Voter
from metaquorum.storage.posix import PosixDisk
from metaquorum.storage.tier_store import LocalStore
from tests.unit.backup.backed_up import NOW_MS
from tests.unit.node.whole_node import CLUSTER_ID, Running, config_of, format_directory, running


async def backed_up(run: Running, store: LocalStore, spool: Path, number: int) -> Taken:
    spool.mkdir(exist_ok=True)
    source = QuorumSource((HostPort("127.0.0.1", run.server.ports["CONTROLLER"]),), 10_000)
    backup = Backup(store, source, PosixDisk(), str(spool), NOW_MS, f"{number:012x}")
    return await trio.to_thread.run_sync(backup.run, abandon_on_cancel=True)


def restored(store: LocalStore, directory: Path, *, at: int | None = None) -> None:
    directory.mkdir()
    key = ReplicaKey(7, bytes(range(1, 17)))
    voter = Voter(key, (Endpoint("CONTROLLER", "127.0.0.1", 9093),), 0, 1)
    order = Order(node_id=7, voters=(voter,), cluster_id=None, at=at)
    restore(PosixDisk(), store, order, str(directory), "0123456789ab", NOW_MS)


QUIET = {"metadata_max_idle_interval_ms": "0"}


async def test_a_node_on_a_restored_directory_serves_the_same(tmp_path: Path) -> None:
    format_directory(tmp_path / "n1")
    store = LocalStore(str(tmp_path / "store"))
    async with running(config_of(tmp_path / "n1", **QUIET)) as run:
        await run.alter_quota("ada", 1024.0)
        first = await backed_up(run, store, tmp_path / "spool", 1)
        await run.alter_quota("bob", 2048.0)
        second = await backed_up(run, store, tmp_path / "spool", 2)
        assert second.step.start == first.step.end
        assert (await run.describe_quorum()).observers == []
        assert not (await backed_up(run, store, tmp_path / "spool", 3)).is_new
    restored(store, tmp_path / "latest")
    restored(store, tmp_path / "earlier", at=first.step.end)
    config = partial(config_of, node_id="7", **QUIET)
    async with running(config(tmp_path / "earlier")) as run:
        assert await run.quotas() == {"ada": 1024.0}
    async with running(config(tmp_path / "latest")) as run:
        assert await run.quotas() == {"ada": 1024.0, "bob": 2048.0}
        partition = await run.describe_quorum()
        assert [one.replica_id for one in partition.current_voters] == [7]
        more = await backed_up(run, store, tmp_path / "spool", 4)
        assert more.step.start == second.step.end and more.step.cluster_id == CLUSTER_ID
    assert len(read_chain(store, listed(store)).links) == 3


async def test_a_backup_begins_with_the_snapshot_of_a_node(tmp_path: Path) -> None:
    format_directory(tmp_path / "n1")
    store = LocalStore(str(tmp_path / "store"))
    config = config_of(
        tmp_path / "n1", metadata_log_max_record_bytes_between_snapshots="1", **QUIET
    )
    async with running(config) as run:
        await run.alter_quota("ada", 2048.0)
        written = (await run.describe_quorum()).high_watermark
        while run.node.directory.snapshots.ids[-1].offset < written:
            await trio.lowlevel.checkpoint()
        await run.alter_quota("bob", 1.0)
        taken = await backed_up(run, store, tmp_path / "spool", 1)
        assert taken.step.snapshot in run.node.directory.snapshots.ids
    restored(store, tmp_path / "n7")
    async with running(config_of(tmp_path / "n7", node_id="7", **QUIET)) as run:
        assert await run.quotas() == {"ada": 2048.0, "bob": 1.0}
