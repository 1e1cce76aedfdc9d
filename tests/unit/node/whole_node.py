"""A whole node inside the test's own event loop: real sockets and files, one voter."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import trio
from attrs import define

from metaquorum.base.ids import METADATA_TOPIC
from metaquorum.cli.zero_checkpoint import zero_checkpoint
from metaquorum.client.connection import Connection
from metaquorum.config.node_config import NodeConfig
from metaquorum.node.assembly import Node, assemble
from metaquorum.node.data_directory import DataDirectory
from metaquorum.node.lifecycle import node_started, stop_in_order
from metaquorum.observe.events import EventLog
from metaquorum.quorum.types import Endpoint, ReplicaKey, Voter
from metaquorum.runtime.loop.clock import TrioClock
from metaquorum.server.sockets.listener import Server
from metaquorum.storage import meta_properties
from metaquorum.storage.meta_properties import MetaProperties
from metaquorum.storage.names import METADATA_DIRECTORY
from metaquorum.storage.posix import PosixDisk
from metaquorum.wire.generated import (
    alter_client_quotas_request,
    describe_client_quotas_request,
    describe_quorum_request,
)

CLUSTER_ID = "4L6g3nShT-eMCtK--X86sw"
DIRECTORY_ID = bytes(range(16))
FEATURES = {"metadata.version": 30, "group.version": 1}


def properties(directory: Path, **changes: str) -> dict[str, str]:
    """The configuration of the node, with keys' dots written as underscores in ``changes``."""
    return {
        "process.roles": "controller",
        "node.id": "1",
        "controller.quorum.bootstrap.servers": "127.0.0.1:1",
        "controller.listener.names": "CONTROLLER",
        "listeners": "PLAINTEXT://127.0.0.1:0,CONTROLLER://127.0.0.1:0",
        "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
        "log.dirs": str(directory),
        **{key.replace("_", "."): value for key, value in changes.items()},
    }


def config_of(directory: Path, **changes: str) -> NodeConfig:
    """The same as a checked configuration."""
    return NodeConfig.of(properties(directory, **changes), "server.properties")[0]


def format_directory(directory: Path, *, cluster_id: str = CLUSTER_ID, node_id: int = 1) -> None:
    """What ``metaquorum storage format --standalone`` leaves, but for its random ids and clock."""
    log_directory = directory / METADATA_DIRECTORY
    log_directory.mkdir(parents=True)
    meta_properties.write(
        PosixDisk(), str(directory), MetaProperties(cluster_id, node_id, DIRECTORY_ID)
    )
    voter = Voter(
        ReplicaKey(node_id, DIRECTORY_ID), (Endpoint("CONTROLLER", "127.0.0.1", 9093),), 0, 1
    )
    checkpoint = log_directory / "00000000000000000000-0000000000.checkpoint"
    checkpoint.write_bytes(zero_checkpoint(FEATURES, 1, [voter], 1_700_000_000_000))
    os.chmod(checkpoint, 0o400)


@define(eq=False)
class Running:
    """A node that runs, and one blocking client connection to each of its listeners."""

    node: Node
    server: Server

    async def ask(
        self, api_key: int, version: int, request: Any, *, listener: str = "PLAINTEXT"
    ) -> Any:
        """One request over a real socket, answered by the node in this very loop."""

        def blocking() -> Any:
            with Connection.open("127.0.0.1", self.server.ports[listener]) as connection:
                return connection.ask(api_key, version, request)

        return await trio.to_thread.run_sync(blocking, abandon_on_cancel=True)

    async def alter_quota(self, user: str, rate: float) -> Any:
        """Set a producer rate; the answer comes once it is committed."""
        codec = alter_client_quotas_request
        entry = codec.EntryData(
            [codec.EntityData("user", user)], [codec.OpData("producer_byte_rate", rate, False)]
        )
        return await self.ask(49, 1, codec.AlterClientQuotasRequest([entry], False))

    async def quotas(self) -> dict[str, float]:
        """Every user's producer rate in the committed state."""
        codec = describe_client_quotas_request
        answer = await self.ask(48, 1, codec.DescribeClientQuotasRequest([], False))
        return {entry.entity[0].entity_name: entry.values[0].value for entry in answer.entries}

    async def describe_quorum(self) -> Any:
        """The one partition of DescribeQuorum, version 2."""
        codec = describe_quorum_request
        topic = codec.TopicData(METADATA_TOPIC, [codec.PartitionData(0)])
        answer = await self.ask(55, 2, codec.DescribeQuorumRequest([topic]))
        return answer.topics[0].partitions[0]

    async def is_active(self) -> None:
        """Wait until the controller takes commands and knows this node: then the log is quiet."""
        controller, registration = self.node.driver.controller, self.node.registration
        assert registration is not None
        while not (controller.is_active and registration.is_settled):
            await trio.lowlevel.checkpoint()


@asynccontextmanager
async def running(
    config: NodeConfig,
    *,
    clean: bool = True,
    lines: list[str] | None = None,
    seed: int = 1,
    patience_s: float = 20,
) -> AsyncIterator[Running]:
    """A started node; stopped in order, or with ``clean=False`` dropped as by a kill."""
    directory = DataDirectory.open(config)
    told: list[str] = lines if lines is not None else []
    log = EventLog(told.append, TrioClock().wall_ms)
    try:
        async with trio.open_nursery() as root:
            node = assemble(config, directory, log, seed=seed)
            server = await node_started(node, root)
            run = Running(node, server)
            with trio.fail_after(patience_s):
                await run.is_active()
                yield run
                if clean:
                    await stop_in_order(node, server)
                    await node.driver.lane.close()
            root.cancel_scope.cancel()
        if clean:
            directory.close_cleanly()
    finally:
        directory.release()
