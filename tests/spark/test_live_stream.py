"""Streams over live quorums of the real Kafka, held against its Admin API where all is quiet."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tests.spark.live_tables import table_facts
from tools.live_cluster import Cluster, made_cluster
from tools.own_node import OwnNode
from tools.quota_writer import QuotaWriter


@pytest.fixture(autouse=True)
def _no_query_is_left(spark: SparkSession) -> Iterator[None]:
    yield
    for query in spark.streams.active:
        query.stop()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Three controllers and a broker."""
    with made_cluster(tmp_path_factory.mktemp("kafka"), controllers=3, brokers=1) as kafka:
        one = Cluster.of(kafka)
        try:
            yield one
        finally:
            one.admin.close()


def started(spark: SparkSession, servers: str, into: Path, **trigger: Any) -> Any:
    """A query that lands every record in Parquet and remembers where it is."""
    source = spark.readStream.format("kraft_metadata").option("servers", servers)
    return (
        source.option("raw", "always")
        .option("timeoutMs", "40000")
        .load()
        .writeStream.format("parquet")
        .option("checkpointLocation", str(into / "checkpoint"))
        .trigger(**(trigger or {"processingTime": "1 second"}))
        .start(str(into / "table"))
    )


def landed(spark: SparkSession, into: Path) -> Any:
    return spark.read.parquet(str(into / "table"))


def assert_tables_are_what_the_admin_says(
    spark: SparkSession, cluster: Cluster, query: Any, into: Path
) -> None:
    query.processAllAvailable()
    assert table_facts(landed(spark, into)) == cluster.facts()


def test_tables_match_the_admin_through_leader_changes_and_restarts(
    spark: SparkSession, cluster: Cluster, tmp_path: Path
) -> None:
    servers = cluster.kafka.bootstrap_controllers
    query = started(spark, servers, tmp_path)
    cluster.topic("orders", 3, retention_ms="123456")
    cluster.quota("alice", 1_000.0)
    cluster.allow("alice", "orders")
    assert_tables_are_what_the_admin_says(spark, cluster, query, tmp_path)

    killed = cluster.kafka.nodes[cluster.leader()]
    killed.kill()
    cluster.until(lambda: cluster.kafka.nodes[cluster.leader()] is not killed)
    cluster.topic("payments", 2)
    cluster.configure("orders", retention_ms="654321", segment_bytes="2000000")
    cluster.allow("bob", "payments")
    assert_tables_are_what_the_admin_says(spark, cluster, query, tmp_path)
    query.stop()

    killed.start()
    killed.wait_ready()
    cluster.grow("payments", 4)
    cluster.quota("alice", 2_000.0)
    cluster.admin.delete_topics(["orders"])
    query = started(spark, servers, tmp_path)
    assert_tables_are_what_the_admin_says(spark, cluster, query, tmp_path)
    query.stop()
    rows = landed(spark, tmp_path).select("offset", "problem").orderBy("offset").collect()
    assert [row["offset"] for row in rows] == list(range(len(rows))), "no row is lost or repeated"
    assert not any(row["problem"] for row in rows)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(3))
def test_tables_are_what_the_admin_says_while_nodes_come_and_go(
    spark: SparkSession, tmp_path: Path, seed: int
) -> None:
    chance = Random(seed)
    with made_cluster(tmp_path / "kafka", controllers=3, brokers=2) as kafka:
        cluster = Cluster.of(kafka)
        last = kafka.nodes[list(kafka.broker_ports)[-1]]
        for turn in range(5):
            query = started(spark, kafka.bootstrap_controllers, tmp_path)
            cluster.topic(f"topic-{turn}", chance.randint(1, 9), 1 + (last.pid is not None))
            gone = [last, *(kafka.nodes[one] for one in kafka.controller_ports)][
                chance.randrange(4)
            ]
            gone.kill()
            for number in range(chance.randint(1, 30)):
                cluster.until(lambda: bool(cluster.leader()))
                cluster.quota(f"user-{chance.randrange(9)}", 1.0 + number)
            cluster.configure(f"topic-{turn}", retention_ms=str(chance.randint(1, 1 << 40)))
            if gone is last:
                cluster.until(cluster.is_settled)
            assert_tables_are_what_the_admin_says(spark, cluster, query, tmp_path)
            query.stop()
            gone.start()
            gone.wait_ready()
            cluster.until(cluster.is_settled)
        cluster.admin.close()
    rows = landed(spark, tmp_path).select("offset").orderBy("offset").collect()
    assert [row["offset"] for row in rows] == list(range(len(rows)))


def test_a_start_that_is_snapshotted_away_is_told_and_bridged(
    spark: SparkSession, cluster: Cluster, tmp_path: Path
) -> None:
    servers = cluster.kafka.bootstrap_controllers
    early = tmp_path / "early"
    query = started(spark, servers, early, availableNow=True)
    query.awaitTermination(60)
    directories = [cluster.kafka.nodes[one].metadata_directory for one in (1, 2, 3)]
    begun = landed(spark, early).count()
    for number in itertools.count():
        cluster.quota(f"user-{number}", 7.0)
        if all(is_covered(one, begun) for one in directories):
            break
    for one in (1, 2, 3):
        cluster.kafka.nodes[one].stop()
    for one in directories:
        forget_before(one, newest_snapshot(one))
    for one in (1, 2, 3):
        cluster.kafka.nodes[one].start()
    for one in (1, 2, 3):
        cluster.kafka.nodes[one].wait_ready()
    cluster.topic("later", 1)
    first = min(int(one.stem) for one in directories[cluster.leader() - 1].glob("*.log"))
    assert first > begun, "what comes next is gone from the log"

    for into in (early, tmp_path / "late"):
        query = started(spark, servers, into)
        assert_tables_are_what_the_admin_says(spark, cluster, query, into)
        query.stop()
        log = landed(spark, into)
        of_snapshot = log.where("snapshot_offset is not null")
        (told,) = of_snapshot.select("snapshot_offset", "snapshot_epoch").distinct().collect()
        after = log.where(f"snapshot_offset is null and offset >= {told['snapshot_offset']}")
        offsets = sorted(row["offset"] for row in after.select("offset").collect())
        begins = told["snapshot_offset"]
        assert offsets == list(range(begins, begins + len(offsets))) and offsets


def is_covered(directory: Path, offset: int) -> bool:
    """Whether a segment begins after an offset, and a snapshot covers what is before it."""
    bases = (int(one.stem) for one in directory.glob("*.log"))
    return any(offset < base <= newest_snapshot(directory) for base in bases)


def newest_snapshot(directory: Path) -> int:
    return max(int(one.name[:20]) for one in directory.glob("*.checkpoint"))


def forget_before(directory: Path, end: int) -> None:
    """Delete the segments that a snapshot covers, and older ones, as retention does in time."""
    bases = sorted(int(one.stem) for one in directory.glob("*.log"))
    for base, following in itertools.pairwise(bases):
        if following <= end:
            for one in directory.glob(f"{base:020d}.*"):
                one.unlink()
    for one in directory.glob("*.checkpoint"):
        if int(one.name[:20]) < end:
            one.unlink()


def test_a_quorum_that_lost_committed_records_ends_the_query_in_words(
    spark: SparkSession, own: OwnNode, tmp_path: Path
) -> None:
    with QuotaWriter.open(own.port) as writer:
        for number in range(30):
            writer.set("a", "producer_byte_rate", 1.0 + number)
    query = started(spark, own.bootstrap_controller, tmp_path, availableNow=True)
    query.awaitTermination(60)
    assert query.exception() is None
    before = landed(spark, tmp_path).count()
    own.kill()
    shutil.rmtree(own.data_directory)
    own.format()
    own.start()
    own.wait_ready()
    query = started(spark, own.bootstrap_controller, tmp_path, availableNow=True)
    with pytest.raises(Exception, match=r"offset \d+"):
        query.awaitTermination(60)
    assert landed(spark, tmp_path).count() == before
