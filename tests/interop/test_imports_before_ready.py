"""After a node has said that it is ready it imports nothing more: that would take a descriptor."""

from __future__ import annotations

import contextlib
import re
import socket
import time
import urllib.error
import urllib.request
from pathlib import Path

from metaquorum.client.connection import Connection
from metaquorum.server.contract.api import API_ROWS
from metaquorum.testing import golden
from metaquorum.testing.schemas import message
from metaquorum.wire.generated.index import APIS
from tests.interop.hostile_target import wait_until
from tools.kafka.ports import LOOPBACK
from tools.own_cluster import OwnCluster
from tools.own_node import OwnNode
from tools.quota_writer import put_rates

PATIENCE_S = 30.0
ANSWER_S = 0.1  # some requests wait for longer, and nobody needs their answers here
IMPORTS = "imports"
PROGRAM = f"""
import os, sys
out = os.open("{IMPORTS}", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
def watch(event, arguments):
    if event == "import":
        os.write(out, arguments[0].encode() + b"\\n")
sys.addaudithook(watch)
from metaquorum.cli.main import main
main()
"""
ROWS = {
    "internal.metadata.log.segment.bytes": "60000",
    "metadata.log.max.record.bytes.between.snapshots": "100000",
}


def test_a_node_that_is_ready_imports_nothing_more(tmp_path: Path) -> None:
    with OwnCluster(tmp_path, properties=ROWS, with_metrics=True, program=PROGRAM) as cluster:
        for node_id, node in cluster.nodes.items():
            wait_until(lambda node=node: " started " in node.log_tail(200), PATIENCE_S)
            wait_until(lambda one=node_id: is_ready(cluster, one), PATIENCE_S)
        before = {node_id: imported(node) for node_id, node in cluster.nodes.items()}
        for node in cluster.nodes.values():
            use_every_api(node)
        leader = cluster.wait_led()
        grow(cluster.nodes[leader])
        for node_id, node in cluster.nodes.items():
            wait_until(lambda node=node: has_rolled_and_written_a_snapshot(node), PATIENCE_S)
            scrape(cluster, node_id)
        cluster.nodes[leader].pause()
        others = [node_id for node_id in cluster.nodes if node_id != leader]
        successor = cluster.wait_led(others)
        cluster.nodes[leader].resume()
        grow(cluster.nodes[successor])
        time.sleep(1)
        for node_id, node in cluster.nodes.items():
            assert node.pid is not None, node.log_tail()
            assert imported(node)[len(before[node_id]) :] == []


def imported(node: OwnNode) -> list[str]:
    """What it has imported since its start."""
    return (node.directory / IMPORTS).read_text().split()


def is_ready(cluster: OwnCluster, node_id: int) -> bool:
    url = f"http://{LOOPBACK}:{cluster.metrics_ports[node_id]}/readyz"
    with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=5) as answer:
        return bool(answer.status == 200)
    return False


def scrape(cluster: OwnCluster, node_id: int) -> None:
    for page in ("metrics", "livez?verbose", "readyz?verbose", "explain"):
        url = f"http://{LOOPBACK}:{cluster.metrics_ports[node_id]}/{page}"
        with contextlib.suppress(urllib.error.HTTPError):  # not ready amid an election
            urllib.request.urlopen(url, timeout=5).close()


def use_every_api(node: OwnNode) -> None:
    """Each in each version, filled and empty; what it answers is not the matter here."""
    for port in (node.port, node.controller_port):
        for api_row in API_ROWS:
            for frame in golden.frames(message(f"{api_row.name}Request")):
                if api_row.lowest <= frame.version <= api_row.highest:
                    ask(port, api_row.key, frame.version, frame.data)


def ask(port: int, key: int, version: int, body: bytes) -> None:
    head = key.to_bytes(2, "big") + version.to_bytes(2, "big") + bytes(4) + b"\xff\xff"
    if APIS[key].is_flexible(version):
        head += b"\0"
    with socket.create_connection((LOOPBACK, port), 5) as client:
        client.settimeout(ANSWER_S)
        client.sendall((len(head) + len(body)).to_bytes(4, "big") + head + body)
        with contextlib.suppress(OSError):
            client.recv(65_536)


def grow(node: OwnNode) -> None:
    """Write some hundred KB, in batches of a few KB."""
    with Connection.open(LOOPBACK, node.controller_port) as connection:
        for part in range(40):
            put_rates(connection, [f"user-{part}-{number}" for number in range(100)])


def has_rolled_and_written_a_snapshot(node: OwnNode) -> bool:
    names = [one.name for one in node.metadata_directory.iterdir()]
    snapshots = [one for one in names if re.fullmatch(r"0*[1-9]\d*-\d+\.checkpoint", one)]
    return bool(snapshots) and sum(one.endswith(".log") for one in names) > 1
