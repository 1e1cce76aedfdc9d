"""One controller of each system, alone or with a real broker, and what is asked of it."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from attrs import define, frozen

from metaquorum.client.connection import Connection
from metaquorum.wire.generated import (
    create_topics_request,
    error_codes,
    incremental_alter_configs_request,
    list_offsets_request,
)
from tools.fake_broker import ANSWER_TIMEOUT_MS
from tools.kafka.broker import broker_on
from tools.kafka.cluster import KafkaCluster
from tools.kafka.ports import LOOPBACK
from tools.own_node import OwnNode
from tools.process import until

LIST_OFFSETS, CREATE_TOPICS, INCREMENTAL_ALTER_CONFIGS, HEARTBEAT = 2, 19, 44, 63
TOPIC = 2
REAL_BROKER = 101
LONG_SESSION = {"broker.session.timeout.ms": "3600000"}
TOPICS_PER_REQUEST, PARTITIONS = 100, 10
LATEST = -1
SINGLES, SINGLES_BEFORE = 60, 15
GIVE_UP_S, POLL_S = 300.0, 0.5
MANY = "many"
BROKER_HEAP = ("-Xmx1g", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto")
ONE_REPLICA = {"offsets.topic.replication.factor": "1"}


@frozen
class System:
    """A kind of controller; ``linger_ms`` is what Kafka's is given, None for its default."""

    name: str
    is_ours: bool
    linger_ms: int | None = None


OURS = System("metaquorum", True)
KAFKA = System("kafka", False)
KAFKA_AT_ONCE = System("kafka linger 0", False, 0)
SYSTEMS = (OURS, KAFKA, KAFKA_AT_ONCE)


@define
class Controller:
    """A controller that runs: where it is, what its process is called."""

    port: int
    cluster_id: str
    pid: int

    @property
    def address(self) -> str:
        """HOST:PORT."""
        return f"{LOOPBACK}:{self.port}"

    def open(self) -> Connection:
        """A connection to it."""
        return Connection.open(LOOPBACK, self.port, timeout_ms=ANSWER_TIMEOUT_MS)

    def resident_mib(self) -> float:
        """What its process has in memory."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        line = next(one for one in status.splitlines() if one.startswith("VmRSS:"))
        return int(line.split()[1]) / 1_024


@contextlib.contextmanager
def controller_of(system: System, directory: Path) -> Iterator[Controller]:
    """A fresh controller of that system, gone at the end."""
    if system.is_ours:
        with OwnNode(directory, LONG_SESSION) as node:
            assert node.pid is not None
            yield Controller(node.controller_port, node.cluster_id, node.pid)
        return
    properties: Mapping[str, str] = LONG_SESSION
    if system.linger_ms is not None:
        properties = {
            **properties,
            "controller.quorum.append.linger.ms": str(system.linger_ms),
        }
    kafka = KafkaCluster(directory, controllers=1, brokers=0, controller_properties=properties)
    with kafka:
        pid = kafka.nodes[1].pid
        assert pid is not None
        yield Controller(kafka.controller_ports[1], kafka.cluster_id, pid)


# Requests.


def create(connection: Connection, names: list[str], partitions: int, factor: int) -> None:
    """Create topics; SystemExit if one is refused."""
    wire = create_topics_request
    topics = [wire.CreatableTopic(name, partitions, factor) for name in names]
    answer = connection.ask(CREATE_TOPICS, 7, wire.CreateTopicsRequest(topics, 60_000, False))
    refused = [one for one in answer.topics if one.error_code]
    if refused:
        raise SystemExit(f"{refused[0].name}: {refused[0].error_code} {refused[0].error_message}")


def times_ms(work: Callable[[int], None], count: int, before: int) -> list[float]:
    """How long each of ``count`` calls takes, after some that do not count."""
    found = []
    for number in range(before + count):
        began = time.perf_counter()
        work(number)
        found.append((time.perf_counter() - began) * 1_000)
    return found[before:]


def create_many(
    connection: Connection, prefix: str, topics: int, partitions: int, factor: int
) -> float:
    """Create topics in requests of TOPICS_PER_REQUEST; in how many seconds."""
    began = time.perf_counter()
    for first in range(0, topics, TOPICS_PER_REQUEST):
        last = min(topics, first + TOPICS_PER_REQUEST)
        create(connection, [f"{prefix}{one}" for one in range(first, last)], partitions, factor)
    return time.perf_counter() - began


# Through a real broker.


def through_a_broker(system: System, directory: Path, topics: int) -> dict[str, float]:
    """A real broker's start, creates and settings through it, and until it serves all of it.

    A broker shows topics before it has made their directories, and shows none of those that come
    meanwhile. When it shows them all depends on how its fetches fell, so that is not asked.
    """
    with controller_of(system, directory / "controller") as controller:
        broker = broker_on(
            *(directory / "broker", controller.address, controller.cluster_id, None, REAL_BROKER),
            ONE_REPLICA,
        )
        broker.heap_flags = BROKER_HEAP
        began = time.perf_counter()
        with broker:
            found = {"broker's start, s": time.perf_counter() - began}
            port = int(broker.properties["listeners"].rpartition(":")[2])
            with Connection.open(LOOPBACK, port, timeout_ms=ANSWER_TIMEOUT_MS) as connection:
                singles = times_ms(
                    lambda number: create(connection, [f"one{number}"], 1, 1),
                    *(SINGLES, SINGLES_BEFORE),
                )
                settings = times_ms(lambda number: set_retention(connection, number), SINGLES, 5)
                found |= {
                    "create one through a broker, ms": median(singles),
                    "change a setting through a broker, ms": median(settings),
                    f"create {topics} x {PARTITIONS} through a broker, s": create_many(
                        connection, MANY, topics, PARTITIONS, 1
                    ),
                }
                began = time.perf_counter()
                pending = {f"{MANY}{number}" for number in range(topics)}
                until(
                    lambda: all_served(connection, pending),
                    lambda: f"{len(pending)} of {topics} topics are not served",
                    *(GIVE_UP_S, POLL_S),
                )
                found["then served after, s"] = time.perf_counter() - began
            return found


def set_retention(connection: Connection, number: int) -> None:
    """Change a setting of the first topic; SystemExit if it is refused."""
    wire = incremental_alter_configs_request
    config = wire.AlterableConfig("retention.ms", 0, str(1_000_000 + number))
    request = wire.IncrementalAlterConfigsRequest(
        [wire.AlterConfigsResource(TOPIC, "one0", [config])], False
    )
    [row] = connection.ask(INCREMENTAL_ALTER_CONFIGS, 1, request).responses
    if row.error_code != error_codes.NONE:
        raise SystemExit(f"{row.error_code} {row.error_message}")


def all_served(connection: Connection, pending: set[str]) -> bool:
    """Whether the broker leads all partitions of all these topics; those that it does go."""
    wire = list_offsets_request
    topics = [
        wire.ListOffsetsTopic(
            name, [wire.ListOffsetsPartition(one, -1, LATEST) for one in range(PARTITIONS)]
        )
        for name in sorted(pending)
    ]
    answer = connection.ask(LIST_OFFSETS, 7, wire.ListOffsetsRequest(-1, 0, topics))
    for topic in answer.topics:
        if all(one.error_code == error_codes.NONE for one in topic.partitions):
            pending.discard(str(topic.name))
    return not pending


def median(values: list[float]) -> float:
    """The value in the middle."""
    return sorted(values)[len(values) // 2]
