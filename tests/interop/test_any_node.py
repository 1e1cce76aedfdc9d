"""Three of our nodes answer every client from any of them, and go on when the leader is killed."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.interop.asking_proxy import Recording
from tests.interop.client_tasks import ClientTask
from tests.interop.disk_records import DiskRecord, data_records, records_until
from tests.interop.matrix_page import committed, row_of
from tests.interop.readers import READERS, Seen
from tests.interop.test_client_matrix import CLIENTS, USERS, check
from tools.kafka import JavaHelper
from tools.own_cluster import OwnCluster
from tools.own_node import OwnNode, metaquorum
from tools.process import until
from tools.quota_writer import QuotaWriter

RECORDS = 10
PATIENCE_S = 60.0
POLL_S = 0.05


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnCluster]:
    """Three voters, one of them leading."""
    with OwnCluster(tmp_path_factory.mktemp("three")) as three:
        yield three


def followers(cluster: OwnCluster) -> list[OwnNode]:
    """The nodes that run and do not lead."""
    leader = cluster.wait_led([one for one, node in cluster.nodes.items() if node.pid])
    return [node for one, node in cluster.nodes.items() if one != leader and node.pid]


def as_read(records: list[Seen]) -> list[tuple[int, bytes | None, bytes | None]]:
    """Offsets, keys and values."""
    return [(one.offset, one.key, one.value) for one in records]


def as_written(node: OwnNode, up_to: int) -> list[tuple[int, bytes | None, bytes | None]]:
    """The same of what stands on a node's disk, once it reaches that far."""
    return [
        (one.offset, one.key, one.value) for one in records_until(node.metadata_directory, up_to)
    ]


@pytest.mark.parametrize("client", READERS)
def test_a_client_reads_every_record_whatever_node_it_came_in_by(
    client: str, cluster: OwnCluster, java: JavaHelper
) -> None:
    writer_at = followers(cluster)[0]
    with QuotaWriter.open(writer_at.port) as writer:
        for number in range(RECORDS):
            writer.set(f"{client}-{number}", "producer_byte_rate", 1000.0 + number)
        writer.set(f"{client}-last", "producer_byte_rate", 1.0)
    last_user = f"{client}-last".encode()
    leader = cluster.nodes[cluster.wait_led()]
    for node in cluster.nodes.values():
        seen: list[Seen] = []

        def go_on(record: Seen, seen: list[Seen] = seen) -> bool:
            seen.append(record)
            return last_user not in (record.value or b"")

        READERS[client](java, node.bootstrap_server, go_on)
        assert as_read(seen) == as_written(leader, seen[-1].offset)


def test_kafkas_tools_get_the_same_from_every_node(cluster: OwnCluster, java: JavaHelper) -> None:
    described, shown = set(), set()
    for node_id, node in cluster.nodes.items():
        servers = ("--bootstrap-server", node.bootstrap_server)
        user = ("--entity-type", "users", "--entity-name", f"of-node-{node_id}")
        altered = java.tool(
            "configs", *servers, "--alter", *user, "--add-config", "producer_byte_rate=7"
        )
        assert altered.exit_code == 0, altered.stderr
        for whom in (servers, ("--bootstrap-controller", node.bootstrap_controller)):
            status = java.tool("metadata-quorum", *whom, "describe", "--status")
            assert status.exit_code == 0, status.stderr
            described.add(re.sub(r"(HighWatermark|MaxFollower.*):.*", r"\1", status.stdout))
        topic = java.tool("topics", *servers, "--describe", "--topic", "__cluster_metadata")
        assert topic.exit_code == 0, topic.stderr
        shown.add(topic.stdout)
        ours = metaquorum("metadata-quorum", *servers, "describe", "--replication")
        assert ours.exit_code == 0, ours.stderr
    assert len(described) == 1, described
    assert len(shown) == 1 and "Replicas: 1,2,3\tIsr: 1,2,3" in shown.pop()


def test_clients_of_a_follower_read_on_after_the_leader_is_killed(
    cluster: OwnCluster, java: JavaHelper
) -> None:
    stays = followers(cluster)[0]
    killed = cluster.wait_led()
    seen: dict[str, list[Seen]] = {client: [] for client in READERS}
    began = {client: threading.Event() for client in READERS}
    failures: list[BaseException] = []

    def read(client: str) -> None:
        def go_on(record: Seen) -> bool:
            seen[client].append(record)
            began[client].set()
            return b"after-the-kill" not in (record.value or b"")

        try:
            READERS[client](java, stays.bootstrap_server, go_on)
        except BaseException as failure:
            failures.append(failure)
        finally:
            began[client].set()

    threads = [threading.Thread(target=read, args=(one,), daemon=True) for one in READERS]
    for thread in threads:
        thread.start()
    for event in began.values():
        assert event.wait(PATIENCE_S)
    cluster.nodes[killed].kill()
    with QuotaWriter.open(stays.port) as writer:  # waits there for the next leader
        writer.set("after-the-kill", "producer_byte_rate", 1.0)
    for thread in threads:
        thread.join(PATIENCE_S)
    assert not failures, failures
    last = {records[-1].offset for records in seen.values()}
    assert len(last) == 1, "everybody came to the same last record"
    expected = as_written(stays, last.pop())
    for client, records in seen.items():
        assert as_read(records) == expected, client
    cluster.nodes[killed].start()


@pytest.mark.soak
def test_clients_can_do_through_a_follower_all_they_can_with_one_node(
    java: JavaHelper, tmp_path: Path
) -> None:
    with OwnCluster(tmp_path, properties={"metadata.max.idle.interval.ms": "0"}) as cluster:
        leader = cluster.nodes[cluster.wait_led()]
        while not all(node.is_registered() for node in cluster.nodes.values()):
            time.sleep(POLL_S)
        follower = followers(cluster)[0]
        with QuotaWriter.open(follower.port) as writer:
            for number in range(USERS):
                writer.set(f"user-{number}", "producer_byte_rate", 1000.0 + number)
        last_user = f"user-{USERS - 1}".encode()

        def written() -> list[DiskRecord]:
            """All its records, once the last that is committed is there."""
            found = data_records(leader.metadata_directory)
            return found if any(last_user in (one.value or b"") for one in found) else []

        records = until(written)
        middle_ms = records[len(records) // 2].timestamp_ms
        late = [one for one in records if one.timestamp_ms >= middle_ms]
        task = ClientTask(
            follower.bootstrap_server, len(records), late[0].offset, len(late), middle_ms
        )
        page = committed()
        for name, client in CLIENTS.items():
            if name.startswith("Spark"):  # reads by the Java client of the first row
                continue
            outcomes = client.run(java, task)
            check(outcomes, records, task)
            assert row_of(name, client.version(), outcomes, Recording()).can == page[name].can, name
