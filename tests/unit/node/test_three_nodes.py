"""Three whole nodes in one event loop: each registers, and each answers what only one can."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
import trio

from metaquorum.base.ids import METADATA_TOPIC
from metaquorum.cli.zero_checkpoint import zero_checkpoint
from metaquorum.node.assembly import assemble
from metaquorum.node.data_directory import DataDirectory
from metaquorum.node.lifecycle import node_started
from metaquorum.observe.events import EventLog
from metaquorum.quorum.types import Endpoint, ReplicaKey, Voter
from metaquorum.runtime.loop.clock import TrioClock
from metaquorum.storage import meta_properties
from metaquorum.storage.meta_properties import MetaProperties
from metaquorum.storage.names import METADATA_DIRECTORY
from metaquorum.storage.posix import PosixDisk
from metaquorum.wire.generated import metadata_request
from tests.unit.node.whole_node import CLUSTER_ID, FEATURES, Running, config_of
from tools.kafka.ports import free_ports

IDS = (1, 2, 3)
QUICK = {
    "controller_quorum_election_timeout_ms": "100",
    "controller_quorum_fetch_timeout_ms": "1000",
}


def directory_id(node_id: int) -> bytes:
    return bytes([node_id] * 16)


def format_voter(directory: Path, node_id: int, ports: dict[int, int]) -> None:
    """What ``storage format --initial-controllers`` leaves."""
    (directory / METADATA_DIRECTORY).mkdir(parents=True)
    identity = MetaProperties(CLUSTER_ID, node_id, directory_id(node_id))
    meta_properties.write(PosixDisk(), str(directory), identity)
    voters = [
        Voter(
            ReplicaKey(one, directory_id(one)), (Endpoint("CONTROLLER", "127.0.0.1", port),), 0, 1
        )
        for one, port in ports.items()
    ]
    checkpoint = directory / METADATA_DIRECTORY / "00000000000000000000-0000000000.checkpoint"
    checkpoint.write_bytes(zero_checkpoint(FEATURES, 1, voters, 1_700_000_000_000))


@asynccontextmanager
async def three_nodes(tmp_path: Path) -> AsyncIterator[dict[int, Running]]:
    """Three voters that know each other, every one of them registered; killed in the end."""
    ports = dict(zip(IDS, free_ports(3), strict=True))
    async with AsyncExitStack() as opened, trio.open_nursery() as root:
        runs: dict[int, Running] = {}
        for node_id, port in ports.items():
            directory = tmp_path / str(node_id)
            format_voter(directory, node_id, ports)
            listeners = f"PLAINTEXT://127.0.0.1:0,CONTROLLER://127.0.0.1:{port}"
            config = config_of(directory, node_id=str(node_id), listeners=listeners, **QUICK)
            data = DataDirectory.open(config)
            opened.callback(data.release)
            log = EventLog(lambda line: None, TrioClock().wall_ms)
            node = assemble(config, data, log, seed=node_id)
            runs[node_id] = Running(node, await node_started(node, root))
        with trio.fail_after(20):
            while not all(
                run.node.registration is not None
                and run.node.registration.is_settled
                and len(run.node.services.committed().controllers) == len(IDS)
                for run in runs.values()
            ):
                await trio.sleep(0.005)
            yield runs
        root.cancel_scope.cancel()


@pytest.mark.slow
async def test_every_node_answers_a_client_and_shows_it_the_others(tmp_path: Path):
    async with three_nodes(tmp_path) as runs:
        leader_id = runs[1].node.services.leader().leader_id
        places = {one: run.server.ports["PLAINTEXT"] for one, run in runs.items()}
        topics = [metadata_request.MetadataRequestTopic(name=METADATA_TOPIC)]
        for node_id, run in runs.items():
            answer = await run.alter_quota(f"of-{node_id}", float(node_id))
            assert [entry.error_code for entry in answer.entries] == [0]
            described = await run.describe_quorum()
            assert (described.error_code, described.leader_id) == (0, leader_id)
            shown = await run.ask(3, 12, metadata_request.MetadataRequest(topics))
            assert [one.node_id for one in shown.brokers] == list(IDS)
            others = {one.node_id: one.port for one in shown.brokers if one.node_id != node_id}
            assert others == {one: port for one, port in places.items() if one != node_id}
            assert shown.controller_id == leader_id
            (partition,) = shown.topics[0].partitions
            assert (partition.leader_id, list(partition.isr_nodes)) == (leader_id, [1, 2, 3])
        forwarded = {one: run.node.services.forwarder.forwarded for one, run in runs.items()}
        assert all(forwarded[one] >= 2 for one in IDS if one != leader_id), forwarded
