"""Quorums whose nodes come to each other by TLS and passwords: of ours, and beside Kafka's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from attrs import frozen

from metaquorum.client.metadata_log import MetadataLogReader
from metaquorum.client.security import Security
from metaquorum.testing.certificates import Authority, written
from tools.kafka import JavaHelper, ToolResult
from tools.kafka.cluster import random_id
from tools.kafka.ports import LOOPBACK, free_ports
from tools.mixed.node import KAFKA, OURS, Kind, MixedNode
from tools.own_node import metaquorum
from tools.process import until

SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule"
PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule"
SECRET = "node-s3cret"
PATIENCE_S = 60.0


@frozen
class SecureQuorum:
    """Three voters behind SASL_SSL, and the keys of who may ask them."""

    nodes: list[MixedNode]
    command_config: Path
    bootstrap: str

    def until(self, look: Callable[[], bool], what: str) -> None:
        until(look, lambda: "\n".join([what, *(n.log_tail() for n in self.nodes)]), poll_s=0.2)

    def status(self) -> str:
        """What ``metadata-quorum describe --status`` says, empty while nobody leads."""
        place = ("--bootstrap-controller", self.bootstrap, "--command-config", self.command_config)
        return metaquorum("metadata-quorum", *place, "describe", "--status").stdout

    def replication(self) -> str:
        place = ("--bootstrap-controller", self.bootstrap, "--command-config", self.command_config)
        return metaquorum("metadata-quorum", *place, "describe", "--replication").stdout

    def led_by(self) -> str:
        """Who leads, once all three have caught up."""
        rows = [line.split() for line in self.replication().splitlines()[1:]]
        lags = [int(row[3]) for row in rows if row[-1] in ("Leader", "Follower")]
        leaders = [row[0] for row in rows if row[-1] == "Leader"]
        caught_up = len(lags) == 3 and max(lags) <= 2
        return leaders[0] if leaders and caught_up else ""


def keys_of(directory: Path, authority: Authority, name: str, mechanism: str) -> dict[str, str]:
    """What every node has in common but its certificate, which names its host only."""
    own = written(directory / f"{name}.pem", authority.identity(name).pem())
    module = PLAIN if mechanism == "PLAIN" else SCRAM
    known = f' user_node="{SECRET}"' if mechanism == "PLAIN" else ""
    prefix = f"listener.name.controller.{mechanism.lower()}."
    return {
        "listener.security.protocol.map": "CONTROLLER:SASL_SSL",
        "ssl.keystore.type": "PEM",
        "ssl.keystore.location": str(own),
        "ssl.truststore.type": "PEM",
        "ssl.truststore.location": str(written(directory / "trusted.pem", authority.pem)),
        "listener.name.controller.ssl.client.auth": "required",
        "sasl.enabled.mechanisms": mechanism,
        "sasl.mechanism.controller.protocol": mechanism,
        prefix + "sasl.jaas.config": (
            f'{module} required username="node" password="{SECRET}"{known};'
        ),
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "super.users": "User:node",
    }


@pytest.fixture
def secure_quorum(
    tmp_path: Path, java: JavaHelper
) -> Iterator[Callable[[list[Kind], str], SecureQuorum]]:
    """Makes a quorum of these kinds whose nodes authenticate by this mechanism."""
    made: list[SecureQuorum] = []

    def make(kinds: list[Kind], mechanism: str) -> SecureQuorum:
        authority, cluster_id = Authority(), random_id()
        ports = free_ports(len(kinds))
        bootstrap = ",".join(f"{LOOPBACK}:{port}" for port in ports)
        nodes = [
            _node(tmp_path, authority, kind, node_id, port, cluster_id, bootstrap, mechanism, java)
            for node_id, (kind, port) in enumerate(zip(kinds, ports, strict=True), start=1)
        ]
        quorum = SecureQuorum(nodes, _client_config(tmp_path, authority, mechanism), bootstrap)
        made.append(quorum)
        voters = ",".join(f"{n.node_id}@{LOOPBACK}:{n.reached_at}:{random_id()}" for n in nodes)
        user = f"{mechanism}=[name=node,password={SECRET}]"
        scram = ("--add-scram", user) if mechanism != "PLAIN" else ()
        for node in nodes:
            node.format("--initial-controllers", voters, *scram)
        for node in nodes:
            node.start()
        return quorum

    try:
        yield make
    finally:
        for quorum in made:
            for node in quorum.nodes:
                node.kill()


def _node(
    directory: Path,
    authority: Authority,
    kind: Kind,
    node_id: int,
    port: int,
    cluster_id: str,
    bootstrap: str,
    mechanism: str,
    java: JavaHelper,
) -> MixedNode:
    keys = keys_of(directory, authority, f"node-{node_id}", mechanism)
    rows = {"controller.quorum.bootstrap.servers": bootstrap, **keys}
    place = directory / str(node_id)

    def tool(name: str, *arguments: str | Path) -> ToolResult:
        return java.tool(name, *arguments)

    return MixedNode(place, node_id, kind, cluster_id, port, rows, tool)


def _client_config(directory: Path, authority: Authority, mechanism: str) -> Path:
    keys = keys_of(directory, authority, "client", mechanism)
    prefix = f"listener.name.controller.{mechanism.lower()}."
    told = {
        "security.protocol": "SASL_SSL",
        "sasl.mechanism": mechanism,
        "sasl.jaas.config": keys[prefix + "sasl.jaas.config"],
        **{key: text for key, text in keys.items() if key.startswith("ssl.")},
    }
    rows = "".join(f"{key}={text}\n" for key, text in told.items())
    return written(directory / "client.properties", rows)


def test_three_of_ours_by_scram_over_tls(
    secure_quorum: Callable[[list[Kind], str], SecureQuorum],
) -> None:
    quorum = secure_quorum([OURS, OURS, OURS], "SCRAM-SHA-512")
    quorum.until(lambda: bool(quorum.led_by()), "no leader whom all follow")
    first = quorum.led_by()
    # All users lie in the snapshot of the format, so a whole quorum that starts anew is led again.
    for node in quorum.nodes:
        node.kill()
    for node in quorum.nodes:
        node.start()
    quorum.until(lambda: bool(quorum.led_by()), "no leader after all were started anew")
    quorum.nodes[int(quorum.led_by()) - 1].kill()
    quorum.until(lambda: "LeaderId:" in quorum.status(), f"no leader after {first}")
    logs = "".join(one.read_text() for node in quorum.nodes for one in node.logs_of_ours)
    assert "controller-registered" in logs
    assert SECRET not in logs
    _tools_read_what_is_committed(quorum)


def _tools_read_what_is_committed(quorum: SecureQuorum) -> None:
    place = ("--bootstrap-controller", quorum.bootstrap, "--command-config", quorum.command_config)
    read = metaquorum("tail", *place, "--types", "RegisterControllerRecord")
    assert read.stdout.count("RegisterControllerRecord") >= 3, read.stderr
    shown = metaquorum("metadata", "ls", "/image", *place)
    assert "features" in shown.stdout, shown.stderr
    plain = metaquorum("tail", "--bootstrap-controller", quorum.bootstrap, "--timeout", "1")
    assert plain.exit_code != 0


def test_one_of_ours_among_kafkas_over_tls(
    secure_quorum: Callable[[list[Kind], str], SecureQuorum],
) -> None:
    quorum = secure_quorum([OURS, KAFKA, KAFKA], "PLAIN")
    quorum.until(lambda: bool(quorum.led_by()), "no leader whom all follow")
    quorum.until(lambda: all(n.is_registered for n in quorum.nodes), "not all have registered")
    addresses = [(LOOPBACK, int(one.split(":")[1])) for one in quorum.bootstrap.split(",")]
    rows = quorum.command_config.read_text().splitlines()
    security = Security.read(dict(row.split("=", 1) for row in rows))
    reader = MetadataLogReader(addresses, security=security)
    assert sum(1 for _ in reader.records(["RegisterControllerRecord"])) >= 3
    first = quorum.led_by()
    quorum.nodes[int(first) - 1].stop()
    quorum.until(
        lambda: (
            "LeaderId:" in (told := quorum.status())
            and f"LeaderId:              {first}" not in told
        ),
        f"nobody follows {first}",
    )
