"""One process of our own server: formatted, started, ready, stopped; as operators would do it."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from attrs import define, field

from metaquorum.base.errors import PeerError
from metaquorum.client.connection import ConnectionFailed
from metaquorum.metadata.tables.features import METADATA_VERSION
from metaquorum.metadata.versions import CONTROLLER_REGISTRATION_FROM
from tools.kafka.cluster import random_id
from tools.kafka.ports import LOOPBACK, free_ports
from tools.kafka.tool import ToolResult, finished
from tools.process import ServerFailed, ServerProcess
from tools.quorum_state import describe_leader, finalized_level

# absolute: a node is started from a directory of its own
METAQUORUM = Path(sys.executable).absolute().parent / "metaquorum"
SERVER_VARIABLE = "METAQUORUM_SERVER"
META_PROPERTIES = "meta.properties"
COMMAND_TIMEOUT_S = 60


def server_command() -> Path:
    """What starts a node: METAQUORUM_SERVER of the environment, or this environment's command."""
    named = os.environ.get(SERVER_VARIABLE)
    return Path(named).absolute() if named else METAQUORUM


@define
class OwnNode(ServerProcess):
    """A metaquorum server that lives in ``directory``, on loopback ports.

    Apache Kafka lets a node that is only a controller have no listener for clients. With
    ``for_kafka_too`` the configuration is one that its tools take as well.

    As a context manager it is formatted, unless it is already, started and ready inside.
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
            raise ServerFailed(f"format failed: {done.stdout}{done.stderr}")

    def bring_up(self) -> None:
        if not (self.data_directory / META_PROPERTIES).exists():
            self.format()
        super().bring_up()

    def start(self) -> None:
        self._started_at = self.log_file.stat().st_size if self.log_file.exists() else 0
        self.launch([*self.command_prefix, *self._program(), "server", "start"], append=True)

    def _program(self) -> list[str | Path]:
        return [self.server] if self.program is None else [sys.executable, "-c", self.program]

    def is_ready(self) -> bool:
        """Whether it leads with a known high watermark and has registered itself.

        From then on its log is quiet but for NoOps. Below 3.7-IV0 controllers do not register,
        and leading is all there is to wait for.
        """
        return self.leads() and (self.is_registered() or self.cannot_register())

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


def metaquorum(*arguments: str | Path) -> ToolResult:
    """Run our command line and wait for its end."""
    return finished([METAQUORUM, *arguments], COMMAND_TIMEOUT_S)
