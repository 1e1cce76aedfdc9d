"""Disasters of clusters of Apache Kafka, recovered, and led by its own controllers and by ours."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.interop.lost_cluster import (
    broker_goes_on,
    data,
    kafkas,
    led_by,
    loaded,
    ours,
    run,
    voters,
)
from tools.kafka import JavaHelper
from tools.kafka.cluster import FIRST_BROKER_ID, KafkaCluster
from tools.kafka.ports import free_ports
from tools.own_node import metaquorum
from tools.process import until


def surveyed(cluster: KafkaCluster, *ids: int, named: bool = False) -> list[Path]:
    """The survey of each node as a file."""
    files = []
    for node_id in ids:
        file = cluster.directory / f"survey-{node_id}.json"
        more = ("--node", str(node_id)) if named else ()
        run("recover", "survey", data(cluster, node_id), *more, "-o", file)
        files.append(file)
    return files


def apply(cluster: KafkaCluster, plan: Path, *ids: int) -> None:
    for node_id in ids:
        run("recover", "apply", plan, "--dir", data(cluster, node_id), "--dry-run")
        run("recover", "apply", plan, "--dir", data(cluster, node_id))


@pytest.mark.parametrize("lead", led_by(ours))
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


@pytest.mark.soak
@pytest.mark.parametrize("lead", led_by(kafkas))
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


@pytest.mark.soak
@pytest.mark.parametrize("lead", led_by(ours))
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
        log = data(cluster, 1) / "__cluster_metadata-0"
        until(lambda: any(one.stat().st_size for one in log.glob("*.log")), "nobody was elected")
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
