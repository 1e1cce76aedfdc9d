"""A voter that lies, inside the quorum of two real processes: they stay up and go on writing.

Nodes 1 and 2 are ours; voter 3 is this test, which knows the cluster id, the directory ids and
every other secret there is, and sends what no correct voter sends.
"""

from __future__ import annotations

import contextlib
import random
import re
import struct
import time
from collections.abc import Iterator
from typing import Any

import pytest
from attrs import define

from metaquorum.base.errors import PeerError
from metaquorum.base.ids import METADATA_TOPIC, parse_uuid
from metaquorum.base.limits import CLOSE_NOTES_PER_SECOND, LAST_EPOCH, MAX_EPOCH
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.client.connection import Connection, ConnectionFailed
from metaquorum.quorum import adapt
from metaquorum.quorum.messages import (
    NOT_LEADER_OR_FOLLOWER,
    BeginEpochRequest,
    EndEpochRequest,
    FetchRequest,
    FetchSnapshotRequest,
    VoteRequest,
)
from metaquorum.quorum.types import Endpoint, ReplicaKey
from metaquorum.wire.errors import UnsupportedField
from metaquorum.wire.generated import error_codes
from metaquorum.wire.message import Message
from tools.event_lines import EventLine, parse_line
from tools.kafka.ports import LOOPBACK
from tools.own_cluster import OwnCluster
from tools.own_node import OwnNode
from tools.process import until
from tools.quorum_state import describe_partition
from tools.quota_writer import QuotaRefused, QuotaWriter

LIAR = 3
PATIENCE_S = 30.0
FRAMES = 250
SEEDS = (1, 2, 3, 4)
VOTE, BEGIN, END, FETCH, FETCH_SNAPSHOT = 52, 53, 54, 1, 59
SESSION = {error_codes.FETCH_SESSION_ID_NOT_FOUND, error_codes.INVALID_FETCH_SESSION_EPOCH}
TELLING = ("peer-mistake", "peer-refused", "connection-closed")
LEFT_OUT = re.compile(r"^(\d+) more lines")
LIES_A_SECOND = CLOSE_NOTES_PER_SECOND // 2
SECOND_S = 1.05  # a new second for the gate of the lines
HIGHEST = 2**31 - 1
NUMBERS = (-1, 0, 1, 2, 3, 99, HIGHEST, -(2**31), MAX_EPOCH, MAX_EPOCH + 1, 2**63 - 1, -(2**63))
TEXTS = ("", "elsewhere", "127.0.0.1", METADATA_TOPIC, "\x00", "x" * 300)


@define
class Quorum:
    """Two honest voters and what the liar knows of them."""

    cluster: OwnCluster
    nodes: dict[int, OwnNode]
    directories: dict[int, bytes]

    @property
    def cluster_id(self) -> str:
        return self.cluster.nodes[LIAR].cluster_id

    @property
    def liars_port(self) -> int:
        return self.cluster.controller_ports[LIAR]

    def leader(self) -> int:
        """Wait until one of the two leads; its id."""
        return until(self._leader, self.cluster.log_tails, PATIENCE_S)

    def _leader(self) -> int | None:
        for node_id, node in self.nodes.items():
            assert node.pid is not None, f"node {node_id} has ended:\n{node.log_tail()}"
        return self.cluster.leader(self.nodes)

    def epoch(self) -> int:
        """The epoch of the one who leads."""
        part = until(
            lambda: describe_partition(LOOPBACK, self.nodes[self.leader()].controller_port),
            "nobody tells its epoch",
            PATIENCE_S,
        )
        return int(part.leader_epoch)

    def write(self, value: float) -> None:
        """One acknowledged write, through the leader."""

        def is_written() -> bool:
            with contextlib.suppress(ConnectionFailed, QuotaRefused, PeerError):
                with QuotaWriter.open(self.nodes[self.leader()].controller_port) as writer:
                    writer.set("honest", "producer_byte_rate", value)
                    return True
            return False

        until(is_written, "no write is taken any more", PATIENCE_S)

    def send(self, node_id: int, key: int, message: Any) -> tuple[Any, int]:
        """The answer to one frame of the liar, None when the connection was closed for it, and
        the port that it was sent from.
        """
        with Connection.open(
            LOOPBACK, self.nodes[node_id].controller_port, client_id="raft-client-3"
        ) as connection:
            port = connection.local_port
            try:
                return connection.ask(key, connection.best_version(key), message), port
            except ConnectionFailed as failure:
                assert "closed the connection" in str(failure) or "reset" in str(failure)
                return None, port

    def told(self, node_id: int) -> list[EventLine]:
        """The lines about refused frames in a node's log."""
        return self.events(node_id, *TELLING)

    def told_of(self, node_id: int, port: int, since: int) -> list[EventLine]:
        """Those from ``since`` on that name this port, as soon as there is one.

        A thread writes the log, so an answer may come before its line.
        """
        return until(
            lambda: lines_of(port, self.told(node_id)[since:]),
            self.nodes[node_id].log_tail,
            PATIENCE_S,
        )

    def events(self, node_id: int, *names: str) -> list[EventLine]:
        """The lines of these events in a node's log."""
        lines = self.nodes[node_id].log_file.read_text(errors="replace").splitlines()
        events = (parse_line(line) for line in lines)
        return [one for one in events if one is not None and one.name in names]


@pytest.fixture(scope="module")
def quorum(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Quorum]:
    cluster = OwnCluster(tmp_path_factory.mktemp("liar"))
    voters = (cluster.nodes[LIAR].voters or "").split(",")
    ids = {int(one.partition("@")[0]): parse_uuid(one.rpartition(":")[2]) for one in voters}
    honest = {node_id: node for node_id, node in cluster.nodes.items() if node_id != LIAR}
    try:
        for node in honest.values():
            node.format()
            node.start()
        running = Quorum(cluster, honest, ids)
        running.leader()
        yield running
    finally:
        cluster.kill()


def messages(quorum: Quorum, epoch: int, receiver: int) -> dict[int, Any]:
    """What a correct voter 3 would say in this epoch, by API."""
    liar = ReplicaKey(LIAR, quorum.directories[LIAR])
    to = ReplicaKey(receiver, quorum.directories[receiver])
    place = (Endpoint("CONTROLLER", LOOPBACK, quorum.liars_port),)
    end = OffsetAndEpoch(epoch, 1_000)
    return {
        VOTE: VoteRequest(epoch + 1, liar, end, False, to),
        BEGIN: BeginEpochRequest(epoch, LIAR, place, to),
        END: EndEpochRequest(epoch, LIAR, (liar,), place),
        FETCH: FetchRequest(liar, epoch, 5, 1, 0, 1_048_576, -1),
        FETCH_SNAPSHOT: FetchSnapshotRequest(liar, epoch, end, 0, 1_048_576),
    }


def on_the_wire(quorum: Quorum, key: int, message: Any) -> Any:
    """The same as the message of the wire, in the version that our nodes serve."""
    port = next(iter(quorum.nodes.values())).controller_port
    with Connection.open(LOOPBACK, port) as connection:
        version = connection.best_version(key)
    return adapt.write_request(version, message, quorum.cluster_id)


def fields(message: Any) -> Iterator[tuple[Any, str]]:
    """Every number and text in a message, at any depth: its holder and its name."""
    for name in message.__slots__:
        value = getattr(message, name)
        if name == "unknown_tags":
            continue
        for item in value if isinstance(value, list | tuple) else [value]:
            if isinstance(item, Message):
                yield from fields(item)
        if isinstance(value, int | str | bytes) and not isinstance(value, bool):
            yield message, name


def lie(message: Any, chance: random.Random, epoch: int) -> None:
    """Change one to three fields of a message into something else."""
    places = list(fields(message))
    for holder, name in chance.sample(places, min(len(places), chance.randint(1, 3))):
        value = getattr(holder, name)
        if isinstance(value, int):
            setattr(holder, name, chance.choice((*NUMBERS, epoch, epoch + 1)))
        elif isinstance(value, str):
            setattr(holder, name, chance.choice(TEXTS))
        else:
            setattr(holder, name, chance.randbytes(16))


def codes(answer: Any) -> set[int]:
    """Every error code in an answer."""
    found: set[int] = set()
    for name in answer.__slots__:
        value = getattr(answer, name)
        if name == "error_code":
            found.add(value)
        for item in value if isinstance(value, list | tuple) else [value]:
            if isinstance(item, Message):
                found |= codes(item)
    return found


@define
class Frame:
    """One frame of the liar that was answered, or whose connection was closed."""

    receiver: int
    key: int
    message: Any
    answer: Any
    port: int

    @property
    def is_refused(self) -> bool:
        """Whether it is worth a line: an error, or no answer at all.

        A fetch with nothing wrong in it but that another node leads is none; nor is one without a
        replica's id, which is a consumer's.
        """
        if self.answer is None:
            return True
        told = codes(self.answer) - {0}
        if self.key == FETCH and told == {NOT_LEADER_OR_FOLLOWER}:
            asked = self.message
            return asked.max_bytes < 0 or asked.replica_state.replica_id == self.receiver
        return bool(told)

    @property
    def is_for_its_session(self) -> bool:
        """Whether a fetch session was refused before the quorum was asked; that has lines too."""
        return self.key == FETCH and self.answer is not None and bool(codes(self.answer) & SESSION)

    @property
    def is_for_the_quorum(self) -> bool:
        """Whether the quorum was asked: not for a consumer, nor when its session was refused."""
        of_a_consumer = self.key == FETCH and self.message.replica_state.replica_id < 0
        return not of_a_consumer and not self.is_for_its_session


def flood(quorum: Quorum, seed: int) -> list[Frame]:
    """Hundreds of lies to both nodes, neither of which ends."""
    chance = random.Random(seed)
    pids = {node_id: node.pid for node_id, node in quorum.nodes.items()}
    epoch, sent = quorum.epoch(), []
    for number in range(FRAMES):
        if number % 50 == 0:
            epoch = quorum.epoch()
        receiver = chance.choice((1, 2))
        key, honest = chance.choice(list(messages(quorum, epoch, receiver).items()))
        message = on_the_wire(quorum, key, honest)
        lie(message, chance, epoch)
        with contextlib.suppress(struct.error, OverflowError, UnsupportedField, ValueError):
            answer, port = quorum.send(receiver, key, message)
            sent.append(Frame(receiver, key, message, answer, port))
        node = quorum.nodes[receiver]
        assert node.pid == pids[receiver], f"frame {number} of seed {seed}:\n{node.log_tail()}"
    assert {node_id: node.pid for node_id, node in quorum.nodes.items()} == pids
    return sent


@pytest.mark.parametrize("seed", SEEDS)
def test_false_requests_end_no_process_and_each_is_logged_or_counted(
    quorum: Quorum, seed: int
) -> None:
    time.sleep(2 * SECOND_S)  # until the lines of those before are all told
    since = {node_id: len(quorum.told(node_id)) for node_id in quorum.nodes}
    of_sessions = {
        node_id: len(quorum.events(node_id, "fetch-session-refused")) for node_id in quorum.nodes
    }
    began = time.monotonic()
    sent = flood(quorum, seed)
    quorum.write(float(seed))
    assert quorum.epoch() < LAST_EPOCH - FRAMES
    time.sleep(2 * SECOND_S)
    seconds = time.monotonic() - began
    for node_id in quorum.nodes:
        lines = quorum.told(node_id)[since[node_id] :]
        counts = (LEFT_OUT.search(one.fields["why"]) for one in lines)
        left_out = sum(int(found[1]) for found in counts if found)
        mine = [frame for frame in sent if frame.receiver == node_id]
        elsewhere = {frame.port for frame in mine if not frame.is_for_the_quorum}
        refused = {frame.port: 0 for frame in mine if frame.port not in elsewhere}
        for frame in mine:  # the system may give one port to several frames, one after another
            if frame.port not in elsewhere:
                refused[frame.port] += frame.is_refused
        told = {port: lines_of(port, lines) for port in refused}
        for port, frames in refused.items():
            assert len(told[port]) <= frames, (told[port], [f for f in mine if f.port == port])
        all_told, all_refused = sum(map(len, told.values())), sum(refused.values())
        assert all_refused > FRAMES // 10
        assert all_told <= all_refused <= all_told + left_out
        sessions = sum(frame.receiver == node_id and frame.is_for_its_session for frame in sent)
        refusals = quorum.events(node_id, "fetch-session-refused")[of_sessions[node_id] :]
        assert len(refusals) == sessions
        assert len(lines) <= len(TELLING) * (CLOSE_NOTES_PER_SECOND + 1) * (seconds + 1)


def lines_of(port: int, lines: list[EventLine]) -> list[EventLine]:
    """Those lines that name the liar's address."""
    place = re.compile(rf"{re.escape(LOOPBACK)}:{port}\b")
    return [one for one in lines if place.search(one.fields["why"])]


def claims(quorum: Quorum, epoch: int, leader: int) -> dict[str, tuple[int, Any]]:
    """Lies that must change nothing at the node that leads, each with its API."""
    to = ReplicaKey(leader, quorum.directories[leader])
    liar = ReplicaKey(LIAR, quorum.directories[LIAR])
    place = (Endpoint("CONTROLLER", LOOPBACK, quorum.liars_port),)
    nowhere = (Endpoint("CONTROLLER", "", quorum.liars_port),)
    end = OffsetAndEpoch(epoch, 1_000)
    return {
        "a vote in the last epoch there is": (VOTE, VoteRequest(HIGHEST, liar, end, False, to)),
        "a leader of the last epoch there is": (BEGIN, BeginEpochRequest(HIGHEST, LIAR, place, to)),
        "the end of the last epoch there is": (END, EndEpochRequest(HIGHEST, LIAR, (), place)),
        "a second leader of this epoch": (BEGIN, BeginEpochRequest(epoch, LIAR, place, to)),
        "a leader that is nowhere": (BEGIN, BeginEpochRequest(epoch + 1, 99, (), to)),
        "the end of an epoch by one that does not lead it": (
            END,
            EndEpochRequest(epoch, LIAR, (liar,), place),
        ),
        "the receiver as leader of the next epoch": (
            BEGIN,
            BeginEpochRequest(epoch + 1, leader, place, to),
        ),
        "a leader that listens nowhere": (BEGIN, BeginEpochRequest(epoch + 1, 99, nowhere, to)),
        "a fetch of a negative offset": (
            FETCH,
            FetchRequest(liar, epoch, -7, 1, 0, 1_048_576, -1),
        ),
        "a fetch of a negative size": (FETCH, FetchRequest(liar, epoch, 0, 0, 0, -1, -1)),
        "a snapshot from a negative position": (
            FETCH_SNAPSHOT,
            FetchSnapshotRequest(liar, epoch, end, -1, 1_048_576),
        ),
        "a vote for the receiver's own id": (
            VOTE,
            VoteRequest(epoch + 1, ReplicaKey(leader, liar.directory_id), end, False, to),
        ),
    }


def test_each_false_request_gets_an_error_and_a_line_and_no_new_epoch(
    quorum: Quorum,
) -> None:
    quorum.write(99.0)
    leader, epoch = quorum.leader(), quorum.epoch()
    for number, (name, (key, message)) in enumerate(claims(quorum, epoch, leader).items()):
        if number % LIES_A_SECOND == 0:
            time.sleep(SECOND_S)  # so that no line is left out
        since = len(quorum.told(leader))
        answer, port = quorum.send(leader, key, on_the_wire(quorum, key, message))
        assert answer is not None and codes(answer) != {0}, name
        assert (quorum.leader(), quorum.epoch()) == (leader, epoch), name
        (line,) = quorum.told_of(leader, port, since)
        told = [error_codes.NAMES[one] for one in codes(answer) - {0}]
        assert [code for code in told if f": {code};" in line.fields["why"]] == told, name
    quorum.write(100.0)
