"""``metaquorum tail`` against three real controllers and a broker: everything, and no trace."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from tests.interop.following import Following
from tests.interop.kafka_dump import comparable, dumped_until
from tools.kafka import JavaHelper, KafkaCluster
from tools.kafka.ports import LOOPBACK
from tools.own_node import metaquorum

LOG = "00000000000000000000.log"
# What a live quorum changes between two looks: offsets that grow, and the clock.
LIVE = re.compile(r"^(HighWatermark|MaxFollowerLag|MaxFollowerLagTimeMs): +-?\d+$", re.MULTILINE)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory, java: JavaHelper) -> Iterator[KafkaCluster]:
    """Three controllers and a broker of the real Kafka."""
    with KafkaCluster(tmp_path_factory.mktemp("quorum"), format_tool=java.tool) as running:
        yield running


def replication(java: JavaHelper, cluster: KafkaCluster) -> list[list[str]]:
    """The rows of ``describe --replication``."""
    done = java.tool(
        "metadata-quorum",
        *("--bootstrap-controller", cluster.bootstrap_controllers, "describe", "--replication"),
    )
    assert done.exit_code == 0, done.stderr
    return [line.split() for line in done.stdout.splitlines()[1:]]


def leader_of(java: JavaHelper, cluster: KafkaCluster) -> int:
    return next(int(row[0]) for row in replication(java, cluster) if row[-1] == "Leader")


def test_the_log_of_a_real_quorum_is_read_whole(cluster: KafkaCluster, java: JavaHelper) -> None:
    done = java.tool(
        "topics",
        *("--bootstrap-server", cluster.bootstrap_servers),
        *("--create", "--topic", "orders", "--partitions", "5"),
    )
    assert done.exit_code == 0, done.stderr
    shown = metaquorum(
        "tail", "--bootstrap-controller", cluster.bootstrap_controllers, "-o", "json"
    )
    assert shown.exit_code == 0, shown.stderr
    ours = comparable([json.loads(line) for line in shown.stdout.splitlines()])
    assert any(row["data"].get("name") == "orders" for row in ours.values())
    theirs = dumped_until(java, cluster.nodes[1].metadata_directory / LOG, max(ours))
    assert min(ours) == min(theirs) == 0
    assert ours == {offset: row for offset, row in theirs.items() if offset in ours}


def test_types_and_offsets_narrow_what_is_shown(cluster: KafkaCluster) -> None:
    base = ("tail", "--bootstrap-controller", cluster.bootstrap_controllers, "-q")
    only = metaquorum(*base, "--types", "RegisterBrokerRecord,leaderchangemessage", "-o", "json")
    kinds = {json.loads(line)["type"] for line in only.stdout.splitlines()}
    assert kinds == {"RegisterBrokerRecord", "LeaderChangeMessage"}
    later = metaquorum(*base, "--from-offset", "5")
    assert later.stdout.splitlines()[0].split()[0] == "5"
    beyond = metaquorum(*base, "--from-offset", "100000000")
    assert beyond.exit_code == 1
    assert "100000000" in beyond.stderr
    assert metaquorum(*base, "--from-offset", "end").stdout == ""


def test_any_controller_will_do_to_find_the_leader_and_ask_it(
    cluster: KafkaCluster, java: JavaHelper
) -> None:
    for node_id, port in cluster.controller_ports.items():
        address = f"{LOOPBACK}:{port}"
        ours = metaquorum(
            "metadata-quorum", "--bootstrap-controller", address, "describe", "--status"
        )
        assert ours.exit_code == 0, f"asked at {node_id}: {ours.stderr}"
        theirs = java.tool(
            "metadata-quorum", "--bootstrap-controller", address, "describe", "--status"
        )
        assert LIVE.sub("", ours.stdout) == LIVE.sub("", theirs.stdout)
        one = metaquorum(
            "tail", "--bootstrap-controller", address, "--types", "LeaderChangeMessage"
        )
        assert "LeaderChangeMessage" in one.stdout, one.stderr


def test_a_brokers_listener_is_told_from_a_controllers(cluster: KafkaCluster) -> None:
    done = metaquorum("tail", "--bootstrap-controller", cluster.bootstrap_servers, "--timeout", "5")
    assert done.exit_code == 1
    assert done.stdout == ""
    assert "controller" in done.stderr


def test_a_follower_survives_the_leaders_death_and_leaves_no_trace(
    cluster: KafkaCluster, java: JavaHelper
) -> None:
    servers = cluster.bootstrap_servers
    with Following.start("--bootstrap-controller", cluster.bootstrap_controllers) as following:
        for number in range(10):
            java.alter_quota(servers, {"user": f"before-{number}"}, {"producer_byte_rate": 1.0})
        following.wait_for("before-9")
        assert sorted(int(row[0]) for row in replication(java, cluster)) == [1, 2, 3, 101]
        leader = leader_of(java, cluster)

        cluster.nodes[leader].kill()
        for number in range(10):
            java.alter_quota(servers, {"user": f"after-{number}"}, {"producer_byte_rate": 2.0})
        following.wait_for("after-9")
        assert {int(row[0]) for row in replication(java, cluster)} == {1, 2, 3, 101}
        assert following.interrupt() == 0
    ours = comparable(following.rows())
    assert min(ours) == 0
    assert len({row["epoch"] for row in ours.values()}) > 1
    survivor = next(one for one in cluster.controller_ports if one != leader)
    theirs = dumped_until(java, cluster.nodes[survivor].metadata_directory / LOG, max(ours))
    assert ours == {offset: row for offset, row in theirs.items() if offset in ours}
