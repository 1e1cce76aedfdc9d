"""Several of our servers as one quorum on loopback: formatted, started, stopped, asked."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from attrs import define, field

from metaquorum.base.errors import PeerError
from metaquorum.client.connection import ConnectionFailed, VersionsDoNotMeet
from tools.kafka.cluster import random_id
from tools.kafka.ports import LOOPBACK, free_ports
from tools.own_node import OwnNode, server_command
from tools.process import Cluster, ServerFailed, until
from tools.quorum_state import describe_leader

READY_TIMEOUT_S = 30.0


@define
class OwnCluster(Cluster[OwnNode]):
    """Voters (KIP-853) from ``first_id`` on in ``directory``, each in ``node-<id>`` below it.

    As a context manager it is formatted, started and led inside, and killed afterwards.
    ``server`` is the command that starts a node, ``program`` Python that stands in for it.
    """

    directory: Path
    voters: int = 3
    first_id: int = field(default=1, kw_only=True)
    properties: Mapping[str, str] = field(factory=dict)
    advertised_ports: Mapping[int, int] = field(factory=dict)
    with_metrics: bool = False
    server: Path = field(factory=server_command)
    program: str | None = None
    metrics_ports: dict[int, int] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        ids = range(self.first_id, self.first_id + self.voters)
        ports = dict(zip(ids, free_ports(self.voters), strict=True))
        advertised = {
            node_id: self.advertised_ports.get(node_id, ports[node_id]) for node_id in ids
        }
        if self.with_metrics:
            self.metrics_ports = dict(zip(ids, free_ports(self.voters), strict=True))
        cluster_id = random_id()
        initial = ",".join(f"{i}@{LOOPBACK}:{advertised[i]}:{random_id()}" for i in ids)
        bootstrap = ",".join(f"{LOOPBACK}:{advertised[i]}" for i in ids)
        for node_id in ids:
            self.nodes[node_id] = OwnNode(
                self.directory / f"node-{node_id}",
                {
                    "controller.quorum.bootstrap.servers": bootstrap,
                    **self._own_rows(node_id, advertised[node_id], ports[node_id]),
                    **self.properties,
                },
                node_id=node_id,
                cluster_id=cluster_id,
                voters=initial,
                controller_port=ports[node_id],
                server=self.server,
                program=self.program,
            )

    def _own_rows(self, node_id: int, advertised: int, port: int) -> dict[str, str]:
        rows = {}
        if advertised != port:
            rows["advertised.listeners"] = f"CONTROLLER://{LOOPBACK}:{advertised}"
        if self.with_metrics:
            rows["metrics.listener"] = f"{LOOPBACK}:{self.metrics_ports[node_id]}"
        return rows

    @property
    def controller_ports(self) -> dict[int, int]:
        """Where each node's controller listener really is."""
        return {node_id: node.controller_port for node_id, node in self.nodes.items()}

    @property
    def bootstrap_controllers(self) -> str:
        """What ``--bootstrap-controller`` takes."""
        return ",".join(f"{LOOPBACK}:{port}" for port in self.controller_ports.values())

    @property
    def bootstrap_servers(self) -> str:
        """What ``--bootstrap-server`` takes."""
        return ",".join(node.bootstrap_server for node in self.nodes.values())

    def format(self) -> None:
        """Format every node with the same voters, all at the same time."""
        with ThreadPoolExecutor() as threads:
            list(threads.map(OwnNode.format, self.nodes.values()))

    def start(self) -> None:
        """Start every node and wait until one leads."""
        for node in self.nodes.values():
            node.start()
        self.wait_led()

    def leader(self, among: Iterable[int] | None = None) -> int | None:
        """Who says of itself that it leads, None when nobody does."""
        for node_id in among if among is not None else self.nodes:
            if self.nodes[node_id].pid is None:
                continue
            with contextlib.suppress(ConnectionFailed, PeerError, VersionsDoNotMeet):
                if describe_leader(LOOPBACK, self.controller_ports[node_id]) == node_id:
                    return node_id
        return None

    def wait_led(
        self, among: Iterable[int] | None = None, timeout_s: float = READY_TIMEOUT_S
    ) -> int:
        """Wait until one of these leads; ServerFailed when none does in time."""
        asked = tuple(self.nodes if among is None else among)

        def look() -> int | None:
            if all(self.nodes[one].pid is None for one in asked):
                raise ServerFailed(f"all have ended:\n{self.nodes[asked[0]].log_tail()}")
            return self.leader(asked)

        return until(look, lambda: f"nobody leads:\n{self.log_tails(asked)}", timeout_s)

    def stop(self) -> None:
        """Tell all to stop, then wait for each: one after the other they would elect in between."""
        for node_id in self.nodes:
            self.signal(node_id, signal.SIGTERM)
        for node in self.nodes.values():
            node.stop()
