"""``metaquorum exporter`` beside a quorum of Apache Kafka in trouble: its figures are Kafka's.

In each trouble the alerts fire that are for it, and no other. What happens to brokers is in
test_exporter_and_brokers.py.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from codegen.monitoring.panels import QUORUM_BOARD
from tests.interop.panel_data import answers_of, kept_for_the_site
from tests.interop.watched import (
    CONTROLLERS,
    WITHIN_S,
    Watched,
    meanwhile,
    slow_disk,
    watched_cluster,
)
from tools.bench.failover_quorums import cut_off
from tools.kafka import JavaHelper
from tools.process import until
from tools.quota_writer import QuotaWriter

VOTER_LOST = ("KafkaQuorumVoterDown", "KafkaQuorumOneFailureFromLoss")
LEADER = "kafka_server_raft_metrics_current_leader"
CHANGES = "metaquorum_quorum_leader_changes_total"
SYNC_MS = 1_400
MOST_ELECTIONS = 12


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory, java: JavaHelper) -> Iterator[Watched]:
    with watched_cluster(tmp_path_factory.mktemp("exported"), java) as one:
        yield one


def test_a_calm_cluster_has_kafkas_figures(watched: Watched) -> None:
    with watched.trouble():
        ours = watched.agrees(
            activebrokercount=3,
            globaltopiccount=1,
            globalpartitioncount=3,
            offlinepartitionscount=0,
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


def another_leads(watched: Watched, before: int) -> None:
    """Wait until another controller than this one leads, and the log has told of it."""
    changes = watched.exporter.scrape()[CHANGES]
    ours = watched.agrees(activecontrollercount=1, voters_silent=1)
    assert ours[LEADER] not in (before, -1)
    until(
        lambda: watched.exporter.scrape()[CHANGES] >= changes,
        "the LeaderChange was not read",  # the log is read beside the questions to the quorum
        WITHIN_S,
    )


def test_another_controller_leads_when_the_leader_was_killed(watched: Watched) -> None:
    before = watched.leader()
    changes = watched.exporter.scrape()[CHANGES]
    with watched.trouble(*VOTER_LOST):
        watched.cluster.nodes[before].kill()
        another_leads(watched, before)
    assert watched.exporter.scrape()[CHANGES] > changes
    watched.mended()
    lag = f'metaquorum_quorum_replica_lag_offsets{{node="{before}",role="voter"}}'
    until(lambda: watched.exporter.scrape()[lag] == 0, "it does not catch up", WITHIN_S)


def test_a_paused_leader_is_told_from_the_next_one(watched: Watched) -> None:
    before = watched.leader()
    with watched.trouble(*VOTER_LOST), watched.paused(before):
        another_leads(watched, before)
        watched.fires(*VOTER_LOST)
    watched.agrees(activecontrollercount=1, voters_silent=0)


def test_a_leader_that_is_cut_off_is_no_longer_shown(watched: Watched) -> None:
    before = watched.leader()
    with watched.trouble(*VOTER_LOST):
        cut_off(watched.fronts, before)
        another_leads(watched, before)
        watched.fires(*VOTER_LOST)
    watched.fronts.call(watched.fronts.proxy.clear_weather)
    watched.agrees(activecontrollercount=1, voters_silent=0)


def test_a_voter_that_is_down_is_counted(watched: Watched) -> None:
    other = watched.other_voter(watched.leader())
    with watched.trouble(*VOTER_LOST):
        watched.cluster.nodes[other].kill()
        watched.agrees(voters_silent=1, voters_behind=1)
    watched.mended()


def test_a_voter_with_a_slow_disk_lags(watched: Watched) -> None:
    leader = watched.leader()
    other = watched.other_voter(leader)
    pid = watched.cluster.nodes[other].pid
    assert pid is not None
    rates = itertools.count(1)
    with QuotaWriter.open(watched.cluster.controller_ports[leader]) as writer:

        def write() -> None:
            writer.set("somebody", "producer_byte_rate", float(next(rates)))

        with watched.trouble("KafkaQuorumVoterLags"), meanwhile(write, 0.2):
            with slow_disk(pid, SYNC_MS):
                watched.fires("KafkaQuorumVoterLags")
    watched.agrees(voters_silent=0, voters_behind=0)


def test_a_quorum_without_majority_has_no_leader(watched: Watched) -> None:
    leader = watched.leader()
    other = watched.other_voter(leader)
    with watched.trouble("KafkaQuorumHasNoLeader"):
        for one in (leader, other):
            watched.cluster.nodes[one].kill()
        gone = until(
            lambda: (found := watched.exporter.scrape())[LEADER] == -1 and found,
            within_s=WITHIN_S,
        )
    assert gone["kafka_controller_kafkacontroller_activecontrollercount"] == 0
    assert gone["kafka_controller_kafkacontroller_globaltopiccount"] == 1
    for one in (leader, other):
        watched.cluster.nodes[one].start()
    watched.agrees(activecontrollercount=1, voters_silent=0)
    lines = watched.exporter.lines.read_text()
    assert lines.count("source-fails source=log") == lines.count("source-works source=log") - 1


def test_every_query_of_the_quorums_dashboard_has_an_answer(watched: Watched) -> None:
    """Over the time in which all this happened."""
    answers = answers_of(watched.prometheus, QUORUM_BOARD, watched.since_s)
    kept_for_the_site(QUORUM_BOARD, answers)
    (leaders,) = [one["points"] for one in answers["Leader over time"]]
    assert len({value for _, value in leaders}) > 2
    assert {one["name"] for one in answers["Alerts"]} >= {*VOTER_LOST, "KafkaQuorumHasNoLeader"}


@pytest.mark.soak
def test_a_leader_that_changes_again_and_again_is_told(watched: Watched) -> None:
    often = "KafkaQuorumLeaderChangesOften"
    with watched.trouble(often, also_may=VOTER_LOST):
        for _ in range(MOST_ELECTIONS):
            if often in watched.prometheus.firing():
                break
            before = watched.exporter.scrape()[LEADER]
            assert before in CONTROLLERS
            with watched.paused(int(before)):
                until(
                    lambda before=before: watched.exporter.scrape()[LEADER] not in (before, -1),
                    within_s=WITHIN_S,
                )
    watched.mended()
