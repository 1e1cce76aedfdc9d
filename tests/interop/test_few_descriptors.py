"""Few file descriptors, and a peer that takes all it can: files, voters and metrics have theirs."""

from __future__ import annotations

import contextlib
import os
import re
import resource
import socket
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from metaquorum.base.errors import PeerError
from metaquorum.client.connection import Connection, ConnectionFailed
from tests.interop.hostile_target import wait_until
from tools.kafka.ports import LOOPBACK
from tools.own_cluster import OwnCluster
from tools.own_node import OwnNode
from tools.quota_writer import put_rates

ATTACKING = 5_000
PATIENCE_S = 60.0
ROWS = {
    "internal.metadata.log.segment.bytes": "60000",
    "metadata.log.max.record.bytes.between.snapshots": "100000",
}


def limited(most: int) -> str:
    """A program that starts a node with so many descriptors at most."""
    return (
        f"import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, ({most}, {most}))\n"
        "from metaquorum.cli.main import main\nmain()"
    )


@contextlib.contextmanager
def room_for(clients: int) -> Iterator[None]:
    """This process may have as many sockets."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, clients)), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def take_all(ports: list[int], clients: list[socket.socket], count: int) -> None:
    """Connect as often to each port in turn, and keep what there is."""
    for number in range(count):
        client = socket.socket()
        client.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            client.connect((LOOPBACK, ports[number % len(ports)]))
        clients.append(client)
        if number % 50 == 49:
            time.sleep(0.01)


@pytest.mark.parametrize("most", [256, 1_024, 4_096])
def test_who_takes_all_connections_starves_neither_disk_nor_voters(tmp_path: Path, most: int):
    with (
        room_for(ATTACKING + 1_000),
        contextlib.ExitStack() as stack,
        OwnCluster(tmp_path, properties=ROWS, with_metrics=True, program=limited(most)) as cluster,
    ):
        line = re.compile(rf" info descriptors limit={most} reserved=(\d+) connections=(\d+) ")
        for node in cluster.nodes.values():
            wait_until(lambda node=node: " started " in node.log_tail(200), PATIENCE_S)
            told = line.search(node.log_file.read_text())
            assert told is not None and int(told[1]) + int(told[2]) == most
        leader = cluster.wait_led()
        ports = [port for one in cluster.nodes.values() for port in (one.port, one.controller_port)]
        clients: list[socket.socket] = []
        stack.callback(lambda: [one.close() for one in clients])
        take_all(ports, clients, ATTACKING)
        assert descriptors_of(cluster.nodes[leader]) < most
        segments = segments_of(cluster.nodes[leader])
        grow(cluster.nodes[leader])
        take_all(ports, clients, 300)
        for node_id, node in cluster.nodes.items():
            wait_until(lambda one=node: segments_of(one) > segments, PATIENCE_S)
            wait_until(lambda one=node: has_snapshot(one), PATIENCE_S)
            assert scrape(cluster, node_id)
        cluster.nodes[leader].pause()
        others = [node_id for node_id in cluster.nodes if node_id != leader]
        successor = cluster.wait_led(others)
        cluster.nodes[leader].resume()
        grow(cluster.nodes[successor])
        for node in cluster.nodes.values():
            assert node.pid is not None, node.log_tail()
            assert "Too many open files" not in node.log_file.read_text()


def test_a_limit_that_is_too_low_is_refused_at_the_start(tmp_path: Path) -> None:
    node = OwnNode(tmp_path, program=limited(100))
    node.format()
    node.start()
    wait_until(lambda: node.pid is None)
    assert node.stop() == 1
    told = "the limit of open files (ulimit -n) is 100, and a node needs 160 at least"
    assert told in node.log_tail()


def test_a_node_with_more_segments_than_descriptors_refuses_to_start(tmp_path: Path) -> None:
    node = OwnNode(tmp_path, {"internal.metadata.log.segment.bytes": "4000"})
    node.format()
    node.start()
    node.wait_ready()
    while segments_of(node) < 170:
        grow(node)
    assert node.stop() == 0
    node.program = limited(256)
    node.start()
    wait_until(lambda: node.pid is None)
    assert node.stop() == 1
    assert "the limit of open files (ulimit -n) is 256, and" in node.log_tail()
    assert "Traceback" not in node.log_tail()


def test_connections_make_way_for_a_log_of_ever_more_segments(tmp_path: Path) -> None:
    node = OwnNode(tmp_path, {"internal.metadata.log.segment.bytes": "4000"}, program=limited(256))
    node.format()
    node.start()
    node.wait_ready()
    clients: list[socket.socket] = []
    with contextlib.ExitStack() as stack:
        stack.callback(lambda: [one.close() for one in clients])
        take_all([node.port], clients, 300)
        while segments_of(node) < 90:
            grow(node, 4)
            time.sleep(0.1)
        assert node.pid is not None, node.log_tail()
        assert descriptors_of(node) < 256
        wait_until(lambda: "makes way for files of logs" in node.log_file.read_text())
        assert node.stop() == 0


def descriptors_of(node: OwnNode) -> int:
    return len(os.listdir(f"/proc/{node.pid}/fd"))


def segments_of(node: OwnNode) -> int:
    return sum(one.name.endswith(".log") for one in node.metadata_directory.iterdir())


def has_snapshot(node: OwnNode) -> bool:
    names = (one.name for one in node.metadata_directory.iterdir())
    return any(re.fullmatch(r"0*[1-9]\d*-\d+\.checkpoint", one) for one in names)


def scrape(cluster: OwnCluster, node_id: int) -> bytes:
    url = f"http://{LOOPBACK}:{cluster.metrics_ports[node_id]}/metrics"
    with urllib.request.urlopen(url, timeout=5) as answer:
        told: bytes = answer.read()
    return told


def grow(node: OwnNode, batches: int = 40) -> None:
    """Write batches of a few KB; a connection to the controller is to be had in any case."""
    ends = time.monotonic() + PATIENCE_S
    while True:
        try:
            with Connection.open(LOOPBACK, node.controller_port) as connection:
                for part in range(batches):
                    users = [f"user-{part}-{number}" for number in range(100)]
                    put_rates(connection, users, float(time.monotonic_ns() // 1000))
            return
        except (ConnectionFailed, PeerError):
            if time.monotonic() > ends:
                raise
