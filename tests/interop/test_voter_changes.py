"""Voters and features change: by Kafka's tools on ours, by our tool on Kafka's, by themselves."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from metaquorum.base.ids import uuid_text
from metaquorum.storage import meta_properties
from metaquorum.storage.posix import PosixDisk
from tools.kafka import JavaHelper, ToolResult
from tools.kafka.cluster import KafkaCluster, random_id
from tools.kafka.log_errors import kafkas_faults
from tools.kafka.node import KafkaNode
from tools.kafka.ports import LOOPBACK, free_ports
from tools.own_cluster import OwnCluster
from tools.own_node import OwnNode, metaquorum
from tools.process import until
from tools.quorum_state import describe_leader

PATIENCE_S = 30.0
POLL_S = 0.1

Tool = Callable[..., ToolResult]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnCluster]:
    """Three voters, one of them leading."""
    with OwnCluster(tmp_path_factory.mktemp("voters")) as three:
        yield three


@contextmanager
def observer(
    directory: Path,
    node_id: int,
    cluster_id: str,
    controllers: str,
    tool: Tool = metaquorum,
    **more: str,
) -> Iterator[OwnNode]:
    """A node of ours that was formatted by ``tool`` to join later; killed in the end."""
    properties = {key.replace("_", "."): value for key, value in more.items()}
    node = OwnNode(
        directory,
        {"controller.quorum.bootstrap.servers": controllers, **properties},
        node_id=node_id,
        cluster_id=cluster_id,
        for_kafka_too=True,
    )
    try:
        format_to_join(node, tool)
        node.start()
        until(node.is_registered, node.log_tail)
        yield node
    finally:
        node.kill()


def format_to_join(node: OwnNode, tool: Tool = metaquorum) -> None:
    """Format a node's directory; ``tool`` is our program, or a runner of Kafka's."""
    whose = ("-t", node.cluster_id, "-c", node.write_config())
    done = tool("storage", "format", *whose, "--no-initial-controllers")
    assert done.exit_code == 0, done.stderr


def move(node: OwnNode) -> str:
    """Start a node again on another port; its new place, as ``describe`` shows it."""
    node.stop()
    node.controller_port = free_ports(1)[0]
    node.write_config()
    node.start()
    return f"CONTROLLER://{LOOPBACK}:{node.controller_port}"


def directory_of(node: OwnNode | KafkaNode) -> str:
    """A node's directory id, as text."""
    found = meta_properties.read(PosixDisk(), str(node.data_directory))
    assert found is not None and found.directory_id is not None
    return uuid_text(found.directory_id)


def is_ready_to_vote(controllers: str, node_id: int) -> bool:
    """Whether the leader knows an observer that has had the whole log: it may be added."""
    return any(
        (one["id"], one["status"]) == (node_id, "observer") and one["lastCaughtUpTimestampMs"] >= 0
        for one in replicas(controllers)
    )


def described(controllers: str) -> dict[int, str]:
    """Id and directory of each voter, as our tool tells them."""
    return {
        one["id"]: one["directoryId"]
        for one in replicas(controllers)
        if one["status"] != "observer"
    }


def replicas(controllers: str) -> list[dict[str, Any]]:
    """The rows of ``describe --status``."""
    whom = ("metadata-quorum", "--bootstrap-controller", controllers)
    told = metaquorum(*whom, "describe", "--status", "-o", "json")
    assert told.exit_code == 0, told.stderr
    found: list[dict[str, Any]] = json.loads(told.stdout)["replicas"]
    return found


def answered(done: ToolResult) -> str:
    assert done.exit_code == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def errors_of(node: KafkaNode) -> list[str]:
    return kafkas_faults(node.log_file.read_text().splitlines())


def kafkas(java: JavaHelper) -> Tool:
    return lambda *arguments: java.tool("metadata-quorum", *arguments)


def ours(*arguments: str | Path) -> ToolResult:
    return metaquorum("metadata-quorum", *arguments)


def test_both_tools_add_and_remove_a_controller_alike_via_any_node(
    cluster: OwnCluster, java: JavaHelper, tmp_path: Path
) -> None:
    first = cluster.nodes[1]
    controllers = cluster.bootstrap_controllers
    leader = cluster.wait_led()
    follower = cluster.nodes[next(one for one in cluster.nodes if one != leader)]
    said: list[list[str]] = []
    with observer(tmp_path / "four", 4, first.cluster_id, controllers, java.tool) as four:
        directory = directory_of(four)
        config = ("--command-config", four.config_file)
        named = ("--controller-id", "4", "--controller-directory-id", directory)
        until(lambda: is_ready_to_vote(controllers, 4), four.log_tail)
        for tool, whom in (
            (kafkas(java), ("--bootstrap-controller", follower.bootstrap_controller)),
            (kafkas(java), ("--bootstrap-server", follower.bootstrap_server)),
            (ours, ("--bootstrap-controller", follower.bootstrap_controller)),
            (ours, ("--bootstrap-server", follower.bootstrap_server)),
        ):
            lines = [answered(tool(*whom, *config, "add-controller", "--dry-run"))]
            assert 4 not in described(controllers)
            lines.append(answered(tool(*whom, *config, "add-controller")))
            assert described(controllers)[4] == directory
            again = tool(*whom, *config, "add-controller")
            assert again.exit_code == 1 and re.search("DUPLICATE_?VOTER", again.stderr, re.I)
            lines.append(answered(tool(*whom, "remove-controller", *named, "--dry-run")))
            assert 4 in described(controllers)
            lines.append(answered(tool(*whom, "remove-controller", *named)))
            assert 4 not in described(controllers)
            gone = tool(*whom, "remove-controller", *named)
            assert gone.exit_code == 1 and re.search("VOTER_?NOT_?FOUND", gone.stderr, re.I)
            said.append(lines)
    place = f"CONTROLLER://{LOOPBACK}:{four.controller_port}"
    assert said[0] == [
        f"DRY RUN of adding controller 4 with directory id {directory} and endpoints: {place}\n",
        f"Added controller 4 with directory id {directory} and endpoints: {place}\n",
        f"DRY RUN of removing  KRaft controller 4 with directory id {directory}\n",
        f"Removed  KRaft controller 4 with directory id {directory}\n",
    ]
    assert said == [said[0]] * 4


def test_a_removed_leader_leads_no_more_and_can_be_added_again(
    cluster: OwnCluster, java: JavaHelper
) -> None:
    leader = cluster.wait_led()
    removed = cluster.nodes[leader]
    others = [one for one in cluster.nodes if one != leader]
    whom = ("--bootstrap-controller", cluster.bootstrap_controllers)
    named = ("-i", str(leader), "-d", directory_of(removed))
    answered(kafkas(java)(*whom, "remove-controller", *named))
    assert cluster.wait_led(others) != leader
    assert sorted(described(cluster.bootstrap_controllers)) == others
    until(lambda: is_ready_to_vote(cluster.bootstrap_controllers, leader), removed.log_tail)
    answered(ours(*whom, "--command-config", removed.config_file, "add-controller"))
    assert sorted(described(cluster.bootstrap_controllers)) == [1, 2, 3]


def test_a_node_joins_by_itself_and_again_after_its_disk_was_lost(
    cluster: OwnCluster, tmp_path: Path
) -> None:
    first, controllers = cluster.nodes[1], cluster.bootstrap_controllers
    auto = {"controller_quorum_auto_join_enable": "true"}
    with observer(tmp_path / "five", 5, first.cluster_id, controllers, **auto) as five:
        until(lambda: 5 in described(controllers), five.log_tail)
        before = directory_of(five)
        five.kill()
        shutil.rmtree(five.data_directory)
        format_to_join(five)
        five.start()
        assert directory_of(five) != before
        until(lambda: described(controllers).get(5) == directory_of(five), five.log_tail)
        five.stop()
        named = ("-i", "5", "-d", directory_of(five))
        answered(ours("--bootstrap-controller", controllers, "remove-controller", *named))
    assert sorted(described(controllers)) == [1, 2, 3]


def test_a_controller_of_kafkas_joins_ours_is_added_and_is_removed(
    cluster: OwnCluster, java: JavaHelper, tmp_path: Path
) -> None:
    controllers = cluster.bootstrap_controllers
    kafka = KafkaNode(
        tmp_path / "kafkas",
        {
            "process.roles": "controller",
            "node.id": "6",
            "listeners": f"CONTROLLER://{LOOPBACK}:{free_ports(1)[0]}",
            "controller.listener.names": "CONTROLLER",
            "listener.security.protocol.map": "CONTROLLER:PLAINTEXT",
            "controller.quorum.bootstrap.servers": controllers,
        },
    )
    kafka.format(cluster.nodes[1].cluster_id, "--no-initial-controllers", tool=java.tool)
    whom = ("--bootstrap-controller", controllers)
    try:
        kafka.start()
        kafka.wait_ready()
        until(lambda: is_ready_to_vote(controllers, 6), kafka.log_tail)
        config = ("--command-config", kafka.config_file)
        answered(kafkas(java)(*whom, *config, "add-controller"))
        assert described(controllers)[6] == directory_of(kafka)
        shown = answered(java.tool("cluster", "list-endpoints", *whom))
        assert re.search(r"^6 .* controller", shown, re.M), "it registered itself with our leader"
        named = ("-i", "6", "-d", directory_of(kafka))
        answered(ours(*whom, "remove-controller", *named))
        assert 6 not in described(controllers)
        kafka.stop()
    finally:
        kafka.kill()
    assert not errors_of(kafka)


def test_kafkas_tool_shows_and_changes_features(cluster: OwnCluster, java: JavaHelper) -> None:
    leader = cluster.wait_led()
    follower = cluster.nodes[next(one for one in cluster.nodes if one != leader)]
    servers = ("--bootstrap-server", follower.bootstrap_server)
    controllers = ("--bootstrap-controller", follower.bootstrap_controller)

    def level(feature: str) -> str:
        shown = answered(java.tool("features", *servers, "describe"))
        found = re.search(rf"Feature: {feature}\s.*FinalizedVersionLevel: (\S+)", shown)
        assert found is not None, shown
        return found[1]

    assert level("kraft.version") == "1"
    assert level("share.version") == "1"
    answered(java.tool("features", *servers, "disable", "--feature", "share.version"))
    until(lambda: level("share.version") == "0", lambda: "it stayed")
    upgrade = ("upgrade", "--feature", "share.version=1")
    shown = answered(java.tool("features", *controllers, *upgrade, "--dry-run"))
    assert shown == "share.version can be upgraded to 1.\n"
    assert level("share.version") == "0"
    assert answered(java.tool("features", *controllers, *upgrade)) == (
        "share.version was upgraded to 1.\n"
    )
    until(lambda: level("share.version") == "1", lambda: "it stayed")
    for wanted, reason in (
        (("upgrade", "--feature", "share.version=9"), "only supports versions 0-1"),
        (
            ("upgrade", "--release-version", "4.0-IV3"),
            "Can't downgrade the version of this feature without",
        ),
        (
            ("downgrade", "--feature", "kraft.version=0"),
            "Can't downgrade the version of this feature.",
        ),
    ):
        refused = java.tool("features", *servers, *wanted)
        assert refused.exit_code == 1
        assert reason in refused.stdout + refused.stderr


def test_our_tool_and_our_node_with_controllers_of_kafkas(java: JavaHelper, tmp_path: Path) -> None:
    theirs = KafkaCluster(
        tmp_path / "theirs",
        controllers=1,
        brokers=0,
        # It is to lead on while the other of two voters starts again.
        controller_properties={"controller.quorum.fetch.timeout.ms": "15000"},
        format_tool=java.tool,
    )
    with theirs:
        controllers = theirs.bootstrap_controllers
        whom = ("--bootstrap-controller", controllers)
        with observer(tmp_path / "own", 7, theirs.cluster_id, controllers) as node:
            until(lambda: is_ready_to_vote(controllers, 7), node.log_tail)
            answered(ours(*whom, "--command-config", node.config_file, "add-controller"))
            assert described(controllers)[7] == directory_of(node)
            shown = answered(java.tool("cluster", "list-endpoints", *whom))
            assert re.search(r"^7 .* controller", shown, re.M), "their leader took its registration"
            place = move(node)
            until(lambda: place in answered(ours(*whom, "describe", "--status")), node.log_tail)
            named = ("-i", "7", "-d", directory_of(node))
            answered(ours(*whom, "remove-controller", *named))
            assert sorted(described(controllers)) == [1]
        assert not errors_of(theirs.nodes[1])


def test_static_voters_become_voters_that_can_change(java: JavaHelper, tmp_path: Path) -> None:
    ports = dict(zip((1, 2, 3), free_ports(3), strict=True))
    voters = ",".join(f"{one}@{LOOPBACK}:{port}" for one, port in ports.items())
    controllers = ",".join(f"{LOOPBACK}:{port}" for port in ports.values())
    cluster_id = random_id()
    nodes = [
        OwnNode(
            tmp_path / f"static-{one}",
            {"controller.quorum.voters": voters},
            node_id=one,
            cluster_id=cluster_id,
            controller_port=port,
        )
        for one, port in ports.items()
    ]
    try:
        for node in nodes:
            node.write_config()
            config = node.config_file
            rows = config.read_text().splitlines()
            kept = [row for row in rows if not row.startswith("controller.quorum.bootstrap")]
            config.write_text("\n".join(kept) + "\n")
            formatting = ("storage", "format", "-t", cluster_id, "-c", config)
            assert metaquorum(*formatting).exit_code == 0
            node.start()
        until(
            lambda: any(node.leads() for node in nodes),
            lambda: "\n".join(node.log_tail(5) for node in nodes),
        )
        whom = ("--bootstrap-controller", controllers)
        upgrade = ("features", *whom, "upgrade", "--feature", "kraft.version=1")
        # Each follower tells the leader of its directory once, a fetch time-out after the election.
        until(lambda: java.tool(*upgrade, "--dry-run").exit_code == 0, nodes[0].log_tail)
        assert answered(java.tool(*upgrade)) == "kraft.version was upgraded to 1.\n"
        directories = {node.node_id: directory_of(node) for node in nodes}
        assert described(controllers) == directories
        leader = describe_leader(LOOPBACK, ports[1]) or 2
        other = next(node for node in nodes if node.node_id != leader)
        named = ("-i", str(other.node_id), "-d", directory_of(other))
        answered(ours(*whom, "remove-controller", *named))
        assert len(described(controllers)) == 2
    finally:
        for node in nodes:
            node.kill()


def test_a_voter_that_moved_is_known_at_its_new_address(cluster: OwnCluster) -> None:
    leader = cluster.wait_led()
    moved = cluster.nodes[next(one for one in cluster.nodes if one != leader)]
    place = move(moved)
    whom = ("--bootstrap-controller", cluster.nodes[leader].bootstrap_controller)
    until(lambda: place in answered(ours(*whom, "describe", "--status")), moved.log_tail)
