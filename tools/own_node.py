"""One process of our own server: formatted, started, ready, stopped; as operators would do it."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import define, field

from metaquorum.base.errors import PeerError
from metaquorum.base.ids import METADATA_PARTITION, METADATA_TOPIC
from metaquorum.client.connection import Connection, ConnectionFailed
from metaquorum.metadata.tables.features import METADATA_VERSION
from metaquorum.metadata.versions import CONTROLLER_REGISTRATION_FROM
from metaquorum.wire.generated import (
    api_versions_request,
    describe_quorum_request,
    error_codes,
)
from tools.kafka.cluster import random_id
from tools.kafka.ports import LOOPBACK, free_ports
from tools.kafka.tool import ToolResult, finished
from tools.server_process import ServerFailed, ServerProcess

# absolute: a node is started from a directory of its own
METAQUORUM = Path(sys.executable).absolute().parent / "metaquorum"
SERVER_VARIABLE = "METAQUORUM_SERVER"
DESCRIBE_QUORUM = 55
API_VERSIONS = 18
FEATURES_FROM = 3  # the version of ApiVersions that first tells features
READY_TIMEOUT_S = 30.0
POLL_S = 0.01
COMMAND_TIMEOUT_S = 60


def server_command() -> Path:
    """What starts a node: METAQUORUM_SERVER of the environment, or this environment's command."""
    named = os.environ.get(SERVER_VARIABLE)
    return Path(named).absolute() if named else METAQUORUM


class OwnNodeFailed(ServerFailed):
    """The process ended, or did not lead in time; the message ends with its log."""


@define
class OwnNode(ServerProcess):
    """A metaquorum server that lives in ``directory``, on loopback ports.

    Apache Kafka lets a node that is only a controller have no listener for clients. With
    ``for_kafka_too`` the configuration is one that its tools take as well.

    ``voters`` is what ``--initial-controllers`` takes; a node without it is the only voter.
    ``command_prefix`` are the words before the command that starts it, such as those that enter a
    network namespace; ``server`` is that command, and ``program`` Python that stands in for it.
    """

    stop_timeout_s = 15.0

    properties: Mapping[str, str] = field(factory=dict)
    node_id: int = 1
    for_kafka_too: bool = False
    cluster_id: str = field(factory=random_id)
    voters: str | None = None
    controller_port: int = 0
    command_prefix: tuple[str, ...] = ()
    server: Path = field(factory=server_command)
    program: str | None = None
    port: int = field(init=False)
    _started_at: int = field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        self.port, controller_port = free_ports(2)
        self.controller_port = self.controller_port or controller_port

    @property
    def bootstrap_server(self) -> str:
        """What ``--bootstrap-server`` takes."""
        return f"{LOOPBACK}:{self.port}"

    @property
    def bootstrap_controller(self) -> str:
        """What ``--bootstrap-controller`` takes."""
        return f"{LOOPBACK}:{self.controller_port}"

    def write_config(self) -> Path:
        """Write server.properties: one node that clients and controllers can both reach."""
        clients = f"PLAINTEXT://{LOOPBACK}:{self.port}"
        controllers = f"CONTROLLER://{LOOPBACK}:{self.controller_port}"
        rows = {
            "process.roles": "controller",
            "node.id": str(self.node_id),
            "controller.quorum.bootstrap.servers": self.bootstrap_controller,
            "controller.listener.names": "CONTROLLER",
            "listeners": controllers if self.for_kafka_too else f"{clients},{controllers}",
            "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "log.dirs": str(self.data_directory),
            **self.properties,
        }
        return self.write_rows(rows)

    def format(self, *arguments: str) -> None:
        """Format the data directory with ``metaquorum storage format`` and these options."""
        self.write_config()
        quorum = ["--initial-controllers", self.voters] if self.voters else ["--standalone"]
        done = metaquorum(
            "storage", "format", "-t", self.cluster_id, "-c", self.config_file, *quorum, *arguments
        )
        if done.exit_code != 0:
            raise OwnNodeFailed(f"format failed: {done.stdout}{done.stderr}")

    def start(self) -> None:
        """Start the process in the background; ``wait_ready`` tells when it leads."""
        if self.pid is not None:
            raise OwnNodeFailed("it runs already")
        self._started_at = self.log_file.stat().st_size if self.log_file.exists() else 0
        self.launch([*self.command_prefix, *self._program(), "server", "start"], append=True)

    def _program(self) -> list[str | Path]:
        return [self.server] if self.program is None else [sys.executable, "-c", self.program]

    def wait_ready(self, timeout_s: float = READY_TIMEOUT_S) -> None:
        """Wait until it leads with a known high watermark and has registered itself.

        From then on its log is quiet but for NoOps. Below 3.7-IV0 controllers do not register,
        and leading is all there is to wait for.

        Raises OwnNodeFailed when the process ends before, or the time is over.
        """
        ends = time.monotonic() + timeout_s
        while not (self.leads() and (self.is_registered() or self.cannot_register())):
            if self.pid is None:
                raise OwnNodeFailed(f"it ended while starting:\n{self.log_tail()}")
            if time.monotonic() > ends:
                raise OwnNodeFailed(f"no leader after {timeout_s} s:\n{self.log_tail()}")
            time.sleep(POLL_S)

    def is_registered(self) -> bool:
        """Whether the cluster knows of this start of it, as its log tells."""
        with self.log_file.open("rb") as log:
            log.seek(self._started_at)
            return b" controller-registered " in log.read()

    def cannot_register(self) -> bool:
        """Whether the finalized metadata.version is one without registrations of controllers."""
        with contextlib.suppress(ConnectionFailed, PeerError):
            level = finalized_level(LOOPBACK, self.controller_port, METADATA_VERSION)
            return level is not None and level < CONTROLLER_REGISTRATION_FROM
        return False

    def leads(self) -> bool:
        """Whether it answers DescribeQuorum as the leader of a committed epoch."""
        with contextlib.suppress(ConnectionFailed, PeerError):
            return describe_leader(LOOPBACK, self.controller_port) is not None
        return False


def describe_leader(host: str, port: int) -> int | None:
    """The leader's id when this controller leads with a known high watermark, else None."""
    part = describe_partition(host, port)
    if part is None or part.high_watermark < 0:
        return None
    return int(part.leader_id)


def describe_partition(host: str, port: int, timeout_ms: int = 5_000) -> Any:
    """The one partition of DescribeQuorum as this controller answers it, None for an error."""
    topic = describe_quorum_request.TopicData(
        METADATA_TOPIC, [describe_quorum_request.PartitionData(METADATA_PARTITION)]
    )
    with Connection.open(host, port, connect_timeout_ms=1_000, timeout_ms=timeout_ms) as connection:
        version = connection.best_version(DESCRIBE_QUORUM)
        answer = connection.ask(
            DESCRIBE_QUORUM, version, describe_quorum_request.DescribeQuorumRequest([topic])
        )
    if answer.error_code != error_codes.NONE or not answer.topics:
        return None
    part = answer.topics[0].partitions[0]
    return part if part.error_code == error_codes.NONE else None


def finalized_level(host: str, port: int, feature: str) -> int | None:
    """The finalized level of a feature as this controller tells it, None while it has none."""
    with Connection.open(host, port, connect_timeout_ms=1_000, timeout_ms=5_000) as connection:
        version = connection.best_version(API_VERSIONS, FEATURES_FROM)
        request = api_versions_request.ApiVersionsRequest("own-node", "1")
        answer = connection.ask(API_VERSIONS, version, request)
    levels = {one.name: int(one.max_version_level) for one in answer.finalized_features}
    return levels.get(feature)


def metaquorum(*arguments: str | Path) -> ToolResult:
    """Run our command line and wait for its end."""
    return finished([METAQUORUM, *arguments], COMMAND_TIMEOUT_S)
