"""Disasters of clusters of Apache Kafka, recovered, and led by its own controllers and by ours."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tools.kafka import JavaHelper
from tools.kafka.cluster import FIRST_BROKER_ID, KafkaCluster
from tools.kafka.node import KafkaNode
from tools.kafka.ports import LOOPBACK, free_ports
from tools.own_node import OwnNode, metaquorum
from tools.process import Started, until

TOPICS = ("orders", "payments", "audit")
USER = "User:alice"
PATIENCE_S = 60.0
A_MAJORITY = "a majority is there"


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


def broker_goes_on(cluster: KafkaCluster, java: JavaHelper, controllers: str) -> None:
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
        until(lambda: all_is_there(java, servers), again.log_tail, within_s=PATIENCE_S)
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
                "controller.quorum.bootstrap.servers": bootstrap,
            }
            node = KafkaNode(before.directory, rows, log_name="again.log")
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
                    "controller.quorum.bootstrap.servers": bootstrap,
                    "authorizer.class.name": (
                        "org.apache.kafka.metadata.authorizer.StandardAuthorizer"
                    ),
                    "super.users": "User:ANONYMOUS",
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
LED_BY = [pytest.param(kafkas, id="by Kafka's"), pytest.param(ours, id="by ours")]


def data(cluster: KafkaCluster, node_id: int) -> Path:
    return cluster.nodes[node_id].data_directory


def surveyed(cluster: KafkaCluster, *ids: int, named: bool = False) -> list[Path]:
    """The survey of each node as a file."""
    files = []
    for node_id in ids:
        file = cluster.directory / f"survey-{node_id}.json"
        more = ("--node", str(node_id)) if named else ()
        run("recover", "survey", data(cluster, node_id), *more, "-o", file)
        files.append(file)
    return files


def voters(ports: dict[int, int]) -> str:
    return ",".join(f"{node_id}@{LOOPBACK}:{port}" for node_id, port in ports.items())


def apply(cluster: KafkaCluster, plan: Path, *ids: int) -> None:
    for node_id in ids:
        run("recover", "apply", plan, "--dir", data(cluster, node_id), "--dry-run")
        run("recover", "apply", plan, "--dir", data(cluster, node_id))


@pytest.mark.parametrize("lead", LED_BY)
def test_two_of_three_controllers_lost_for_good(
    tmp_path: Path, java: JavaHelper, lead: Callable[..., Iterator[str]]
) -> None:
    with loaded(tmp_path, java) as cluster:
        cluster.stop()
        for lost in (2, 3):
            shutil.rmtree(data(cluster, lost))
        ports = {1: free_ports(1)[0]}
        plan = tmp_path / "plan.json"
        run("recover", "plan", *surveyed(cluster, 1), "--voters", voters(ports), "-o", plan)
        content = json.loads(plan.read_text())
        assert content["loss"]["fromOffset"] is not None
        assert content["loss"]["fromOffset"] <= content["history"]["end"]
        apply(cluster, plan, 1)
        assert list(data(cluster, 1).glob("__cluster_metadata-0.*old-stray"))
        with lead(cluster, ports) as controllers:  # type: ignore[attr-defined]
            broker_goes_on(cluster, java, controllers)


@pytest.mark.parametrize("lead", LED_BY)
def test_all_endpoints_changed(
    tmp_path: Path, java: JavaHelper, lead: Callable[..., Iterator[str]]
) -> None:
    with loaded(tmp_path, java) as cluster:
        cluster.stop()
        ports = dict(zip((1, 2, 3), free_ports(3)))
        plan = tmp_path / "plan.json"
        files = surveyed(cluster, 1, 2, 3)
        run("recover", "endpoints", *files, "--voters", voters(ports), "-o", plan)
        assert json.loads(plan.read_text())["loss"]["fromOffset"] is None
        apply(cluster, plan, 1, 2, 3)
        with lead(cluster, ports) as controllers:  # type: ignore[attr-defined]
            broker_goes_on(cluster, java, controllers)


@pytest.mark.parametrize("lead", LED_BY)
def test_votes_and_identities_gone_on_two_of_three(
    tmp_path: Path, java: JavaHelper, lead: Callable[..., Iterator[str]]
) -> None:
    with loaded(tmp_path, java) as cluster:
        cluster.stop()
        for node_id in (2, 3):
            (data(cluster, node_id) / "meta.properties").unlink()
            (data(cluster, node_id) / "__cluster_metadata-0" / "quorum-state").unlink()
        ports = dict(zip((1, 2, 3), free_ports(3)))
        plan = tmp_path / "plan.json"
        files = [*surveyed(cluster, 1), *surveyed(cluster, 2, 3, named=True)]
        run("recover", "plan", *files, "--voters", voters(ports), "-o", plan)
        assert json.loads(plan.read_text())["loss"]["fromOffset"] is None
        for node_id in (1, 2, 3):
            run("recover", "apply", plan, "--dir", data(cluster, node_id), "--node", str(node_id))
        with lead(cluster, ports) as controllers:  # type: ignore[attr-defined]
            broker_goes_on(cluster, java, controllers)


def test_a_quorum_that_lives_is_not_planned_for(tmp_path: Path, java: JavaHelper) -> None:
    with KafkaCluster(tmp_path, brokers=0, format_tool=java.tool) as cluster:
        for node_id in (2, 3):  # what is known of one disk alone, while all three run
            assert cluster.nodes[node_id].pid is not None
        (file,) = surveyed(cluster, 1)
        assert json.loads(file.read_text())["isRunning"] is True
        done = metaquorum("recover", "plan", file)
        assert done.exit_code == 1
        assert "the quorum lives" in done.stderr
        done = metaquorum("recover", "plan", file, "--although", "the quorum lives")
        assert done.exit_code == 0, done.stderr
        plan = tmp_path / "plan.json"
        run("recover", "plan", file, "--although", "the quorum lives", "-o", plan)
        done = metaquorum("recover", "apply", plan, "--dir", data(cluster, 1))
        assert done.exit_code == 1
        assert "is in use" in done.stderr


def test_directories_of_a_stopped_cluster_check_out(tmp_path: Path, java: JavaHelper) -> None:
    with loaded(tmp_path, java) as cluster:
        cluster.stop()
        found = run("check", "directory", *(data(cluster, one) for one in (1, 2, 3)))
        assert "all is well" in found
        broker = data(cluster, FIRST_BROKER_ID)
        assert "all is well" in run("check", "directory", broker)
        log = next((data(cluster, 2) / "__cluster_metadata-0").glob("*.log"))
        content = bytearray(log.read_bytes())
        content[len(content) // 2] ^= 1
        log.write_bytes(content)
        done = metaquorum("check", "directory", data(cluster, 1), data(cluster, 2))
        assert done.exit_code == 2
        assert log.name in done.stdout
