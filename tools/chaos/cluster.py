"""Several of our processes as one quorum, and what may be done to each of them."""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path
from typing import Any

from attrs import define, field

from metaquorum.base.errors import PeerError
from metaquorum.client.connection import ConnectionFailed, VersionsDoNotMeet
from tools.chaos.network import Network, NodeId
from tools.kafka.cluster import random_id
from tools.own_node import OwnNode
from tools.process import until
from tools.quorum_state import describe_partition

PATIENCE_S = 90.0
POLL_S = 0.05
ANSWER_MS = 1_000
TIMES = {
    # Short, so that a run sees many elections; long beside what a busy machine takes.
    "controller.quorum.election.timeout.ms": "400",
    "controller.quorum.fetch.timeout.ms": "800",
    "controller.quorum.election.backoff.max.ms": "300",
    "controller.quorum.request.timeout.ms": "1000",
}
UNREACHABLE = (ConnectionFailed, PeerError, VersionsDoNotMeet)


class ClusterStuck(Exception):
    """What had to come in time did not; the message says what, and ends with the nodes' logs."""


@define(eq=False)
class ChaosCluster:
    """Nodes 1 to ``count``. ``lives`` counts the processes that each has been."""

    directory: Path
    count: int
    network: Network
    nodes: dict[NodeId, OwnNode] = field(factory=dict)
    lives: dict[NodeId, int] = field(factory=dict)
    frozen: list[NodeId] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        ids = range(1, self.count + 1)
        addresses = {node: self.network.voter_address(node) for node in ids}
        voters = ",".join(f"{node}@{place}:{random_id()}" for node, place in addresses.items())
        cluster_id = random_id()
        for node in ids:
            listeners, advertised = self.network.listeners(node)
            self.nodes[node] = OwnNode(
                self.directory / f"node-{node}",
                {
                    **TIMES,
                    "controller.quorum.bootstrap.servers": ",".join(addresses.values()),
                    "listeners": listeners,
                    "advertised.listeners": advertised,
                },
                node_id=node,
                cluster_id=cluster_id,
                voters=voters,
                command_prefix=self.network.command_prefix(node),
            )
            self.lives[node] = 0

    def start_all(self) -> None:
        """Format every directory and start every node."""
        for process in self.nodes.values():
            process.format()
        for node in self.nodes:
            self.start(node)

    def start(self, node: NodeId) -> None:
        """Start a process; it is another life."""
        self.lives[node] += 1
        self.network.started(node)
        self.nodes[node].start()

    def kill(self, node: NodeId) -> None:
        """SIGKILL."""
        self.nodes[node].kill()
        self.network.ended(node)

    def stop(self, node: NodeId) -> None:
        """SIGTERM and wait; raises ClusterStuck unless it ends with exit code 0."""
        code = self.nodes[node].stop()
        self.network.ended(node)
        if code != 0:
            raise ClusterStuck(f"node {node} ended with {code}\n{self.nodes[node].log_tail()}")

    def freeze(self, node: NodeId) -> None:
        """SIGSTOP."""
        self._signal(node, signal.SIGSTOP)
        self.frozen.append(node)

    def thaw_all(self) -> None:
        """SIGCONT to the nodes that were frozen."""
        for node in self.frozen:
            self._signal(node, signal.SIGCONT)
        self.frozen.clear()

    def _signal(self, node: NodeId, number: signal.Signals) -> None:
        pid = self.nodes[node].pid
        if pid is None:
            raise ClusterStuck(f"node {node} ended by itself\n{self.nodes[node].log_tail()}")
        os.kill(pid, number)

    def mend(self) -> None:
        """Every way open, every process awake and running; ClusterStuck if one ended by itself."""
        self.thaw_all()
        self.network.heal()
        for node, process in self.nodes.items():
            if process.pid is None:
                self.start(node)

    def all_alive(self) -> None:
        """Raise ClusterStuck unless every process runs."""
        for node, process in self.nodes.items():
            if process.pid is None:
                raise ClusterStuck(f"node {node} ended by itself\n{process.log_tail()}")

    def leader(self) -> NodeId:
        """Wait for a node that says it leads with a known watermark; the newest epoch's counts."""
        return until(self._newest_leader, lambda: f"no leader\n{self.log_tails()}", PATIENCE_S)

    def _newest_leader(self) -> NodeId | None:
        claims: list[tuple[int, NodeId]] = []
        for node, process in self.nodes.items():
            if process.pid is None or node in self.frozen:
                continue
            part = self.ask_quorum(node)
            if part is not None and part.leader_id == node and part.high_watermark >= 0:
                claims.append((part.leader_epoch, node))
        return max(claims)[1] if claims else None

    def ask_quorum(self, node: NodeId) -> Any | None:
        """The partition of DescribeQuorum as this node answers it; None when it does not."""
        with contextlib.suppress(*UNREACHABLE):
            return describe_partition(*self.network.client_address(node), ANSWER_MS)
        return None

    def end(self) -> None:
        """Let nothing run on."""
        self.thaw_all()
        for node in self.nodes.values():
            node.kill()

    def log_tails(self) -> str:
        """The last lines of each node's log."""
        return "\n".join(
            f"--- node {node}\n{process.log_tail(15)}"
            for node, process in self.nodes.items()
            if process.log_file.exists()
        )
