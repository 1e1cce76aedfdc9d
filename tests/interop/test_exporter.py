"""``metaquorum exporter`` beside a cluster of Apache Kafka in trouble: its figures are Kafka's."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import define

from metaquorum.base.errors import OperatorError
from metaquorum.client.connection import Connection
from metaquorum.wire.generated import alter_partition_reassignments_request
from tests.interop.exporting import WatchedCluster, differences
from tools.kafka import JavaHelper, KafkaCluster
from tools.kafka.beans import BeanReader
from tools.kafka.helper import HelperFailed
from tools.kafka.ports import LOOPBACK
from tools.own_exporter import Exporting, exporting
from tools.process import until

WITHIN_S = 90.0
QUIET = {"metadata.max.idle.interval.ms": "0"}  # offsets of two looks are the same
SESSION = {"broker.session.timeout.ms": "6000"}
REASSIGN = 45


@define
class Watched:
    """The exporter and the cluster that it watches, and the way to change things."""

    exporter: Exporting
    beans: WatchedCluster
    java: JavaHelper
    directory: Path

    @property
    def cluster(self) -> KafkaCluster:
        return self.beans.cluster

    def tool(self, name: str, *arguments: str) -> str:
        """Run a tool of Kafka's against the brokers; its output."""
        done = self.java.tool(
            name, "--bootstrap-server", self.cluster.bootstrap_servers, *arguments
        )
        assert done.exit_code == 0, done.stdout + done.stderr
        return done.stdout

    def topic(self, name: str, assignment: str, *more: str) -> None:
        self.tool("topics", "--create", "--topic", name, "--replica-assignment", assignment, *more)

    def agrees(self, **expected: float) -> dict[str, float]:
        """Wait until all figures are Kafka's, and these, by the ends of their names; ours."""
        seen: list[object] = []

        def look() -> dict[str, float] | None:
            try:
                theirs = self.beans.figures()
                ours = self.exporter.scrape()
            except (HelperFailed, OperatorError) as error:
                seen[:] = [error]
                return None
            wrong: dict[str, object] = dict(differences(ours, theirs))
            for end, value in expected.items():
                found = [one for name, one in ours.items() if name.endswith(end)]
                if found != [value]:
                    wrong[end] = (found, value)
            seen[:] = [wrong]
            return ours if not wrong else None

        lines = self.exporter.lines
        return until(look, lambda: f"{seen}\n{lines.read_text()[-3000:]}", WITHIN_S, poll_s=0.2)

    def mended(self) -> dict[str, float]:
        """Every node runs and nobody is missed; ours."""
        for node_id, node in self.cluster.nodes.items():
            if node.pid is None:
                restarted(self, node_id)
        return self.agrees(fencedbrokercount=0, underreplicatedpartitions=0, voters_silent=0)

    def leader(self) -> int:
        return int(self.mended()["kafka_server_raft_metrics_current_leader"])


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory, java: JavaHelper) -> Iterator[Watched]:
    directory = tmp_path_factory.mktemp("exported")
    cluster = KafkaCluster(
        directory,
        brokers=3,
        controller_properties={**QUIET, **SESSION},
        format_tool=java.tool,
    )
    with BeanReader() as reader:
        beans = WatchedCluster(cluster, reader)
        with (
            cluster,
            exporting(
                directory, cluster.bootstrap_controllers, "--interval-ms", "500", "--per-topic"
            ) as exporter,
        ):
            one = Watched(exporter, beans, java, directory)
            one.topic("three", "101:102:103,102:103:101,103:101:102", *MIN_TWO)
            one.topic("one", "101,102,103")
            yield one


MIN_TWO = ("--config", "min.insync.replicas=2")


def restarted(watched: Watched, node_id: int) -> None:
    node = watched.cluster.nodes[node_id]
    node.start()
    node.wait_ready()


def test_a_calm_cluster_has_kafkas_figures(watched: Watched) -> None:
    ours = watched.agrees(
        activebrokercount=3, globaltopiccount=2, globalpartitioncount=6, offlinepartitionscount=0
    )
    assert ours["kafka_controller_kafkacontroller_activecontrollercount"] == 1
    assert ours['metaquorum_topic_partitions{topic="three"}'] == 3
    assert ours["metaquorum_quorum_voters_silent"] == 0


def test_the_exporter_leaves_no_trace(watched: Watched) -> None:
    done = watched.java.tool(
        "metadata-quorum",
        *("--bootstrap-controller", watched.cluster.bootstrap_controllers),
        *("describe", "--replication"),
    )
    assert done.exit_code == 0, done.stderr
    rows = [line.split() for line in done.stdout.splitlines()[1:]]
    assert sorted(int(row[0]) for row in rows) == [1, 2, 3, 101, 102, 103]


def test_a_killed_broker_is_fenced_and_its_partitions_missed(watched: Watched) -> None:
    watched.mended()
    watched.cluster.nodes[101].kill()
    ours = watched.agrees(
        fencedbrokercount=1,
        offlinepartitionscount=1,
        underreplicatedpartitions=3,
        atminisrpartitioncount=5,
    )
    assert ours["kafka_server_replicamanager_isrshrinks_total"] >= 3
    assert ours["metaquorum_cluster_brokers_fenced_total"] >= 1
    assert ours['metaquorum_topic_offline_partitions{topic="one"}'] == 1


def reassign(watched: Watched, topic: str, partition: int, replicas: list[int]) -> None:
    """Ask a broker itself: Kafka's tool refuses brokers that are down."""
    wire = alter_partition_reassignments_request
    rows = [wire.ReassignableTopic(topic, [wire.ReassignablePartition(partition, replicas)])]
    with Connection.open(LOOPBACK, watched.cluster.broker_ports[102]) as connection:
        version = connection.best_version(REASSIGN, most=0)
        request = wire.AlterPartitionReassignmentsRequest(topics=rows)
        answer = connection.ask(REASSIGN, version, request)
    codes = [one.error_code for row in answer.responses for one in row.partitions]
    assert (answer.error_code, codes) == (0, [0]), answer


def test_a_reassignment_to_a_dead_broker_is_under_way(watched: Watched) -> None:
    watched.mended()
    watched.cluster.nodes[101].kill()
    watched.agrees(fencedbrokercount=1)
    reassign(watched, "one", 1, [101, 102])
    watched.agrees(reassigningpartitions=1, fencedbrokercount=1)
    watched.mended()
    watched.agrees(reassigningpartitions=0)


def test_a_partition_below_its_min_isr_is_counted(watched: Watched) -> None:
    watched.mended()
    watched.tool(
        "configs",
        *("--entity-type", "topics", "--entity-name", "three"),
        *("--alter", "--add-config", "min.insync.replicas=3"),
    )
    watched.cluster.nodes[102].stop()
    watched.agrees(
        fencedbrokercount=1, controlledshutdownbrokercount=1, underminisrpartitioncount=3
    )
    watched.mended()


def test_another_controller_leads_when_the_leader_was_killed(watched: Watched) -> None:
    before = watched.leader()
    counted = "metaquorum_quorum_leader_changes_total"
    changes = watched.exporter.scrape()[counted]
    watched.cluster.nodes[before].kill()
    ours = watched.agrees(activecontrollercount=1, voters_silent=1)
    assert ours["kafka_server_raft_metrics_current_leader"] != before
    until(
        lambda: watched.exporter.scrape()[counted] > changes,
        "the LeaderChange was not read",  # the log is read beside the questions to the quorum
        WITHIN_S,
    )
    ours = watched.mended()
    assert ours[f'metaquorum_quorum_replica_lag_offsets{{node="{before}",role="voter"}}'] == 0


def test_a_paused_leader_is_told_from_the_next_one(watched: Watched) -> None:
    before = watched.leader()
    watched.beans.pause(before)
    try:
        ours = watched.agrees(activecontrollercount=1, voters_silent=1)
        assert ours["kafka_server_raft_metrics_current_leader"] != before
    finally:
        watched.beans.resume(before)
    watched.agrees(activecontrollercount=1, voters_silent=0)


def test_a_paused_voter_falls_silent_and_catches_up(watched: Watched) -> None:
    leader = watched.leader()
    other = next(one for one in watched.cluster.controller_ports if one != leader)
    watched.beans.pause(other)
    try:
        watched.agrees(voters_silent=1, voters_behind=1)
    finally:
        watched.beans.resume(other)
    watched.agrees(voters_silent=0, voters_behind=0)


def test_deleted_topics_are_gone(watched: Watched) -> None:
    watched.mended()
    watched.tool("topics", "--delete", "--topic", "one")
    ours = watched.agrees(globaltopiccount=1, globalpartitioncount=3)
    assert 'metaquorum_topic_partitions{topic="one"}' not in ours


def test_a_quorum_without_majority_has_no_leader(watched: Watched) -> None:
    leader = watched.leader()
    others = [one for one in watched.cluster.controller_ports if one != leader]
    for one in (leader, others[0]):
        watched.cluster.nodes[one].kill()
    gone = until(
        lambda: (
            (found := watched.exporter.scrape())["kafka_server_raft_metrics_current_leader"] == -1
            and found
        ),
        within_s=WITHIN_S,
    )
    assert gone["kafka_controller_kafkacontroller_activecontrollercount"] == 0
    assert gone["kafka_controller_kafkacontroller_globaltopiccount"] == 1
    for one in (leader, others[0]):
        watched.cluster.nodes[one].start()
    watched.agrees(activecontrollercount=1, voters_silent=0)
    lines = watched.exporter.lines.read_text()
    assert lines.count("source-fails source=log") == lines.count("source-works source=log") - 1
