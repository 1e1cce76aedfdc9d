"""``metaquorum check quorum`` against quorums of Apache Kafka and of ours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tools.kafka import JavaHelper
from tools.kafka.cluster import KafkaCluster
from tools.kafka.ports import LOOPBACK
from tools.own_node import OwnNode, metaquorum
from tools.process import until


def checked(bootstrap: str) -> tuple[int, dict[str, Any]]:
    done = metaquorum("check", "quorum", "--bootstrap-controller", bootstrap, "-o", "json")
    assert done.exit_code in (0, 2), done.stdout + done.stderr
    return done.exit_code, json.loads(done.stdout)


def told(bootstrap: str) -> set[tuple[str, str]]:
    return {(one["severity"], one["about"]) for one in checked(bootstrap)[1]["findings"]}


SHARED = ("warning", "voters 1, 2, 3")  # all of them are on this machine


def test_a_quorum_of_kafka_is_well_until_a_voter_stops(tmp_path: Path, java: JavaHelper) -> None:
    with KafkaCluster(tmp_path, brokers=2, format_tool=java.tool) as cluster:
        where = ("--bootstrap-server", cluster.bootstrap_servers)
        made = java.tool(
            "topics", *where, "--create", "--topic", "t", "--partitions", "2",
            "--replication-factor", "2",
        )  # fmt: skip
        assert made.exit_code == 0, made.stdout
        code, looked = checked(cluster.bootstrap_controllers)
        assert (code, looked["clusterId"]) == (2, cluster.cluster_id)
        assert looked["features"]["kraft.version"] == 1
        assert all(one["answers"] and one["host"] == LOOPBACK for one in looked["voters"])
        until(
            lambda: told(cluster.bootstrap_controllers) == {SHARED},
            lambda: str(told(cluster.bootstrap_controllers)),
            within_s=30,
        )
        cluster.nodes[102].stop()
        cluster.nodes[3 if looked["leaderId"] != 3 else 2].kill()
        gone = f"voter {3 if looked['leaderId'] != 3 else 2}"
        wanted = {SHARED, ("bad", gone), ("warning", "partitions"), ("advice", "brokers 102")}
        until(
            lambda: told(cluster.bootstrap_controllers) >= wanted,
            lambda: str(told(cluster.bootstrap_controllers)),
            within_s=60,
        )


def test_a_node_of_ours_alone_is_one_voter(tmp_path: Path) -> None:
    with OwnNode(tmp_path) as node:
        code, looked = checked(node.bootstrap_controller)
        assert code == 2
        assert [one["reason"].split(":")[0] for one in looked["findings"]] == ["there is one voter"]
        assert looked["features"]["kraft.version"] == 1
