"""A broker of the real Kafka for controllers that it does not come with, ours or others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from tools.kafka.jars import KAFKA_VERSION
from tools.kafka.node import KafkaNode
from tools.kafka.ports import LOOPBACK, free_ports
from tools.kafka.tool import ToolResult

HEAP = ("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto")


def broker_on(
    directory: Path,
    controllers: str,
    cluster_id: str,
    tool: Callable[..., ToolResult] | None,
    broker_id: int,
    more: Mapping[str, str] | None = None,
    version: str = KAFKA_VERSION,
) -> KafkaNode:
    """A formatted broker that is not started yet.

    ``tool`` runs Kafka's storage tool; without one it is that of ``version``, in its own JVM.
    """
    (port,) = free_ports(1)
    rows = {
        "process.roles": "broker",
        "node.id": str(broker_id),
        "listeners": f"PLAINTEXT://{LOOPBACK}:{port}",
        "controller.listener.names": "CONTROLLER",
        "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
        "controller.quorum.bootstrap.servers": controllers,
        **(more or {}),
    }
    node = KafkaNode(directory, rows, version, heap_flags=HEAP)
    node.format(cluster_id, tool=tool)
    return node


def address_of(broker: KafkaNode) -> str:
    """HOST:PORT of a broker that ``broker_on`` made."""
    return broker.properties["listeners"].removeprefix("PLAINTEXT://")
