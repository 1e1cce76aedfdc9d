"""Backups of Apache Kafka's quorums, restored under its own controllers and under ours."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.interop.lost_cluster import (
    all_is_there,
    broker_goes_on,
    data,
    kafkas,
    led_by,
    loaded,
    ours,
    run,
    said,
)
from tools.kafka import JavaHelper
from tools.kafka.cluster import FIRST_BROKER_ID, KafkaCluster, random_id
from tools.kafka.node import KafkaNode
from tools.kafka.ports import LOOPBACK, free_ports
from tools.own_node import metaquorum
from tools.process import until

PATIENCE_S = 90.0


def backed_up(cluster: KafkaCluster, store: Path, *more: str) -> dict[str, object]:
    whom = ("--bootstrap-controller", cluster.bootstrap_controllers, "--to", store)
    found: dict[str, object] = json.loads(run("backup", *whom, *more, "-o", "json"))
    return found


def restored(store: Path, directory: Path, port: int, *cluster_id: str) -> dict[str, object]:
    """An empty directory is that of node 1, the only voter, afterwards."""
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir()
    words = ("--node", "1", "--standalone", f"{LOOPBACK}:{port}", *cluster_id, "-o", "json")
    found: dict[str, object] = json.loads(run("restore", store, "--dir", directory, *words))
    return found


def replicas(cluster: KafkaCluster) -> set[int]:
    """Voters and observers, as the leader tells them."""
    whom = ("--bootstrap-controller", cluster.bootstrap_controllers)
    lines = run("metadata-quorum", *whom, "describe", "--replication").splitlines()
    return {int(line.split()[0]) for line in lines[1:]}


def has_user(java: JavaHelper, servers: str) -> bool:
    where = ("--bootstrap-server", servers)
    done = java.tool("configs", *where, "--describe", "--entity-type", "users")
    return "alice" in done.stdout and "SCRAM-SHA-256" in done.stdout


@pytest.mark.parametrize("lead", led_by(kafkas))
def test_a_cluster_goes_on_from_its_backup(
    tmp_path: Path, java: JavaHelper, lead: Callable[..., Iterator[str]]
) -> None:
    store = tmp_path / "store"
    with loaded(tmp_path, java) as cluster:
        where = ("--bootstrap-server", cluster.bootstrap_servers)
        before = replicas(cluster)
        first = backed_up(cluster, store)
        assert (first["new"], first["start"]) == (True, 0)
        said(
            java, "configs", *where, "--alter", "--entity-type", "users", "--entity-name", "alice",
            "--add-config", "SCRAM-SHA-256=[password=secret]",
        )  # fmt: skip
        second = backed_up(cluster, store)
        assert second["start"] == first["end"]
        assert replicas(cluster) == before == {1, 2, 3, FIRST_BROKER_ID}
        cluster.stop()
        for node_id in (1, 2, 3):
            shutil.rmtree(data(cluster, node_id))
        assert "the backup is whole" in run("backup", "verify", store)
        for log in store.rglob("*.log"):
            shown = java.tool("dump-log", "--cluster-metadata-decoder", "--files", str(log))
            assert shown.exit_code == 0 and "baseOffset: " in shown.stdout
        ports = {1: free_ports(1)[0]}
        made = restored(store, data(cluster, 1), ports[1], "--keep-cluster-id")
        assert made["stateAt"] == second["end"] and made["clusterId"] == cluster.cluster_id
        # Its copy of the log reaches further than the backup: it would miss the new voters.
        shutil.rmtree(data(cluster, FIRST_BROKER_ID) / "__cluster_metadata-0")
        with lead(cluster, ports) as controllers:  # type: ignore[attr-defined]
            broker_goes_on(cluster, java, controllers, also=has_user)


@pytest.mark.parametrize("lead", led_by(ours))
def test_a_drill_under_another_cluster_id_has_it_all(
    tmp_path: Path, java: JavaHelper, lead: Callable[..., Iterator[str]]
) -> None:
    store = tmp_path / "store"
    with loaded(tmp_path, java) as cluster:
        where = ("--bootstrap-server", cluster.bootstrap_servers)
        said(
            java, "configs", *where, "--alter", "--entity-type", "users", "--entity-name", "alice",
            "--add-config", "SCRAM-SHA-256=[password=secret]",
        )  # fmt: skip
        backed_up(cluster, store)
        cluster.stop()
        ports = {1: free_ports(1)[0]}
        drill = random_id()
        assert drill == restored(store, data(cluster, 1), ports[1], "--cluster-id", drill)[
            "clusterId"
        ]  # fmt: skip
        with lead(cluster, ports) as controllers:  # type: ignore[attr-defined]
            old_broker_is_fenced_and_stays_out(cluster, controllers)
            old = cluster.nodes[FIRST_BROKER_ID]
            rows = {**old.properties, "controller.quorum.bootstrap.servers": controllers}
            broker = KafkaNode(tmp_path / "drill-broker", rows, log_name="drill.log")
            broker.format(drill, tool=java.tool)
            with broker:
                servers = cluster.bootstrap_servers
                until(lambda: all_is_there(java, servers), broker.log_tail, within_s=PATIENCE_S)
                assert has_user(java, servers)


def old_broker_is_fenced_and_stays_out(cluster: KafkaCluster, controllers: str) -> None:
    """Its registration is kept, fenced; with the old cluster id on its disk it is refused."""

    def fenced() -> bool:
        done = metaquorum("check", "quorum", "--bootstrap-controller", controllers, "-o", "json")
        if done.exit_code not in (0, 2):
            return False
        abouts = {one["about"] for one in json.loads(done.stdout)["findings"]}
        return f"brokers {FIRST_BROKER_ID}" in abouts

    until(fenced, lambda: "the broker is not fenced", within_s=PATIENCE_S)
    old = cluster.nodes[FIRST_BROKER_ID]
    rows = {**old.properties, "controller.quorum.bootstrap.servers": controllers}
    again = KafkaNode(old.directory, rows, log_name="refused.log")
    again.write_config()
    again.start()
    try:
        until(
            lambda: b"INCONSISTENT_CLUSTER_ID" in again.log_file.read_bytes(),
            again.log_tail,
            within_s=PATIENCE_S,
        )
        assert fenced()
    finally:
        again.kill()


def test_a_quorum_that_was_formed_anew_is_refused(tmp_path: Path, java: JavaHelper) -> None:
    store = tmp_path / "store"
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    with KafkaCluster(tmp_path / "one", 1, 0, format_tool=java.tool) as cluster:
        backed_up(cluster, store)
    with KafkaCluster(tmp_path / "two", 1, 0, format_tool=java.tool) as cluster:
        whom = ("--bootstrap-controller", cluster.bootstrap_controllers, "--to", store)
        done = metaquorum("backup", *whom)
        assert done.exit_code == 1
        assert "give each cluster a place of its own" in done.stderr


def test_a_backup_begins_with_the_snapshot_of_kafka(tmp_path: Path, java: JavaHelper) -> None:
    store = tmp_path / "store"
    often = {"metadata.log.max.record.bytes.between.snapshots": "2000"}
    with KafkaCluster(
        tmp_path, 1, 0, controller_properties=often, format_tool=java.tool
    ) as cluster:
        partition = data(cluster, 1) / "__cluster_metadata-0"
        until(
            lambda: any(
                not one.name.startswith("0" * 20) for one in partition.glob("*.checkpoint")
            ),
            lambda: str(list(partition.iterdir())),
            within_s=PATIENCE_S,
        )
        first = backed_up(cluster, store)
        assert first["snapshotEnd"] is not None
        second = backed_up(cluster, store)
        assert second["start"] == first["end"] or not second["new"]
        assert backed_up(cluster, store, "--full")["new"]
        assert "the backup is whole" in run("backup", "verify", store)
        (one, *_) = store.rglob("*.checkpoint")
        shown = java.tool("dump-log", "--cluster-metadata-decoder", "--files", str(one))
        assert shown.exit_code == 0 and "SnapshotHeader" in shown.stdout
    made = restored(store, tmp_path / "restored", free_ports(1)[0], "--keep-cluster-id")
    assert made["kraftVersion"] == 1
    assert "all is well" in run("check", "directory", tmp_path / "restored")
