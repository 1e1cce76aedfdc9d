"""Clients that write and look while everything goes wrong, and note each beginning and end."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from random import Random

from attrs import define, field

from metaquorum.base.errors import OperatorError
from metaquorum.client.connection import Connection
from metaquorum.client.leader_link import NoLeader
from metaquorum.client.metadata_log import MetadataLogReader
from metaquorum.testing.linearizability.committed_order import Look
from metaquorum.testing.linearizability.history import Kind, Operation
from metaquorum.testing.linearizability.log_files import QUOTA
from metaquorum.testing.linearizability.notes import Notes
from metaquorum.wire.generated import describe_client_quotas_request as describe
from metaquorum.wire.generated import error_codes
from tools.chaos.cluster import UNREACHABLE, ChaosCluster
from tools.chaos.network import NodeId
from tools.quota_writer import QuotaRefused, QuotaWriter

DESCRIBE_CLIENT_QUOTAS = 48
KEYS = tuple(f"user-{number}" for number in range(4))
FRESH_LOOKS = 0.2  # share of a client's operations
RECONNECTS = 0.02
ANY_NODE = 0.4  # share of connections for writes that go to whichever node, which forwards
PAUSE_S = 0.01
LOOK_PAUSE_S = 0.05
ANSWER_MS = 2_000
LOOKS_UNTIL_ANOTHER_NODE = 20
VALUES_PER_CLIENT = 1_000_000


@define(eq=False)
class SharedNotes(Notes):
    """Notes that several threads take until ``over``."""

    over: threading.Event = field(factory=threading.Event)


@define(eq=False)
class Client:
    """Writes through the leader, whom it looks for itself, or through any node; looks freshly."""

    number: int
    cluster: ChaosCluster
    notes: SharedNotes
    chance: Random
    name: str = field(init=False)
    _written: int = 0
    _writer: QuotaWriter | None = None

    def __attrs_post_init__(self) -> None:
        self.name = f"client-{self.number}"

    def run(self) -> None:
        """Until the notes are closed."""
        while not self.notes.over.is_set():
            if self.chance.random() < FRESH_LOOKS:
                self.look_freshly()
            else:
                self.write(self.chance.choice(KEYS))
            if self.chance.random() < RECONNECTS:
                self._hang_up()
            self.notes.over.wait(PAUSE_S)
        self._hang_up()

    def write(self, key: str) -> Operation | None:
        """One write of a value that nobody else writes; None when it surely was not made."""
        writer = self._connected()
        if writer is None:
            return None
        self._written += 1
        value = float(self.number * VALUES_PER_CLIENT + self._written)
        began, ended = time.monotonic_ns(), None
        try:
            writer.set(key, QUOTA, value)
            ended = time.monotonic_ns()
        except QuotaRefused as refusal:
            self._hang_up()
            if _surely_undone(refusal):
                return None  # should it show in the log, nobody will have asked for it
            if not str(refusal).startswith(IN_DOUBT):
                self.notes.faults.append(f"{self.name} was refused: {refusal}")
        except UNREACHABLE:
            self._hang_up()
        operation = Operation(self.name, Kind.WRITE, key, value, began, ended)
        self.notes.operations.append(operation)
        return operation

    def look_freshly(self) -> None:
        """Write a marker and look at some node until it shows (decision 075)."""
        marker = self.write(f"marker-{self.number}")
        if marker is None or marker.returned_at is None:
            return
        while not self.notes.over.is_set():
            node = self.chance.choice(sorted(self.cluster.nodes))
            with (
                contextlib.suppress(*UNREACHABLE),
                Poller(self.cluster, node, self.name) as poller,
            ):
                for _ in range(LOOKS_UNTIL_ANOTHER_NODE):
                    look = poller.look()
                    if look is None or self.notes.over.is_set():
                        break
                    if look.values.get(marker.key) == marker.value:
                        self._note_fresh(look, marker)
                        return
                    self.notes.looks.append(look)
                    self.notes.over.wait(LOOK_PAUSE_S)

    def _note_fresh(self, look: Look, marker: Operation) -> None:
        began, ended = marker.invoked_at, look.returned_at
        self.notes.looks.append(Look(look.node, look.values, began, ended, is_fresh=True))
        for key in KEYS:
            value = look.values.get(key)
            self.notes.operations.append(Operation(self.name, Kind.READ, key, value, began, ended))

    def _connected(self) -> QuotaWriter | None:
        if self._writer is None:
            node = self._find_leader()
            host, port = self.cluster.network.client_address(node)
            with contextlib.suppress(*UNREACHABLE):
                self._writer = QuotaWriter.open(port, host, ANSWER_MS)
        return self._writer

    def _find_leader(self) -> NodeId:
        """The node that a random node takes for the leader; sometimes that node, leader or not."""
        node = self.chance.choice(sorted(self.cluster.nodes))
        if self.chance.random() < ANY_NODE:
            return node
        described = self.cluster.ask_quorum(node)
        known = described is not None and described.leader_id in self.cluster.nodes
        return int(described.leader_id) if known and described is not None else node

    def _hang_up(self) -> None:
        if self._writer is not None:
            self._writer.connection.close()
            self._writer = None


IN_DOUBT = error_codes.NAMES[error_codes.REQUEST_TIMED_OUT]


def _surely_undone(refusal: QuotaRefused) -> bool:
    """Whether a refusal says that nothing was done (decision 060)."""
    return str(refusal).startswith(
        (
            error_codes.NAMES[error_codes.NOT_CONTROLLER],
            error_codes.NAMES[error_codes.THROTTLING_QUOTA_EXCEEDED],
        )
    )


@define(eq=False)
class Poller:
    """A connection over which one life of one node is looked at."""

    cluster: ChaosCluster
    node: NodeId
    by: str
    _connection: Connection | None = None
    _life: int = 0

    def __enter__(self) -> Poller:
        self._life = self.cluster.lives[self.node]
        host, port = self.cluster.network.client_address(self.node)
        self._connection = Connection.open(
            host, port, connect_timeout_ms=ANSWER_MS, timeout_ms=ANSWER_MS
        )
        return self

    def __exit__(self, *_: object) -> None:
        if self._connection is not None:
            self._connection.close()

    def look(self) -> Look | None:
        """All quotas that the node shows now; None when its life may have ended meanwhile."""
        assert self._connection is not None
        version = self._connection.best_version(DESCRIBE_CLIENT_QUOTAS)
        began = time.monotonic_ns()
        answer = self._connection.ask(
            DESCRIBE_CLIENT_QUOTAS, version, describe.DescribeClientQuotasRequest([], False)
        )
        ended = time.monotonic_ns()
        if answer.error_code != error_codes.NONE or self.cluster.lives[self.node] != self._life:
            return None
        values = {
            entry.entity[0].entity_name: value.value
            for entry in answer.entries
            for value in entry.values
        }
        return Look(f"node {self.node}, life {self._life}, to {self.by}", values, began, ended)


def watch_node(cluster: ChaosCluster, node: NodeId, notes: SharedNotes) -> None:
    """Look at one node again and again."""
    while not notes.over.is_set():
        with contextlib.suppress(*UNREACHABLE), Poller(cluster, node, "watch") as poller:
            while not notes.over.is_set() and (look := poller.look()) is not None:
                notes.looks.append(look)
                notes.over.wait(LOOK_PAUSE_S)
        notes.over.wait(LOOK_PAUSE_S)


def watch_log(cluster: ChaosCluster, notes: SharedNotes) -> None:
    """Read the committed log through the leader, from its beginning, as it grows."""
    addresses = [cluster.network.client_address(node) for node in cluster.nodes]
    position = 0
    while not notes.over.is_set():
        reader = MetadataLogReader(addresses, start=position, follow=True, wait_ms=200)
        try:
            for record in reader.records():
                if not record.control:
                    notes.seen.append((record.offset, record.epoch, record.value))
                position = record.offset + 1
                if notes.over.is_set():
                    break
        except NoLeader:
            continue
        except OperatorError as error:
            notes.faults.append(f"a reader of the log: {type(error).__name__}: {error}")
            return
        finally:
            reader.close()


def start_threads(tasks: list[Callable[[], None]]) -> list[threading.Thread]:
    """One thread each."""
    threads = [threading.Thread(target=task, daemon=True) for task in tasks]
    for thread in threads:
        thread.start()
    return threads
