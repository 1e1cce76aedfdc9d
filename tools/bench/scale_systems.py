"""Controllers of both systems that start with a large state which was written before."""

from __future__ import annotations

import contextlib
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from attrs import define, field, frozen

from metaquorum.base.errors import PeerError
from metaquorum.client.connection import Connection, ConnectionFailed, VersionsDoNotMeet
from metaquorum.wire.generated import broker_heartbeat_request, create_topics_request, error_codes
from tools.bench.processor_time import processor_seconds
from tools.bench.topics_systems import (
    CREATE_TOPICS,
    HEARTBEAT,
    OURS,
    Controller,
    System,
)
from tools.fake_broker import ANSWER_TIMEOUT_MS, BEHIND_NOTHING
from tools.kafka.cluster import KafkaCluster
from tools.kafka.node import KafkaNode
from tools.kafka.ports import LOOPBACK
from tools.large_state import (
    CLUSTER_ID,
    FIRST_BROKER_EPOCH,
    LargeState,
    write_directory,
    write_log_directory,
)
from tools.own_node import OwnNode

LOG, SNAPSHOT = "the log", "the snapshot"
FORMS = (LOG, SNAPSHOT)
WRITERS = {LOG: write_log_directory, SNAPSHOT: write_directory}
POLL_S = 0.02
GIVE_UP_S = 600.0
SETTLE_S = 3.0
# In a roll of all brokers some say nothing on their connections for longer than ten minutes. The
# fake brokers reckon what becomes of partitions, and do not reckon with a balance of leaders.
SESSION = {
    "broker.session.timeout.ms": "15000",
    "connections.max.idle.ms": "7200000",
    "auto.leader.rebalance.enable": "false",
}
MIB = 1_048_576
MS = 1_000


def kafka_flags(heap_mib: int) -> tuple[str, ...]:
    """What kafka-server-start.sh gives a JVM, with a heap of that size."""
    return (
        f"-Xmx{heap_mib}m",
        *("-server", "-XX:+UseG1GC", "-XX:MaxGCPauseMillis=20"),
        *("-XX:InitiatingHeapOccupancyPercent=35", "-XX:+ExplicitGCInvokesConcurrent"),
    )


@frozen
class Start:
    """From the process's start on: when a heartbeat was answered, when a topic was created.

    ``processor_s`` is what the process had worked until then, ``resident_mib`` its memory a little
    later.
    """

    heartbeat_s: float
    ready_s: float
    processor_s: float
    resident_mib: float


@define
class Prepared:
    """A node of one system whose directory holds ``state``, in one of FORMS."""

    system: System
    node: OwnNode | KafkaNode
    port: int
    form: str
    state: LargeState
    _pristine: Path = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._pristine = self.node.directory / f"pristine-{self.form.split()[-1]}"
        self.node.write_config()
        WRITERS[self.form](self._pristine, self.state, host=LOOPBACK, port=self.port)

    @contextlib.contextmanager
    def started(self) -> Iterator[tuple[Controller, Start]]:
        """The controller on a fresh copy of the directory, ready; killed at the end."""
        shutil.rmtree(self.node.data_directory, ignore_errors=True)
        shutil.copytree(self._pristine, self.node.data_directory)
        try:
            began = time.monotonic()
            self.node.start()
            answered = self._first_heartbeat()
            heartbeat_s = time.monotonic() - began
            self._first_topic(answered)
            ready_s = time.monotonic() - began
            assert self.node.pid is not None
            worked_s = processor_seconds(self.node.pid)
            time.sleep(SETTLE_S)
            controller = Controller(self.port, CLUSTER_ID, self.node.pid)
            yield controller, Start(heartbeat_s, ready_s, worked_s, controller.resident_mib())
        finally:
            self.node.kill()

    def peak_mib(self) -> float:
        """The most that the process has had in memory so far."""
        status = Path(f"/proc/{self.node.pid}/status").read_text()
        line = next(one for one in status.splitlines() if one.startswith("VmHWM:"))
        return int(line.split()[1]) * 1_024 / MIB

    def _first_heartbeat(self) -> Connection:
        """A connection on which the heartbeat of the first broker was answered without error."""
        beat = broker_heartbeat_request.BrokerHeartbeatRequest(
            0, FIRST_BROKER_EPOCH, BEHIND_NOTHING
        )
        ends = time.monotonic() + GIVE_UP_S
        connection: Connection | None = None
        while time.monotonic() < ends and self.node.pid is not None:
            try:
                if connection is None:
                    connection = Connection.open(
                        LOOPBACK, self.port, timeout_ms=int(GIVE_UP_S * MS)
                    )
                if connection.ask(HEARTBEAT, 1, beat).error_code == error_codes.NONE:
                    return connection
            except (ConnectionFailed, PeerError, VersionsDoNotMeet):
                connection = None
            time.sleep(POLL_S)
        raise SystemExit(f"{self.system.name} did not get ready:\n{self.node.log_tail()}")

    def _first_topic(self, connection: Connection) -> None:
        """Create one, asking again while another controller is named."""
        wire = create_topics_request
        request = wire.CreateTopicsRequest([wire.CreatableTopic("first", 1, 1)], 60_000, False)
        with connection:
            while True:
                [row] = connection.ask(CREATE_TOPICS, 7, request).topics
                if row.error_code == error_codes.NONE:
                    return
                if row.error_code != error_codes.NOT_CONTROLLER:
                    raise SystemExit(f"{self.system.name}: {row.error_code} {row.error_message}")
                time.sleep(POLL_S)


def prepared(
    system: System, form: str, directory: Path, state: LargeState, heap_mib: int
) -> Prepared:
    """Write the state for a fresh node of that system."""
    if system is OURS:
        node = OwnNode(directory, SESSION, cluster_id=CLUSTER_ID)
        return Prepared(system, node, node.controller_port, form, state)
    cluster = KafkaCluster(directory, controllers=1, brokers=0, controller_properties=SESSION)
    kafka = cluster.nodes[1]
    kafka.heap_flags = kafka_flags(heap_mib)
    return Prepared(system, kafka, cluster.controller_ports[1], form, state)


def open_connection(controller: Controller) -> Connection:
    """One that has time for answers which take long."""
    return Connection.open(LOOPBACK, controller.port, timeout_ms=ANSWER_TIMEOUT_MS)
