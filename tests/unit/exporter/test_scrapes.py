"""Scrapes of a running exporter, whose readers wait for a network that answers or does not."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from metaquorum.config.listeners import HostPort
from metaquorum.observe.openmetrics import Exposition
from metaquorum.server.sockets.metrics_http import converse, metrics_sockets
from tests.unit.client.fake_quorum import FakeQuorum
from tests.unit.exporter.exported_quorum import Exported
from tests.unit.exporter.small_cluster import LOG

OPENMETRICS = b"Accept: application/openmetrics-text; version=1.0.0\r\n"
PATIENCE_S = 20


@asynccontextmanager
async def running(one: Exported) -> AsyncIterator[None]:
    """Its readers in their threads, and its listener."""
    listeners = await metrics_sockets(HostPort("127.0.0.1", 0))
    async with trio.open_nursery() as nursery:
        await nursery.start(one.exporter.run, listeners)
        try:
            yield
        finally:
            nursery.cancel_scope.cancel()


async def asked(one: Exported, target: str, accept: bytes = OPENMETRICS) -> tuple[str, str]:
    """The head and the body of an answer."""
    ours, theirs = trio.testing.memory_stream_pair()
    said = bytearray()
    exporter = one.exporter
    async with trio.open_nursery() as nursery:
        nursery.start_soon(converse, theirs, Exposition(exporter), exporter.health(), None)
        request = f"GET {target} HTTP/1.1\r\nHost: h\r\n".encode()
        await ours.send_all(request + accept + b"\r\n")
        await ours.send_eof()
        async for part in ours:
            said += part
    head, _, body = bytes(said).partition(b"\r\n\r\n")
    return head.decode(), body.decode()


class Gate:
    """A network that keeps everybody waiting until it opens."""

    def __init__(self) -> None:
        self.opens = threading.Event()
        self.asked = threading.Event()

    def __call__(self, count: int) -> None:
        self.asked.set()
        assert self.opens.wait(PATIENCE_S)


def held_back() -> tuple[Exported, Gate]:
    """An exporter whose connections do not come about; its pauses are real."""
    one, gate = Exported(FakeQuorum.of(3, log=list(LOG), high_watermark=8)), Gate()
    one.quorum.at_open = gate
    readers = one.readers
    readers.poller.wait = readers.follower.wait = readers.stopping.wait
    return one, gate


async def test_a_scrape_does_not_wait_for_the_network() -> None:
    one, gate = held_back()
    async with running(one):
        await trio.to_thread.run_sync(gate.asked.wait, PATIENCE_S)
        with trio.fail_after(PATIENCE_S / 2):
            head, body = await asked(one, "/metrics")
            readiness, _ = await asked(one, "/readyz")
            liveness, _ = await asked(one, "/livez")
        assert head.startswith("HTTP/1.1 200 ")
        assert 'metaquorum_exporter_source_up{source="log"} 0.0' in body
        assert readiness.startswith("HTTP/1.1 503 ")
        assert liveness.startswith("HTTP/1.1 200 ")
        gate.opens.set()
        with trio.fail_after(PATIENCE_S):
            while not one.exporter.health().readyz().is_well:
                await trio.to_thread.run_sync(one.readers.stopping.wait, 0.01)
        head, body = await asked(one, "/metrics")
        assert "kafka_controller_kafkacontroller_globaltopiccount 1.0" in body


@pytest.mark.parametrize("accept", [OPENMETRICS, b""])
async def test_the_text_is_the_one_that_was_asked_for(accept: bytes) -> None:
    one = Exported(FakeQuorum.of(3, log=list(LOG), high_watermark=8))
    one.readers.poller.poll()
    one.follow(4)
    head, body = await asked(one, "/metrics", accept)
    assert ("openmetrics-text" in head) == bool(accept)
    assert "# TYPE kafka_server_raft_metrics_current_epoch gauge" in body
    if accept:
        names = {family.name for family in text_string_to_metric_families(body)}
        assert {family.name for family in one.exporter.families()} <= names


async def test_an_exporter_has_no_changes_of_role_to_explain() -> None:
    one = Exported(FakeQuorum.of(1, log=list(LOG), high_watermark=8))
    head, _ = await asked(one, "/explain")
    assert head.startswith("HTTP/1.1 404 ")
    _, index = await asked(one, "/")
    assert "explain" not in index
