"""Three controllers with many partitions and three fake brokers: kill -9 to the first topic."""

from __future__ import annotations

import contextlib
import itertools
import statistics
import time
from collections.abc import Iterator
from pathlib import Path

from attrs import define, field

from metaquorum.base.errors import PeerError
from metaquorum.client.connection import Connection, ConnectionFailed
from metaquorum.wire.generated import create_topics_request, error_codes
from tools.bench.failover_quorums import KAFKAS, Quorum
from tools.bench.failover_quorums import OURS as OUR_QUORUM
from tools.bench.processor_time import processor_seconds
from tools.bench.topics_systems import CREATE_TOPICS, LONG_SESSION, OURS, System, create_many
from tools.fake_broker import ANSWER_TIMEOUT_MS, FakeBroker
from tools.kafka.cluster import KafkaCluster
from tools.kafka.ports import LOOPBACK
from tools.own_cluster import OwnCluster

BROKERS = (101, 102, 103)
PARTITIONS_PER_TOPIC = 10
ASK_MS = 5_000
PAUSE_S = 0.002
GIVE_UP_S = 60.0
SETTLE_S = 1.5
AT_REST = 0.1


@define
class Creator:
    """Creates topics at whichever controller takes them; one open connection to each."""

    ports: dict[int, int]
    _open: dict[int, Connection] = field(factory=dict)
    _names: Iterator[int] = field(factory=itertools.count)

    def create(self, node_id: int) -> bool:
        """One topic at this controller; whether it was created."""
        wire = create_topics_request
        topic = wire.CreatableTopic(f"after{next(self._names)}", 1, 3)
        request = wire.CreateTopicsRequest([topic], 60_000, False)
        try:
            if node_id not in self._open:
                self._open[node_id] = Connection.open(
                    LOOPBACK, self.ports[node_id], timeout_ms=ASK_MS
                )
            [row] = self._open[node_id].ask(CREATE_TOPICS, 7, request).topics
        except (ConnectionFailed, PeerError):
            self.forget(node_id)
            return False
        if row.error_code not in (
            *(error_codes.NONE, error_codes.NOT_CONTROLLER, error_codes.REQUEST_TIMED_OUT),
        ):
            raise SystemExit(f"{row.name}: {row.error_code} {row.error_message}")
        return bool(row.error_code == error_codes.NONE)

    def find(self, among: tuple[int, ...]) -> int:
        """The first of these that creates a topic, asked in turn; SystemExit when none does."""
        ends = time.monotonic() + GIVE_UP_S
        while time.monotonic() < ends:
            for node_id in among:
                if self.create(node_id):
                    return node_id
            time.sleep(PAUSE_S)
        raise SystemExit(f"none of the controllers {among} created a topic for {GIVE_UP_S:.0f} s")

    def forget(self, node_id: int) -> None:
        """Close the connection to this controller, if there is one."""
        connection = self._open.pop(node_id, None)
        if connection is not None:
            connection.close()

    def close(self) -> None:
        """Close all of them."""
        for node_id in tuple(self._open):
            self.forget(node_id)


@contextlib.contextmanager
def quorum_of(
    system: System, directory: Path, flags: tuple[str, ...]
) -> Iterator[tuple[Quorum, str]]:
    """Three controllers of that system, led inside, and their cluster's id."""
    if system is OURS:
        with OwnCluster(directory, properties=LONG_SESSION) as own:
            cluster_id = own.nodes[1].cluster_id
            yield Quorum(OUR_QUORUM, own.nodes, own.controller_ports), cluster_id
        return
    kafka = KafkaCluster(directory, brokers=0, controller_properties=LONG_SESSION)
    for node in kafka.nodes.values():
        node.heap_flags = flags
    with kafka:
        yield Quorum(KAFKAS, kafka.nodes, kafka.controller_ports), kafka.cluster_id


def fail_overs(
    system: System, directory: Path, partitions: int, flags: tuple[str, ...], times: int
) -> dict[str, float]:
    """The median of so many: milliseconds from kill -9 to the first topic created elsewhere."""
    with quorum_of(system, directory, flags) as (quorum, cluster_id):
        with contextlib.closing(Creator(quorum.ports)) as creator:
            leader = _active(quorum, cluster_id)
            with Connection.open(
                LOOPBACK, quorum.ports[leader], timeout_ms=ANSWER_TIMEOUT_MS
            ) as connection:
                topics = partitions // PARTITIONS_PER_TOPIC
                create_many(connection, "many", topics, PARTITIONS_PER_TOPIC, len(BROKERS))
            took_ms = [_fail_over(quorum, creator) for _ in range(times)]
    return {f"fail-over with {partitions} partitions, ms": statistics.median(took_ms)}


def _active(quorum: Quorum, cluster_id: str) -> int:
    """The active controller, at which the brokers are in service then."""
    ends = time.monotonic() + GIVE_UP_S
    while time.monotonic() < ends:
        for node_id, port in quorum.ports.items():
            if all(_comes_into_service(FakeBroker(port, one, cluster_id)) for one in BROKERS):
                return node_id
        time.sleep(PAUSE_S)
    raise SystemExit(f"no controller of {quorum.name} registered brokers for {GIVE_UP_S:.0f} s")


def _comes_into_service(broker: FakeBroker) -> bool:
    """Register and serve; False where nobody is active, or another controller is."""
    with broker.connection:
        code = broker.try_to_register()
        if code == error_codes.NONE:
            broker.come_into_service()
        elif code != error_codes.NOT_CONTROLLER:
            raise SystemExit(f"broker {broker.broker_id} was not registered: {code}")
        return code == error_codes.NONE


def _fail_over(quorum: Quorum, creator: Creator) -> float:
    everybody = tuple(quorum.ports)
    leader = creator.find(everybody)
    others = tuple(one for one in everybody if one != leader)
    for other in others:
        creator.create(other)  # refused, but it opens the connection
    began = time.monotonic()
    quorum.hurt(leader, "killed")
    creator.find(others)
    took_ms = (time.monotonic() - began) * 1_000
    creator.forget(leader)
    quorum.mend(leader, "killed")
    _until_at_rest(quorum, leader)
    return took_ms


def _until_at_rest(quorum: Quorum, node_id: int) -> None:
    """Until the node has replayed its log: elected before that, it would be active later."""
    pid, ends = quorum.nodes[node_id].pid, time.monotonic() + GIVE_UP_S
    assert pid is not None
    while time.monotonic() < ends:
        worked_s = processor_seconds(pid)
        time.sleep(SETTLE_S)
        if processor_seconds(pid) - worked_s < AT_REST * SETTLE_S:
            return
    raise SystemExit(f"controller {node_id} of {quorum.name} does not come to rest")
