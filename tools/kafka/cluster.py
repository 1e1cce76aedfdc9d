"""Several controllers and brokers of the real Kafka on loopback, as one thing to start and stop."""

from __future__ import annotations

import uuid
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping
from pathlib import Path

from attrs import define, field

from tools.kafka import jars
from tools.kafka.node import KafkaNode
from tools.kafka.ports import LOOPBACK, free_ports
from tools.kafka.tool import ToolResult
from tools.process import Cluster, ServerFailed

FIRST_BROKER_ID = 101
REGISTRATION_TIMEOUT_MS = 20_000  # Kafka's own minute is long to wait for a start that failed


def random_id() -> str:
    """A random uuid in Kafka's text form that does not start with a dash."""
    while True:
        text = urlsafe_b64encode(uuid.uuid4().bytes).decode().rstrip("=")
        if not text.startswith("-"):
            return text


def found_at(ports: Mapping[int, int], *, static: bool) -> dict[str, str]:
    """The property by which a node finds controllers at these ports of loopback, by their ids."""
    places = {node_id: f"{LOOPBACK}:{port}" for node_id, port in ports.items()}
    if static:
        return {"controller.quorum.voters": ",".join(f"{i}@{at}" for i, at in places.items())}
    return {"controller.quorum.bootstrap.servers": ",".join(places.values())}


@define
class KafkaCluster(Cluster[KafkaNode]):
    """Controllers (KIP-853 voters) from ``first_id`` on and brokers 101.. in ``directory``.

    ``controller_properties`` and ``broker_properties`` are added to every node of that role;
    ``format_tool`` runs the storage tool (a warm JavaHelper's ``tool`` saves a second a node), with
    ``format_options`` for controllers.
    Controllers that others reach at other ports than they listen on, through a proxy say, have
    those in ``advertised_controller_ports``. With ``static_voters`` the voters stand in
    ``controller.quorum.voters``, at kraft.version 0.
    Used as a context manager it is formatted, started and ready inside, and gone afterwards.
    """

    directory: Path
    controllers: int = 3
    first_id: int = field(default=1, kw_only=True)
    brokers: int = 1
    version: str = jars.KAFKA_VERSION
    controller_properties: Mapping[str, str] = field(factory=dict)
    broker_properties: Mapping[str, str] = field(factory=dict)
    advertised_controller_ports: Mapping[int, int] = field(factory=dict)
    format_tool: Callable[..., ToolResult] | None = None
    format_options: tuple[str, ...] = ()
    static_voters: bool = field(default=False, kw_only=True)
    cluster_id: str = field(factory=random_id, init=False)
    controller_ports: dict[int, int] = field(factory=dict, init=False)
    broker_ports: dict[int, int] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        ports = free_ports(self.controllers + self.brokers)
        self.controller_ports = {
            self.first_id + number: port for number, port in enumerate(ports[: self.controllers])
        }
        self.broker_ports = {
            FIRST_BROKER_ID + number: port for number, port in enumerate(ports[self.controllers :])
        }
        for node_id, port in self.controller_ports.items():
            self.nodes[node_id] = self._controller(node_id, port)
        for node_id, port in self.broker_ports.items():
            self.nodes[node_id] = self._broker(node_id, port)

    @property
    def bootstrap_controllers(self) -> str:
        """What ``--bootstrap-controller`` takes."""
        return ",".join(
            f"{LOOPBACK}:{self._reached_at(node_id)}" for node_id in self.controller_ports
        )

    def _reached_at(self, node_id: int) -> int:
        return self.advertised_controller_ports.get(node_id, self.controller_ports[node_id])

    @property
    def bootstrap_servers(self) -> str:
        """What ``--bootstrap-server`` takes."""
        return ",".join(f"{LOOPBACK}:{port}" for port in self.broker_ports.values())

    def format(self) -> None:
        """Format every node with Kafka's own tool."""
        voters = ",".join(
            f"{node_id}@{LOOPBACK}:{self._reached_at(node_id)}:{random_id()}"
            for node_id in self.controller_ports
        )
        named = () if self.static_voters else ("--initial-controllers", voters)
        for node_id in self.controller_ports:
            self.nodes[node_id].format(
                *(self.cluster_id, *named, *self.format_options), tool=self.format_tool
            )
        for node_id in self.broker_ports:
            self.nodes[node_id].format(self.cluster_id, tool=self.format_tool)

    def start(self) -> None:
        """Start the controllers, then the brokers, and wait until each says that it is up.

        A broker of 4.3.1 that starts amid an election sometimes never gets its registration out
        and gives up after a while (seen on a busy machine): it is started once more.
        """
        for node_id in self.controller_ports:
            self.nodes[node_id].start()
        for node_id in self.controller_ports:
            self.nodes[node_id].wait_ready()
        for node_id in self.broker_ports:
            self.nodes[node_id].start()
        for node_id in self.broker_ports:
            try:
                self.nodes[node_id].wait_ready()
            except ServerFailed:
                self.nodes[node_id].kill()
                self.nodes[node_id].start()
                self.nodes[node_id].wait_ready()

    def stop(self) -> None:
        """Stop brokers first, as an operator would; then the controllers."""
        for node_id in (*self.broker_ports, *self.controller_ports):
            self.nodes[node_id].stop()

    def _quorum(self) -> dict[str, str]:
        ports = {node_id: self._reached_at(node_id) for node_id in self.controller_ports}
        return {
            **found_at(ports, static=self.static_voters),
            "controller.listener.names": "CONTROLLER",
            "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
        }

    def _advertised(self, node_id: int, port: int) -> dict[str, str]:
        reached_at = self._reached_at(node_id)
        if reached_at == port:
            return {}
        return {"advertised.listeners": f"CONTROLLER://{LOOPBACK}:{reached_at}"}

    def _controller(self, node_id: int, port: int) -> KafkaNode:
        properties = {
            "process.roles": "controller",
            "node.id": str(node_id),
            "listeners": f"CONTROLLER://{LOOPBACK}:{port}",
            **self._advertised(node_id, port),
            **self._quorum(),
            **self.controller_properties,
        }
        return KafkaNode(self.directory / f"controller-{node_id}", properties, self.version)

    def _broker(self, node_id: int, port: int) -> KafkaNode:
        properties = {
            "process.roles": "broker",
            "node.id": str(node_id),
            "listeners": f"PLAINTEXT://{LOOPBACK}:{port}",
            "initial.broker.registration.timeout.ms": str(REGISTRATION_TIMEOUT_MS),
            "offsets.topic.replication.factor": "1",
            "transaction.state.log.replication.factor": "1",
            "transaction.state.log.min.isr": "1",
            "share.coordinator.state.topic.replication.factor": "1",
            "share.coordinator.state.topic.min.isr": "1",
            **self._quorum(),
            **self.broker_properties,
        }
        return KafkaNode(self.directory / f"broker-{node_id}", properties, self.version)
