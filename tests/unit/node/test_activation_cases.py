"""The first records of a cluster, by what a format left: real formats, real starts (KIP-1170)."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from metaquorum.cli.format_plan import FormatOrder
from metaquorum.cli.releases import Release
from metaquorum.cli.storage import run_format
from metaquorum.config.node_config import NodeConfig
from metaquorum.metadata.reading import read_metadata_batch
from metaquorum.node.assembly import Node, assemble
from metaquorum.node.data_directory import DataDirectory
from metaquorum.node.lifecycle import node_started
from metaquorum.observe.events import EventLog
from metaquorum.records.reader import walk_batches
from metaquorum.runtime.loop.clock import TrioClock
from tests.unit.node.whole_node import CLUSTER_ID, config_of, running
from tools.kafka.ports import free_ports

ZERO = "__cluster_metadata-0/00000000000000000000-0000000000.checkpoint"
OLDER = "bootstrap.checkpoint"
STATIC = "1@127.0.0.1:9093"
FEATURES_OF_4_3 = ["metadata.version 30", "eligible.leader.replicas.version 1", "group.version 1"]
FEATURES_OF_4_3 += ["share.version 1", "streams.version 1", "transaction.version 2"]
MIN_INSYNC = "min.insync.replicas 1"


def user(name: str) -> str:
    return f"SCRAM-SHA-256=[name={name},salt=N3E=,saltedpassword=YCE=]"


def format_node(
    config: NodeConfig, level: int, *, legacy: bool = False, joining: bool = False
) -> None:
    """Format with one user, ``of-LEVEL``, by whom the records can be told."""
    dynamic = not config.static_voters and not joining
    order = FormatOrder(
        cluster_id=CLUSTER_ID,
        standalone=dynamic,
        joining=joining,
        release=Release(level),
        scram=(user(f"of-{level}"),),
        legacy=legacy,
    )
    run_format(config, order, lambda _: None)


def told(record: object) -> str:
    """A record in a few words."""
    kind = type(record).__name__.removesuffix("Record")
    name = getattr(record, "name", "")
    value = getattr(record, "feature_level", getattr(record, "value", ""))
    return f"{name} {value}".rstrip() if kind in ("FeatureLevel", "Config") else f"{kind} {name}"


def first_batches(directory: Path) -> list[list[str]]:
    """The data batches of the log up to where the controller registers itself."""
    log = (directory / "__cluster_metadata-0" / "00000000000000000000.log").read_bytes()
    batches = [
        [told(one.message) for one in read_metadata_batch(memoryview(batch), header)]
        for header, batch in walk_batches(log)
        if not header.is_control
    ]
    return [one for one in batches if not one[0].startswith(("RegisterController", "NoOp"))]


def in_a_transaction(*records: str) -> list[list[str]]:
    return [["BeginTransaction Bootstrap records", *records, "EndTransaction "]]


def users_of(node: Node) -> list[str]:
    return [name for (name, _), _ in node.driver.controller.state.live().scram.items()]


async def booted(config: NodeConfig) -> list[str]:
    """Start twice, as the first start alone may write first records; the warnings."""
    lines: list[str] = []
    for _ in range(2):
        async with running(config, lines=lines) as run:
            assert len(users_of(run.node)) == 1
    return [line for line in lines if " warn " in line]


async def test_an_older_file_without_a_zero_checkpoint(tmp_path: Path) -> None:
    config = config_of(tmp_path, controller_quorum_voters=STATIC)
    format_node(config, 30, legacy=True)
    assert (tmp_path / OLDER).exists() and not (tmp_path / ZERO).exists()
    assert await booted(config) == []
    expected = [*FEATURES_OF_4_3, "UserScramCredential of-30", MIN_INSYNC]
    assert first_batches(tmp_path) == in_a_transaction(*expected)


async def test_an_older_file_beside_a_zero_checkpoint_without_records(tmp_path: Path) -> None:
    config = config_of(tmp_path)
    format_node(config, 21, legacy=True)
    assert (tmp_path / OLDER).exists() and (tmp_path / ZERO).exists()
    assert await booted(config) == []
    expected = ["metadata.version 21", "UserScramCredential of-21"]
    assert first_batches(tmp_path) == in_a_transaction(*expected)


async def test_a_zero_checkpoint_with_the_records(tmp_path: Path) -> None:
    config = config_of(tmp_path)
    format_node(config, 21)
    assert not (tmp_path / OLDER).exists()
    assert await booted(config) == []
    expected = ["metadata.version 21", "UserScramCredential of-21"]
    assert first_batches(tmp_path) == in_a_transaction(*expected)


async def test_both_with_records_follow_the_zero_checkpoint_and_warn(tmp_path: Path) -> None:
    older = tmp_path / "older"
    format_node(config_of(older), 30, legacy=True)
    config = config_of(tmp_path / "node")
    format_node(config, 21)
    shutil.copy(older / OLDER, tmp_path / "node" / OLDER)
    warnings = await booted(config)
    assert warnings and all(" bootstrap-file-ignored " in line for line in warnings)
    expected = ["metadata.version 21", "UserScramCredential of-21"]
    assert first_batches(tmp_path / "node") == in_a_transaction(*expected)


@pytest.mark.parametrize("legacy", [False, True], ids=["zero checkpoint", "older file"])
async def test_a_release_without_transactions_gets_one_batch(tmp_path: Path, legacy: bool) -> None:
    config = config_of(tmp_path, controller_quorum_voters=STATIC)
    format_node(config, 12, legacy=legacy)
    lines: list[str] = []
    async with started(config, lines) as node:
        await reached(node, 3)
    assert first_batches(tmp_path)[0] == ["metadata.version 12", "UserScramCredential of-12"]


@asynccontextmanager
async def started(config: NodeConfig, lines: list[str]) -> AsyncIterator[Node]:
    """A node that may also be an observer; killed in the end."""
    directory = DataDirectory.open(config)
    try:
        async with trio.open_nursery() as root:
            log = EventLog(lines.append, TrioClock().wall_ms)
            node = assemble(config, directory, log, seed=config.node_id)
            await node_started(node, root)
            yield node
            root.cancel_scope.cancel()
    finally:
        directory.release()


async def reached(node: Node, offset: int) -> None:
    """Wait until a node has applied what is committed before an offset, and has it on its disk.

    What others have committed it applies while its own disk is still at it.
    """
    driver = node.driver
    with trio.fail_after(20):
        while (
            driver.controller.state.committed().is_empty
            or driver.controller.state.stable_offset < offset
            or driver.replica.log.durable_end < offset
        ):
            await trio.sleep(0.005)


async def test_an_observer_gets_bootstrap_records_from_the_log_each_time(
    tmp_path: Path,
) -> None:
    """Its own zero checkpoint says something else; that is no state, and it never leads."""
    (port,) = free_ports(1)
    place = f"127.0.0.1:{port}"
    leader_config = config_of(
        tmp_path / "leader",
        controller_quorum_bootstrap_servers=place,
        listeners=f"PLAINTEXT://127.0.0.1:0,CONTROLLER://{place}",
    )
    observer_config = config_of(
        tmp_path / "observer", node_id="2", controller_quorum_bootstrap_servers=place
    )
    format_node(leader_config, 30)
    async with running(leader_config, clean=False) as run:
        state = run.node.driver.controller.state
        for _ in range(2):
            shutil.rmtree(tmp_path / "observer", ignore_errors=True)
            format_node(observer_config, 21, joining=True)
            lines: list[str] = []
            async with started(observer_config, lines) as observer:
                assert observer.driver.controller.state.live().is_empty
                await reached(observer, state.stable_offset)
                known = observer.driver.controller.state.live()
                assert users_of(observer) == ["of-30"]
                assert known.features == state.live().features
            expected = [*FEATURES_OF_4_3, "UserScramCredential of-30", MIN_INSYNC]
            assert first_batches(tmp_path / "observer") == in_a_transaction(*expected)
