"""The same registrations and heartbeats to a controller of Kafka and to ours: the same answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from attrs import define, field

from metaquorum.base.ids import NodeId
from metaquorum.client.connection import Connection
from metaquorum.wire.generated import broker_registration_request as wire
from metaquorum.wire.generated.broker_heartbeat_request import BrokerHeartbeatRequest
from metaquorum.wire.generated.unregister_broker_request import UnregisterBrokerRequest
from tools.kafka import JavaHelper
from tools.kafka.cluster import KafkaCluster
from tools.kafka.ports import LOOPBACK
from tools.own_node import OwnNode

REGISTRATION, HEARTBEAT, UNREGISTRATION = 62, 63, 64
ALL_THERE_IS = 1 << 40
LEVELS = {
    "metadata.version": (7, 30),
    "kraft.version": (0, 1),
    "group.version": (0, 1),
    "transaction.version": (0, 2),
    "eligible.leader.replicas.version": (0, 1),
    "share.version": (0, 1),
    "streams.version": (0, 1),
}


def features(**changes: tuple[int, int] | None) -> list[wire.Feature]:
    """What a broker of 4.3.1 can do, but for these; None takes one away."""
    levels: dict[str, tuple[int, int] | None] = {
        **LEVELS,
        **{name.replace("_", "."): ends for name, ends in changes.items()},
    }
    return [wire.Feature(name, *ends) for name, ends in levels.items() if ends is not None]


def directory(broker_id: NodeId, number: int = 0) -> bytes:
    """The id of a log directory."""
    return bytes([1 + number, broker_id & 255]) * 8


def listener(name: str, port: int = 9092) -> wire.Listener:
    return wire.Listener(name, "a", port, 0)


@define
class Play:
    """Asks one controller, and notes what it answered."""

    connection: Connection
    cluster_id: str
    answers: list[tuple[Any, ...]] = field(factory=list)
    epochs: dict[NodeId, int] = field(factory=dict)

    def register(self, what: str, broker_id: NodeId, version: int = 4, **changes: Any) -> None:
        fields: dict[str, Any] = {
            "broker_id": broker_id,
            "cluster_id": self.cluster_id,
            "incarnation_id": directory(broker_id, 7),
            "listeners": [listener("PLAINTEXT")],
            "features": features(),
            "rack": None,
            "log_dirs": [directory(broker_id), directory(broker_id, 1)],
        }
        request = wire.BrokerRegistrationRequest(**(fields | changes))
        reply = self.connection.ask(REGISTRATION, version, request)
        if reply.error_code == 0:
            before = self.epochs.get(broker_id)
            self.epochs[broker_id] = reply.broker_epoch
            self.answers.append((what, 0, before == reply.broker_epoch))
        else:
            self.answers.append((what, reply.error_code, reply.broker_epoch))

    def beat(self, what: str, broker_id: NodeId, version: int = 2, **changes: Any) -> None:
        fields = {
            "broker_id": broker_id,
            "broker_epoch": self.epochs.get(broker_id, 5),
            "current_metadata_offset": ALL_THERE_IS,
        }
        request = BrokerHeartbeatRequest(**(fields | changes))
        reply = self.connection.ask(HEARTBEAT, version, request)
        self.answers.append(
            (
                *(what, reply.error_code, reply.is_caught_up),
                *(reply.is_fenced, reply.should_shut_down),
            )
        )

    def unregister(self, what: str, broker_id: NodeId) -> None:
        reply = self.connection.ask(UNREGISTRATION, 0, UnregisterBrokerRequest(broker_id))
        self.answers.append((what, reply.error_code))


def play(port: int, cluster_id: str) -> list[tuple[Any, ...]]:
    """The answers of the active controller at that port."""
    with Connection.open(LOOPBACK, port) as connection:
        one = Play(connection, cluster_id)
        registrations(one)
        heartbeats(one)
        return one.answers


def registrations(one: Play) -> None:
    """Checks of a registration, by themselves and two at once."""
    one.register("a good one", 201)
    one.register("the same again", 201)
    one.register("another cluster", 202, cluster_id="another")
    one.register("ZooKeeper's", 202, is_migrating_zk_broker=True)
    one.register("no directory", 202, log_dirs=[])
    one.register("a reserved directory", 202, log_dirs=[bytes(15) + b"\1"])
    one.register("a directory twice", 202, log_dirs=[directory(202)] * 2)
    one.register("another's directory", 202, log_dirs=[directory(201)])
    one.register("no metadata.version", 202, features=features(metadata_version=None))
    one.register("no features", 202, features=[])
    one.register("too old", 202, features=features(metadata_version=(7, 29)))
    one.register("too new", 202, features=features(metadata_version=(31, 33)))
    one.register("without kraft.version", 202, features=features(kraft_version=None))
    one.register("without group.version", 202, features=features(group_version=None))
    one.register("group.version 0 only", 202, features=features(group_version=(0, 0)))
    one.register("an unknown feature", 202, features=features(new_feature=(1, 2)))
    one.register("an unknown feature from 0", 203, features=features(new_feature=(0, 2)))
    one.register("no listener", 204, listeners=[])
    one.register("without a rack", 205, rack="r")
    one.register("wrong range, no directory", 202, features=[], log_dirs=[])
    one.register("ZooKeeper's, no directory", 202, is_migrating_zk_broker=True, log_dirs=[])
    for version in range(4):
        one.register(f"version {version}", 210 + version, version)


def heartbeats(one: Play) -> None:
    """The life of a broker without partitions."""
    one.beat("not registered", 299)
    one.beat("stale", 201, broker_epoch=1)
    one.beat("behind", 201, current_metadata_offset=0)
    one.beat("wants to stay fenced", 201, want_fence=True)
    one.register("a second process", 201, incarnation_id=directory(1, 9))
    one.beat("serves", 201)
    one.beat("serves on", 201, current_metadata_offset=0)
    one.register("the same in service", 201, rack="r")
    one.beat("version 0", 201, 0)
    one.beat("version 1", 201, 1, offline_log_dirs=[directory(201)])
    one.beat("offline and unknown", 201, offline_log_dirs=[directory(201), directory(250)])
    one.beat("cordoned", 201, cordoned_log_dirs=[directory(201, 1)])
    one.beat("cordoned and unknown", 201, cordoned_log_dirs=[directory(250)])
    one.beat("to be fenced", 201, want_fence=True)
    one.beat("back", 201)
    one.beat("fenced and shut down", 201, want_fence=True, want_shut_down=True)
    one.beat("back again", 201)
    one.beat("shut down", 201, want_shut_down=True)
    one.beat("shut down twice", 201, want_shut_down=True)
    one.beat("fenced, shut down", 203, want_shut_down=True)
    one.register("another of a fenced one", 201, incarnation_id=directory(2, 9))
    one.unregister("unknown", 299)
    one.unregister("known", 201)
    one.unregister("twice", 201)
    one.beat("forgotten", 201)
    one.register("anew", 201, incarnation_id=directory(3, 9))
    one.register("a broker with the controller's id", 1)


def test_brokers_are_answered_as_kafkas_controller_answers_them(
    tmp_path: Path, java: JavaHelper
) -> None:
    long = {"broker.session.timeout.ms": "60000"}
    with KafkaCluster(
        tmp_path / "kafka",
        controllers=1,
        brokers=0,
        controller_properties=long,
        format_tool=java.tool,
    ) as kafka:
        expected = play(kafka.controller_ports[1], kafka.cluster_id)
    with OwnNode(tmp_path / "own", long) as own:
        assert play(own.controller_port, own.cluster_id) == expected
