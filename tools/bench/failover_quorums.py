"""The two quorums of ``failover.py``: how each is started, hurt and mended."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from attrs import define

from metaquorum.base.errors import PeerError
from metaquorum.client.connection import ConnectionFailed
from metaquorum.testing.proxy import Passage, ProxyThread, Weather
from tools.chaos.network import client_ids
from tools.kafka import KafkaCluster
from tools.kafka.node import KafkaNode
from tools.kafka.ports import LOOPBACK, free_ports
from tools.own_cluster import OwnCluster
from tools.own_node import OwnNode
from tools.process import until
from tools.quorum_state import describe_partition

CAUGHT_UP_S = 60.0
POLL_S = 0.05
SIGNALS = {
    "killed": signal.SIGKILL,
    "frozen": signal.SIGSTOP,
    "stopped": signal.SIGTERM,
}


VOTERS = (1, 2, 3)
OURS, KAFKAS = "metaquorum", "Kafka 4.3.1"


@define
class Quorum:
    """Three processes; a proxy stands between them where one is to be cut off."""

    name: str
    nodes: Mapping[int, OwnNode] | Mapping[int, KafkaNode]
    ports: dict[int, int]
    proxy: ProxyThread | None = None

    def hurt(self, node_id: int, fault: str) -> None:
        """Do it, at once."""
        if self.proxy is not None:
            cut_off(self.proxy, node_id)
        else:
            os.kill(self._pid(node_id), SIGNALS[fault])

    def mend(self, node_id: int, fault: str) -> None:
        """Undo it, until the node follows again."""
        node = self.nodes[node_id]
        began_ms = time.time_ns() // 1_000_000
        if self.proxy is not None:
            self.proxy.call(self.proxy.proxy.clear_weather)
        elif fault == "frozen":
            os.kill(self._pid(node_id), signal.SIGCONT)
        else:
            if fault == "killed":
                node.kill()
            else:
                node.stop()
            node.start()
        until(
            lambda: any(all_follow(port, began_ms) for port in self.ports.values()),
            f"the voters of {self.name} do not catch up",
            CAUGHT_UP_S,
        )

    def _pid(self, node_id: int) -> int:
        pid = self.nodes[node_id].pid
        if pid is None:
            raise SystemExit(f"node {node_id} of {self.name} has ended by itself")
        return pid


def all_follow(port: int, since_ms: int) -> bool:
    """Whether this controller leads, and every voter has fetched since then and is close by."""
    try:
        part = describe_partition(LOOPBACK, port)
    except (ConnectionFailed, PeerError):
        return False
    if part is None or part.high_watermark < 0 or len(part.current_voters) < len(VOTERS):
        return False
    return all(
        voter.log_end_offset >= part.high_watermark - 1 and voter.last_fetch_timestamp > since_ms
        for voter in part.current_voters
    )


@contextlib.contextmanager
def our_quorum(directory: Path, *, to_cut: bool) -> Iterator[Quorum]:
    """Three of our servers with Kafka's defaults: formatted, started and led inside."""
    with _proxied(to_cut) as (proxy, advertised):
        cluster = OwnCluster(directory, advertised_ports=advertised)
        _serve(proxy, advertised, cluster.controller_ports)
        with cluster:
            yield Quorum(OURS, cluster.nodes, cluster.controller_ports, proxy)


@contextlib.contextmanager
def kafkas_quorum(directory: Path, *, to_cut: bool) -> Iterator[Quorum]:
    """Three controllers of Apache Kafka, the same."""
    with _proxied(to_cut) as (proxy, advertised):
        cluster = KafkaCluster(directory, brokers=0, advertised_controller_ports=advertised)
        _serve(proxy, advertised, cluster.controller_ports)
        with cluster:
            yield Quorum(KAFKAS, cluster.nodes, cluster.controller_ports, proxy)


@contextlib.contextmanager
def _proxied(to_cut: bool) -> Iterator[tuple[ProxyThread | None, dict[int, int]]]:
    if not to_cut:
        yield None, {}
        return
    with ProxyThread().running() as proxy:
        yield proxy, dict(zip(VOTERS, free_ports(len(VOTERS)), strict=True))


def _serve(
    proxy: ProxyThread | None, advertised: Mapping[int, int], ports: Mapping[int, int]
) -> None:
    if proxy is not None:
        for node_id, port in ports.items():
            proxy.open_listener(str(node_id), advertised[node_id], port)


def cut_off(proxy: ProxyThread, node_id: int) -> None:
    """From now on nothing reaches this node and nothing leaves it; its connections stay open.

    What is held meanwhile flows again in fair weather, as TCP would have sent it again.
    """
    held = Weather(Passage.HELD, Passage.HELD)
    proxy.call(proxy.proxy.set_weather, None, str(node_id), held)
    for other in VOTERS:
        for name in client_ids(node_id):
            proxy.call(proxy.proxy.set_weather, name, str(other), held)
