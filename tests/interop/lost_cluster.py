"""Clusters of Apache Kafka that lose their controllers' disks, and what leads them afterwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tools.kafka import JavaHelper
from tools.kafka.cluster import FIRST_BROKER_ID, KafkaCluster, found_at
from tools.kafka.node import KafkaNode
from tools.kafka.ports import LOOPBACK
from tools.own_node import OwnNode, metaquorum
from tools.process import Started, until

TOPICS = ("orders", "payments", "audit")
USER = "User:alice"
PATIENCE_S = 60.0


def run(*arguments: str | Path) -> str:
    """Run our command line; its output."""
    done = metaquorum(*arguments)
    assert done.exit_code == 0, done.stdout + done.stderr
    return done.stdout


@contextmanager
def loaded(tmp_path: Path, java: JavaHelper) -> Iterator[KafkaCluster]:
    """Three controllers and a broker of Kafka 4.3.1, with topics, configs and ACLs."""
    acls = {
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "super.users": "User:ANONYMOUS",
    }
    cluster = KafkaCluster(
        tmp_path,
        controller_properties=acls,
        broker_properties=acls,
        format_tool=java.tool,
    )
    with cluster:
        where = ("--bootstrap-server", cluster.bootstrap_servers)
        for topic in TOPICS:
            said(java, "topics", *where, "--create", "--topic", topic, "--partitions", "3")
        said(
            java, "configs", *where, "--alter", "--entity-type", "topics",
            "--entity-name", "orders", "--add-config", "retention.ms=12345000",
        )  # fmt: skip
        said(
            java, "acls", *where, "--add", "--allow-principal", USER,
            "--operation", "Read", "--topic", "audit",
        )  # fmt: skip
        yield cluster


def said(java: JavaHelper, tool: str, *arguments: str) -> str:
    done = java.tool(tool, *arguments)
    assert done.exit_code == 0, done.stdout + done.stderr
    return str(done.stdout)


def all_is_there(java: JavaHelper, servers: str) -> bool:
    """Whether Kafka's tools find every topic, the config and the ACL on this broker."""
    where = ("--bootstrap-server", servers)
    topics = java.tool("topics", *where, "--list")
    if topics.exit_code != 0 or not set(TOPICS) <= set(topics.stdout.split()):
        return False
    configs = java.tool(
        "configs", *where, "--describe", "--entity-type", "topics", "--entity-name", "orders"
    )
    acls = java.tool("acls", *where, "--list")
    return "retention.ms=12345000" in configs.stdout and USER in acls.stdout


def broker_goes_on(
    cluster: KafkaCluster,
    java: JavaHelper,
    controllers: str,
    also: Callable[[JavaHelper, str], bool] = lambda java, servers: True,
) -> None:
    """The broker, told where the controllers are now, serves what it served, and takes more."""
    broker = cluster.nodes[FIRST_BROKER_ID]
    rows = {**broker.properties, "controller.quorum.bootstrap.servers": controllers}
    again = KafkaNode(broker.directory, rows, log_name="again.log")
    again.write_config()
    aside = broker.data_directory / "__cluster_metadata-0.a1b2old-stray"
    aside.mkdir()  # as a recovery leaves it: the broker passes over it
    (aside / "00000000000000000000.log").write_bytes(b"")
    with again:
        servers = cluster.bootstrap_servers
        until(
            lambda: all_is_there(java, servers) and also(java, servers),
            again.log_tail,
            within_s=PATIENCE_S,
        )
        said(java, "topics", "--bootstrap-server", servers, "--create", "--topic", "afterwards")
        assert (aside / "00000000000000000000.log").exists()


@contextmanager
def kafkas(cluster: KafkaCluster, ports: dict[int, int]) -> Iterator[str]:
    """Kafka's own controllers on the recovered directories, at these ports."""
    bootstrap = ",".join(f"{LOOPBACK}:{port}" for port in ports.values())
    nodes: list[Started] = []
    try:
        for node_id, port in ports.items():
            before = cluster.nodes[node_id]
            rows = {
                **before.properties,
                "listeners": f"CONTROLLER://{LOOPBACK}:{port}",
                **found_at(ports, static=cluster.static_voters),
            }
            node = KafkaNode(
                before.directory, rows, before.version, before.heap_flags, log_name="again.log"
            )
            node.write_config()
            nodes.append(node)
            node.start()
        for one in nodes:
            assert isinstance(one, KafkaNode)
            one.wait_ready()
        yield bootstrap
    finally:
        for one in nodes:
            one.kill()


@contextmanager
def ours(cluster: KafkaCluster, ports: dict[int, int]) -> Iterator[str]:
    """Nodes of ours on the recovered directories, at these ports."""
    bootstrap = ",".join(f"{LOOPBACK}:{port}" for port in ports.values())
    nodes = []
    try:
        for node_id, port in ports.items():
            node = OwnNode(
                cluster.nodes[node_id].directory,
                {
                    **found_at(ports, static=cluster.static_voters),
                    "authorizer.class.name": (
                        "org.apache.kafka.metadata.authorizer.StandardAuthorizer"
                    ),
                    "super.users": "User:ANONYMOUS",
                    "broker.session.timeout.ms": cluster.nodes[node_id].properties.get(
                        "broker.session.timeout.ms", "9000"
                    ),
                },
                node_id=node_id,
                cluster_id=cluster.cluster_id,
                controller_port=port,
                for_kafka_too=True,
                log_name="ours.log",
            )
            node.write_config()
            node.start()
            nodes.append(node)
        until(
            lambda: any(one.leads() for one in nodes),
            lambda: "".join(one.log_tail() for one in nodes),
            within_s=PATIENCE_S,
        )
        yield bootstrap
    finally:
        for node in nodes:
            node.kill()


Leaders = Callable[[KafkaCluster, dict[int, int]], "contextmanager[str]"]


def led_by(quick: Leaders) -> list[Any]:
    """Who leads afterwards, as parameters: this one in ``make interop``, the other in soak."""
    return [
        pytest.param(one, id=name, marks=() if one is quick else (pytest.mark.soak,))
        for one, name in ((kafkas, "by Kafka's"), (ours, "by ours"))
    ]


def data(cluster: KafkaCluster, node_id: int) -> Path:
    return cluster.nodes[node_id].data_directory


def voters(ports: dict[int, int]) -> str:
    return ",".join(f"{node_id}@{LOOPBACK}:{port}" for node_id, port in ports.items())
