"""Requests in flight through a follower when the leader's process is frozen by SIGSTOP."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from metaquorum.client.connection import Connection
from metaquorum.wire.generated import (
    alter_client_quotas_request,
    describe_quorum_request,
    error_codes,
    update_features_request,
)
from tools.own_cluster import OwnCluster
from tools.own_node import OwnNode
from tools.process import until
from tools.quota_writer import QuotaWriter

ALTER_CLIENT_QUOTAS, DESCRIBE_QUORUM, UPDATE_FEATURES = 49, 55, 57
LONGER_THAN_A_REQUEST_MS = 40_000
AT_MOST_S = 1.0
MADE_OR_IN_DOUBT = {error_codes.NONE, error_codes.REQUEST_TIMED_OUT}


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[OwnCluster]:
    """Three voters, one of them leading, all registered: else what they support is not known."""
    with OwnCluster(tmp_path) as three:
        until(lambda: all(one.is_registered() for one in three.nodes.values()))
        yield three


@contextmanager
def frozen(cluster: OwnCluster, node_id: int) -> Iterator[None]:
    """The process of a node stands still inside."""
    cluster.signal(node_id, signal.SIGSTOP)
    try:
        yield
    finally:
        cluster.signal(node_id, signal.SIGCONT)


def connected(node: OwnNode) -> Connection:
    """A connection to its client listener that waits for longer than a request may take."""
    host, port = node.bootstrap_server.split(":")
    return Connection.open(host, int(port), timeout_ms=LONGER_THAN_A_REQUEST_MS)


def alter_quota(connection: Connection) -> int:
    """The error code of a quota of a user."""
    wire = alter_client_quotas_request
    operation = wire.OpData("producer_byte_rate", 1.0, False)
    entry = wire.EntryData([wire.EntityData("user", "ada")], [operation])
    answer = connection.ask(ALTER_CLIENT_QUOTAS, 1, wire.AlterClientQuotasRequest([entry]))
    code: int = answer.entries[0].error_code
    return code


def update_features(connection: Connection) -> int:
    """The error code of a level that the feature has already."""
    wire = update_features_request
    update = wire.FeatureUpdateKey("group.version", 1, upgrade_type=1)
    answer = connection.ask(
        UPDATE_FEATURES, 1, wire.UpdateFeaturesRequest(60_000, feature_updates=[update])
    )
    code: int = answer.error_code
    return code


def describe_quorum(connection: Connection) -> int:
    """The error code of a read that only the leader answers."""
    wire = describe_quorum_request
    topic = wire.TopicData("__cluster_metadata", [wire.PartitionData(0)])
    answer = connection.ask(DESCRIBE_QUORUM, 1, wire.DescribeQuorumRequest([topic]))
    code: int = answer.topics[0].partitions[0].error_code
    return code


def timed(ask: Callable[[Connection], int], connection: Connection) -> tuple[int, float]:
    """The error code, and when it came."""
    return ask(connection), time.monotonic()


def test_requests_via_followers_are_answered_once_another_node_leads(
    cluster: OwnCluster,
) -> None:
    """A write that was sent is in doubt. One that had not left, and a read, find the new leader."""
    leader = cluster.wait_led()
    others = [one for one in cluster.nodes if one != leader]
    expected = {
        alter_quota: MADE_OR_IN_DOUBT,
        update_features: MADE_OR_IN_DOUBT,
        describe_quorum: {error_codes.NONE},
    }
    asks = [(ask, connected(cluster.nodes[one])) for one in others for ask in expected]
    for ask, connection in asks:
        assert ask(connection) == error_codes.NONE, ask.__name__
    with frozen(cluster, leader), ThreadPoolExecutor(len(asks)) as threads:
        answers = [threads.submit(timed, *one) for one in asks]
        new = cluster.wait_led(others)
        known = time.monotonic()
        for (ask, connection), answer in zip(asks, answers, strict=True):
            code, answered = answer.result()
            assert code in expected[ask], ask.__name__
            assert answered - known < AT_MOST_S, ask.__name__
            connection.close()
        with QuotaWriter.open(cluster.nodes[new].controller_port) as writer:
            writer.set("ben", "producer_byte_rate", 2.0)


def test_a_leader_that_thaws_answers_its_own_clients_at_once(cluster: OwnCluster) -> None:
    leader = cluster.wait_led()
    others = [one for one in cluster.nodes if one != leader]
    connection = connected(cluster.nodes[leader])
    assert alter_quota(connection) == error_codes.NONE
    with ThreadPoolExecutor(1) as threads:
        with frozen(cluster, leader):
            answer = threads.submit(timed, alter_quota, connection)
            cluster.wait_led(others)
        thawed = time.monotonic()
        code, answered = answer.result()
    assert answered - thawed < AT_MOST_S
    assert code in MADE_OR_IN_DOUBT, "the new leader makes it, or it is in doubt"
    connection.close()
