"""``metaquorum exporter`` beside brokers of Apache Kafka in trouble: its figures are Kafka's.

In each trouble the alerts fire that are for it, and no other; and every query of the dashboards
has an answer. What happens to the quorum is in test_exporter.py.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from codegen.monitoring.panels import CLUSTER_BOARD
from metaquorum.client.connection import Connection
from metaquorum.wire.generated import alter_partition_reassignments_request
from tests.interop.panel_data import answers_of, kept_for_the_site
from tests.interop.watched import OF_BROKERS, WITHIN_S, Watched, watched_cluster
from tools.kafka import JavaHelper
from tools.kafka.ports import LOOPBACK
from tools.process import until

REASSIGN = 45
BROKER_LOST = ("KafkaBrokersFenced", "KafkaPartitionsUnderReplicated")
NOT_PREFERRED = "KafkaLeadersNotPreferred"
STATE = "kafka_controller_kafkacontroller_brokerregistrationstate"
LEVEL = "kafka_server_metadataloader_currentmetadataversion"


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory, java: JavaHelper) -> Iterator[Watched]:
    directory = tmp_path_factory.mktemp("exported")
    with watched_cluster(directory, java, format_options=("--release-version", "4.2")) as one:
        yield one


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


def test_features_that_were_raised_have_their_level(watched: Watched) -> None:
    with watched.trouble():
        before = watched.agrees(activebrokercount=3)[LEVEL]
        watched.tool("features", "upgrade", "--release-version", "4.3")
        until(lambda: watched.exporter.scrape()[LEVEL] > before, within_s=WITHIN_S)
        ours = watched.agrees(activebrokercount=3)
    assert (
        ours['kafka_server_metadataloader_finalizedlevel{featurename="metadataVersion"}']
        == (ours[LEVEL])
    )


def test_a_killed_broker_is_missed_until_its_leaders_are_back(watched: Watched) -> None:
    watched.topic("pair", "102:103")
    watched.mended()
    with watched.trouble(*BROKER_LOST, NOT_PREFERRED):
        watched.cluster.nodes[101].kill()
        ours = watched.agrees(
            fencedbrokercount=1, offlinepartitionscount=0, underreplicatedpartitions=3
        )
        assert ours["kafka_server_replicamanager_isrshrinks_total"] >= 3
        assert ours["metaquorum_cluster_brokers_fenced_total"] >= 1
        reassign(watched, "pair", 0, [101, 102])
        watched.agrees(reassigningpartitions=1, fencedbrokercount=1)
        watched.fires(*BROKER_LOST)
        assert NOT_PREFERRED not in watched.prometheus.firing()
        watched.restart(101)
        watched.agrees(reassigningpartitions=0, fencedbrokercount=0, underreplicatedpartitions=0)
    watched.tool("topics", "--delete", "--topic", "pair")


def test_a_paused_broker_is_fenced_and_writes_are_refused(watched: Watched) -> None:
    watched.mended()
    watched.tool(
        "configs",
        *("--entity-type", "topics", "--entity-name", "three"),
        *("--alter", "--add-config", "min.insync.replicas=3"),
    )
    with watched.trouble(*BROKER_LOST, "KafkaPartitionsUnderMinIsr"), watched.paused(102):
        watched.agrees(fencedbrokercount=1, underminisrpartitioncount=3)
        watched.fires(*BROKER_LOST, "KafkaPartitionsUnderMinIsr")
    watched.tool(
        "configs",
        *("--entity-type", "topics", "--entity-name", "three"),
        *("--alter", "--add-config", "min.insync.replicas=2"),
    )


def test_a_topic_without_leader_is_offline(watched: Watched) -> None:
    watched.topic("alone", "103")
    watched.mended()
    with watched.trouble(*BROKER_LOST, "KafkaPartitionsOffline"):
        watched.cluster.nodes[103].kill()
        ours = watched.agrees(fencedbrokercount=1, offlinepartitionscount=1)
        assert ours['metaquorum_topic_offline_partitions{topic="alone"}'] == 1
    watched.mended()
    watched.tool("topics", "--delete", "--topic", "alone")
    ours = watched.agrees(globaltopiccount=1, globalpartitioncount=3)
    assert 'metaquorum_topic_partitions{topic="alone"}' not in ours


def test_a_broker_that_may_not_stop_yet_is_told(watched: Watched) -> None:
    """Another one has not read which partitions moved, and is waited for as long as it lives."""
    watched.mended()
    name = "KafkaBrokerInShutdownTooLong"
    stopping = threading.Thread(target=watched.cluster.nodes[101].stop)
    with watched.trouble(name, *BROKER_LOST):
        with watched.without_metadata(102):
            stopping.start()
            watched.agrees(
                without=(OF_BROKERS,), activebrokercount=3, **{f'{STATE}{{broker="101"}}': 20}
            )
            watched.fires(name)
        stopping.join()
        watched.agrees(fencedbrokercount=1, controlledshutdownbrokercount=1)
        watched.fires(*BROKER_LOST)
    watched.mended()


def test_every_query_of_the_clusters_dashboard_has_an_answer(watched: Watched) -> None:
    """Over the time in which all this happened."""
    answers = answers_of(watched.prometheus, CLUSTER_BOARD, watched.since_s)
    kept_for_the_site(CLUSTER_BOARD, answers)
    (registrations,) = [
        one["points"] for one in answers["Registrations"] if one["name"] == "broker 101"
    ]
    assert {value for _, value in registrations} >= {10, 20, 30}
