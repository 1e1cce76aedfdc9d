"""Fetch sessions at the wire: Kafka's consumer uses them, and idle ones cost next to nothing."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from statistics import median
from typing import Any

import pytest

from metaquorum.base.ids import METADATA_TOPIC_ID
from metaquorum.base.limits import FETCH_ERROR_DELAY_MS
from metaquorum.client.connection import Connection
from metaquorum.wire.generated.fetch_request import FetchPartition, FetchRequest, FetchTopic
from tests.interop.asking_proxy import AskingProxy, Fetched
from tests.interop.resting_node import resting_node
from tools.kafka import JavaHelper
from tools.kafka.ports import LOOPBACK
from tools.own_cluster import OwnCluster
from tools.own_node import OwnNode
from tools.quota_writer import QuotaWriter

FETCH, VERSION = 1, 17
SESSIONS = 100
IDLE_MS = 8_000
MOST_IDLE_BYTES = 100
PATIENCE_S = 30.0


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AskingProxy]:
    """A relay before a node whose log rests."""
    with resting_node(tmp_path_factory.mktemp("sessions"), users=5) as (_, relay):
        yield relay


def assert_idle(fetched: Fetched, session_id: int) -> None:
    assert fetched.response is not None
    assert (fetched.response.error_code, fetched.response.session_id) == (0, session_id)
    assert (list(fetched.request.topics), list(fetched.response.responses)) == ([], [])
    assert fetched.request_bytes <= MOST_IDLE_BYTES
    assert fetched.response_bytes <= MOST_IDLE_BYTES


def test_kafkas_consumer_opens_idles_in_and_closes_a_fetch_session(
    proxy: AskingProxy, java: JavaHelper
) -> None:
    with proxy.recording() as recording:
        done = java.tool(
            "console-consumer",
            *("--bootstrap-server", proxy.bootstrap_server, "--topic", "__cluster_metadata"),
            *("--partition", "0", "--offset", "earliest", "--timeout-ms", str(IDLE_MS)),
        )
        assert "Processed a total of" in done.stdout + done.stderr
    assert recording.fetches, (recording.asked, done)
    first, *others = recording.fetches
    assert (first.request.session_id, first.request.session_epoch) == (0, 0)
    assert first.response is not None and first.response.responses[0].partitions[0].records
    session_id = first.response.session_id
    assert session_id > 0
    incremental = [one for one in others if one.is_incremental]
    assert [one.request.session_id for one in incremental] == [session_id] * len(incremental)
    epochs = [one.request.session_epoch for one in incremental]
    assert epochs == list(range(1, len(epochs) + 1))
    idle = [one for one in incremental if not one.request.topics and one.response is not None]
    assert len(idle) >= 3
    for one in idle:
        assert_idle(one, session_id)
    last = others[-1].request
    assert (last.session_id, last.session_epoch) == (session_id, -1)


def test_a_hundred_idle_sessions_cost_at_most_100_bytes_a_message(
    proxy: AskingProxy,
) -> None:
    with proxy.recording() as recording:
        clients = [
            Connection.open(LOOPBACK, proxy.port, client_id=f"consumer-console-{number}")
            for number in range(SESSIONS)
        ]
        try:
            ids = [_opened(client) for client in clients]
            for epoch in (1, 2):
                for client, session_id in zip(clients, ids, strict=True):
                    client.ask(FETCH, VERSION, _fetch(session_id, epoch))
        finally:
            for client in clients:
                client.close()
    assert len(dict.fromkeys(ids)) == SESSIONS
    idle = [one for one in recording.fetches if one.is_incremental]
    assert len(idle) == 2 * SESSIONS
    for one in idle:
        assert_idle(one, one.request.session_id)


def test_records_fetched_beside_an_unknown_topic_arrive_on_commit(node: OwnNode) -> None:
    """And not when the pause of its error is over (issue 27, item 8)."""
    absent = FetchTopic("", bytes(15) + b"\x07", [FetchPartition(0)])
    late_s: list[float] = []
    with (
        Connection.open(LOOPBACK, node.port) as client,
        QuotaWriter.open(node.port) as writer,
        ThreadPoolExecutor(1) as threads,
    ):
        told = client.ask(FETCH, VERSION, _fetch(0, -1, _topic(0)))
        at = told.responses[0].partitions[0].high_watermark
        opening = _fetch(0, 0, absent, _topic(at))
        session_id: int = client.ask(FETCH, VERSION, opening).session_id
        for epoch in range(1, 12):
            waiting = _fetch(session_id, epoch, _topic(at))
            waiting.max_wait_ms = 60_000
            answer = threads.submit(_timed, client, waiting)
            writer.set("ada", "producer_byte_rate", float(epoch))
            committed = time.monotonic()
            response, came = answer.result()
            late_s.append(came - committed)
            rows = {bytes(one.topic_id): one.partitions[0] for one in response.responses}
            assert rows[absent.topic_id].error_code == 100
            assert rows[METADATA_TOPIC_ID].records
            at = rows[METADATA_TOPIC_ID].high_watermark
    assert median(late_s) < FETCH_ERROR_DELAY_MS / 4_000, late_s


def _timed(client: Connection, request: FetchRequest) -> tuple[Any, float]:
    return client.ask(FETCH, VERSION, request), time.monotonic()


def _opened(client: Connection) -> int:
    """A session of a fetcher that stands at the end of the log."""
    told = client.ask(FETCH, VERSION, _fetch(0, -1, _topic(0)))
    at_end = told.responses[0].partitions[0].high_watermark
    session_id: int = client.ask(FETCH, VERSION, _fetch(0, 0, _topic(at_end))).session_id
    return session_id


def _fetch(session_id: int, epoch: int, *topics: FetchTopic) -> FetchRequest:
    return FetchRequest(
        max_wait_ms=1,
        min_bytes=1,
        max_bytes=1 << 20,
        session_id=session_id,
        session_epoch=epoch,
        topics=list(topics),
    )


def _topic(offset: int) -> FetchTopic:
    row = FetchPartition(0, fetch_offset=offset, partition_max_bytes=1 << 20)
    return FetchTopic(topic_id=METADATA_TOPIC_ID, partitions=[row])


def test_every_node_serves_reads_and_sessions_below_its_own_watermark(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with OwnCluster(tmp_path_factory.mktemp("readers")) as cluster:
        leader_id = cluster.wait_led()
        with QuotaWriter.open(cluster.nodes[leader_id].port) as writer:
            writer.set("somebody", "producer_byte_rate", 1.0)
        logs = {node_id: _log_of(node) for node_id, node in cluster.nodes.items()}
        shortest = min(map(len, logs.values()))
        assert shortest > 0
        assert len({log[:shortest] for log in logs.values()}) == 1


def _log_of(node: OwnNode) -> bytes:
    """Every byte below a node's watermark from the beginning, by one session."""
    ends = time.monotonic() + PATIENCE_S
    with Connection.open(LOOPBACK, node.port) as client:
        while True:
            opened = client.ask(FETCH, VERSION, _fetch(0, 0, _topic(0)))
            row = opened.responses[0].partitions[0]
            if row.error_code == 0 and b"somebody" in bytes(row.records):
                break
            assert time.monotonic() < ends, f"error {row.error_code} from node {node.node_id}"
        again = client.ask(FETCH, VERSION, _fetch(opened.session_id, 1))
        told = again.responses[0].partitions[0]
        assert bytes(told.records).startswith(bytes(row.records))
        return bytes(row.records)
