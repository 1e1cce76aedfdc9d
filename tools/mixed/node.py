"""A place in a mixed quorum: one id, one directory, one address, and the process there now."""

from __future__ import annotations

import functools
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from attrs import define, field

from metaquorum.base.ids import uuid_text
from metaquorum.storage import meta_properties
from metaquorum.storage.posix import PosixDisk
from tools import pypy
from tools.kafka.node import READY_WORDS, KafkaNode
from tools.kafka.ports import LOOPBACK
from tools.kafka.tool import ToolResult, run_tool
from tools.own_node import OwnNode, metaquorum, server_command
from tools.process import ServerFailed

OURS = "ours"
OURS_ON_PYPY = "ours-on-pypy"
KAFKA = "4.3.1"
KAFKA_3 = "3.9.1"
Kind = str
"""OURS, the same on PyPy, or a release of Apache Kafka."""

REGISTERED_WORDS = b"Our registration has been persisted"
CONTROLLER_FLAGS = ("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto")


def is_ours(kind: Kind) -> bool:
    """Whether the program is ours, whatever Python runs it."""
    return kind in (OURS, OURS_ON_PYPY)


@define(eq=False)
class MixedNode:
    """One controller; ``kind`` says whose program runs, and may change between two lives.

    Both programs read the same ``server.properties`` and serve the same directory. Each life
    writes a log file of its own, ``life-<number>-<kind>.log``. ``advertised_port`` is where others
    reach it, when a proxy stands before it; ``warm_tool`` runs tools of 4.3.1 in a JVM that is up.
    """

    directory: Path
    node_id: int
    kind: Kind
    cluster_id: str
    controller_port: int
    properties: Mapping[str, str]
    warm_tool: Callable[..., ToolResult]
    advertised_port: int = 0
    flags: tuple[str, ...] = CONTROLLER_FLAGS
    is_paused: bool = field(default=False, init=False)
    _is_stopping: bool = field(default=False, init=False)
    _life: int = field(default=0, init=False)
    _seen: tuple[bytes, ...] = field(default=(), init=False)
    _server: OwnNode | KafkaNode = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._server = self._make()

    def rows(self) -> dict[str, str]:
        """Its ``server.properties``, but for where its directory is."""
        place = f"CONTROLLER://{LOOPBACK}"
        return {
            "process.roles": "controller",
            "node.id": str(self.node_id),
            "listeners": f"{place}:{self.controller_port}",
            "advertised.listeners": f"{place}:{self.reached_at}",
            "controller.listener.names": "CONTROLLER",
            "listener.security.protocol.map": "CONTROLLER:PLAINTEXT",
            # Above this Kafka logs an error about a machine that is merely busy.
            "controller.performance.always.log.threshold.ms": "60000",
            **self.properties,
        }

    def _make(self) -> OwnNode | KafkaNode:
        rows = self.rows()
        log_name = f"life-{self._life}-{self.kind}.log"
        if self.is_ours:
            return OwnNode(
                self.directory,
                rows,
                node_id=self.node_id,
                cluster_id=self.cluster_id,
                for_kafka_too=True,
                controller_port=self.controller_port,
                log_name=log_name,
                server=pypy.command() if self.kind == OURS_ON_PYPY else server_command(),
            )
        return KafkaNode(self.directory, rows, self.kind, self.flags, log_name=log_name)

    @property
    def reached_at(self) -> int:
        """The port that others know."""
        return self.advertised_port or self.controller_port

    @property
    def is_ours(self) -> bool:
        return is_ours(self.kind)

    @property
    def is_up(self) -> bool:
        """Whether its process runs, paused or not."""
        return self._server.pid is not None

    @property
    def pid(self) -> int | None:
        """The process id while it runs."""
        return self._server.pid

    @property
    def answers(self) -> bool:
        """Whether it is worth asking.

        A node of Kafka's logs an error when a client asks it while it starts or stops.
        """
        if self.is_paused or self._is_stopping or not self.is_up:
            return False
        return self.is_ours or self._has_logged(READY_WORDS)

    @property
    def is_registered(self) -> bool:
        """Whether the cluster knows of this life of it, by its own log: it is wholly started."""
        server = self._server
        if isinstance(server, OwnNode):
            return server.is_registered()
        return self.answers and self._has_logged(REGISTERED_WORDS)

    def _has_logged(self, words: bytes) -> bool:
        if words not in self._seen and words in self._server.log_file.read_bytes():
            self._seen += (words,)
        return words in self._seen

    @property
    def config_file(self) -> Path:
        return self._server.config_file

    @property
    def metadata_directory(self) -> Path:
        """Where ``__cluster_metadata-0`` has its segments and snapshots."""
        return self._server.metadata_directory

    @property
    def data_directory(self) -> Path:
        """Its ``log.dirs``."""
        return self._server.data_directory

    @property
    def directory_id(self) -> str:
        """The id of its formatted directory, as text."""
        found = meta_properties.read(PosixDisk(), str(self._server.data_directory))
        if found is None or found.directory_id is None:
            raise ServerFailed(f"node {self.node_id} has no formatted directory")
        return uuid_text(found.directory_id)

    @property
    def logs_of_kafka(self) -> list[Path]:
        """The log files of its lives as Apache Kafka."""
        return [one for one in self._logs() if f"-{OURS}" not in one.name]

    @property
    def logs_of_ours(self) -> list[Path]:
        """The log files of its lives as one of ours."""
        return [one for one in self._logs() if f"-{OURS}" in one.name]

    def _logs(self) -> list[Path]:
        return sorted(self.directory.glob("life-*.log"))

    def format(self, *arguments: str) -> None:
        """Format its directory by the storage tool of its own side."""
        tools = {OURS: metaquorum, OURS_ON_PYPY: metaquorum, KAFKA: self.warm_tool}
        tool = tools.get(self.kind, functools.partial(run_tool, version=self.kind))
        config = self._server.write_config()
        done = tool("storage", "format", "-t", self.cluster_id, "-c", config, *arguments)
        if done.exit_code != 0:
            raise ServerFailed(f"format failed: {done.stdout}{done.stderr}")

    def start(self, kind: Kind | None = None) -> None:
        """Start it, by another program than before if ``kind`` says so; nothing is waited for."""
        self.kind = kind or self.kind
        self._life += 1
        self._seen = ()
        self._is_stopping = False
        self._server = self._make()
        self._server.write_config()
        self._server.start()

    def stop(self) -> None:
        """SIGTERM and its orderly end; ServerFailed when one of ours ends with a fault."""
        self._is_stopping = True
        self.resume()
        server = self._server
        if isinstance(server, OwnNode):
            code = server.stop()
            if code not in (0, None):
                raise ServerFailed(f"node {self.node_id} ended with {code}:\n{self.log_tail()}")
        else:
            server.stop()

    def kill(self) -> None:
        """SIGKILL: nothing is flushed, no connection is closed in order."""
        self._server.kill()
        self.is_paused = False

    def pause(self) -> None:
        """SIGSTOP: connections stay, nothing moves."""
        self.is_paused = True
        self._server.pause()

    def resume(self) -> None:
        """SIGCONT after a pause."""
        if self.is_paused:
            self._server.resume()
            self.is_paused = False

    def wipe(self) -> None:
        """Lose the directory, logs of its lives excepted."""
        shutil.rmtree(self._server.data_directory)

    def log_tail(self, lines: int = 30) -> str:
        """The last lines of its present life."""
        return f"node {self.node_id} ({self.kind}):\n{self._server.log_tail(lines)}"

    def log_text(self) -> str:
        """All that its present life has logged."""
        return self._server.log_file.read_text(errors="replace")
