"""``metaquorum health`` beside three controllers of Apache Kafka, and beside three of ours."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from metaquorum.cli.health import EXIT_NOT_KNOWN, EXIT_UNWELL
from tools.kafka import JavaHelper, KafkaCluster
from tools.own_cluster import OwnCluster
from tools.own_node import metaquorum
from tools.process import until

Cluster = KafkaCluster | OwnCluster
MAX_LAG_S = "2"


@pytest.fixture(scope="module", params=["Kafka's", "ours"])
def cluster(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, java: JavaHelper
) -> Iterator[Cluster]:
    directory = tmp_path_factory.mktemp("quorum")
    made: Cluster
    if request.param == "ours":
        made = OwnCluster(directory)
    else:
        made = KafkaCluster(directory, brokers=0, format_tool=java.tool)
    with made as running:
        yield running


def asked(controllers: str, *more: str) -> tuple[int, dict[str, Any]]:
    """Exit code and answer."""
    done = metaquorum(
        *("health", "--bootstrap-controller", controllers, "--max-lag", MAX_LAG_S, "-o", "json"),
        *more,
    )
    assert done.stderr == ""
    return done.exit_code, json.loads(done.stdout)


def is_well(controllers: str, *more: str) -> bool:
    return asked(controllers, *more)[0] == 0


def test_probes_follow_a_controller_that_hangs_and_comes_back(cluster: Cluster) -> None:
    everybody = cluster.bootstrap_controllers
    places = dict(zip(sorted(cluster.nodes), everybody.split(","), strict=True))
    until(lambda: is_well(everybody) and all(map(caught_up(everybody).get, places)))
    leader = next(one["id"] for one in asked(everybody)[1]["replicas"] if one["status"] == "leader")
    hanging, other = sorted(places.keys() - {leader})
    for node in places:
        assert is_well(everybody, "--node", str(node), "--ready")
        assert is_well(everybody, "--node", str(node), "--safe-to-restart")
        assert is_well(places[node], "--live")
    cluster.nodes[hanging].pause()
    try:
        probe = ("--node", str(hanging), "--ready")
        until(lambda: asked(everybody, *probe)[0] == EXIT_UNWELL)
        code, found = asked(everybody, "--node", str(other), "--safe-to-restart")
        assert code == EXIT_UNWELL
        assert f"follower {hanging} is behind" in found["reason"]
        assert is_well(everybody, "--node", str(hanging), "--safe-to-restart")
        assert is_well(everybody, "--node", str(leader), "--ready")
        assert is_well(everybody)
        assert asked(places[hanging], "--live", "--timeout", "1")[0] == EXIT_UNWELL
        assert asked(places[hanging], "--timeout", "1")[0] == EXIT_NOT_KNOWN
    finally:
        cluster.nodes[hanging].resume()
    until(lambda: is_well(everybody, "--node", str(other), "--safe-to-restart"))


def caught_up(controllers: str) -> dict[int, bool]:
    return {one["id"]: one["caughtUp"] for one in asked(controllers)[1]["replicas"]}
