"""Three controllers, each of the kind that is asked for, under load, and what is done to them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import define, field

from metaquorum.base.errors import PeerError
from metaquorum.base.ids import uuid_text
from metaquorum.client.connection import ConnectionFailed, VersionsDoNotMeet
from tools.kafka.cluster import random_id
from tools.kafka.ports import LOOPBACK, free_ports
from tools.kafka.tool import ToolResult
from tools.mixed.audit import audited
from tools.mixed.load import QuotaLoad
from tools.mixed.node import KAFKA, Kind, MixedNode, is_ours
from tools.process import Cluster, ServerFailed, T, until
from tools.quorum_state import describe_partition

PATIENCE_S = 60.0
POLL_S = 0.05
ANSWER_MS = 1_000
TRIES = 12  # each is won every other time


@define(eq=False)
class MixedQuorum(Cluster[MixedNode]):
    """Voters 1, 2, 3 of the given kinds, each formatted by its own side's tool.

    The voters stand in the log (KIP-853), or with ``static`` in the configuration. ``release`` is
    what they are formatted for, by itself that of the oldest of Kafka's among them. Nodes that join
    later may do so at ``later_ports``, which are bootstrap servers of all from the beginning.

    As a context manager it is formatted, started, led and written to inside, and gone afterwards;
    ``on_formatted`` is called between the first two. ``end`` closes a run in order and returns
    what the audit finds; it calls ``on_ending`` before it stops the nodes.
    """

    directory: Path
    kinds: Sequence[Kind]
    warm_tool: Callable[..., ToolResult]
    properties: Mapping[str, str] = field(factory=dict)
    own_properties: Mapping[int, Mapping[str, str]] = field(factory=dict, kw_only=True)
    advertised_ports: Mapping[int, int] = field(factory=dict)
    static: bool = False
    later_ports: Sequence[int] = field(default=(), kw_only=True)
    release: str | None = field(default=None, kw_only=True)
    on_formatted: Callable[[MixedQuorum], None] = field(default=lambda quorum: None)
    on_ending: Callable[[], None] = field(default=lambda: None)
    load: QuotaLoad = field(init=False)
    initial_voters: str = field(init=False)
    _cluster_id: str = field(factory=random_id, init=False)
    _bootstrap: str = field(default="", init=False)
    _last_id: int = field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        self.load = QuotaLoad(self.leader_port)
        ports = free_ports(len(self.kinds))
        ids = range(1, len(self.kinds) + 1)
        description = [
            self.advertised_ports.get(one, port) for one, port in zip(ids, ports, strict=True)
        ]
        self._bootstrap = ",".join(f"{LOOPBACK}:{port}" for port in description)
        for node_id, port, kind in zip(ids, ports, self.kinds, strict=True):
            self.nodes[node_id] = self._node(node_id, port, kind)

        self.initial_voters = ",".join(
            f"{node.node_id}@{LOOPBACK}:{node.reached_at}:{random_id()}"
            for node in self.nodes.values()
        )

    def _node(self, node_id: int, port: int, kind: Kind) -> MixedNode:
        return MixedNode(
            self.directory / f"node-{node_id}",
            node_id,
            kind,
            self._cluster_id,
            port,
            {**self._whom(), **self.properties, **self.own_properties.get(node_id, {})},
            self.warm_tool,
            self.advertised_ports.get(node_id, 0),
        )

    def _whom(self) -> dict[str, str]:
        if not self.static:
            return {"controller.quorum.bootstrap.servers": self.bootstrap_servers}
        places = enumerate(self._bootstrap.split(","), start=1)
        return {"controller.quorum.voters": ",".join(f"{one}@{place}" for one, place in places)}

    @property
    def bootstrap_servers(self) -> str:
        """``controller.quorum.bootstrap.servers`` of every node, and of brokers."""
        return ",".join([self._bootstrap, *(f"{LOOPBACK}:{one}" for one in self.later_ports)])

    @property
    def bootstrap_controllers(self) -> str:
        """What ``--bootstrap-controller`` takes: the nodes that answer."""
        return ",".join(
            f"{LOOPBACK}:{node.controller_port}" for node in self.nodes.values() if node.answers
        )

    def format(self) -> None:
        """Give all three the same voters."""
        initial = () if self.static else ("--initial-controllers", self.initial_voters)
        release = self.release or release_for(self.kinds)
        for node in self.nodes.values():
            node.format(*initial, *(("--release-version", release) if release else ()))

    def start(self) -> None:
        """Start all three, and the load on them."""
        self.on_formatted(self)
        for node in self.nodes.values():
            node.start()
        self.wait_led()
        for node_id in self.nodes:
            self.caught_up(node_id)
        self.load.start()
        self.written(1)

    def kill(self) -> None:
        """End the load and whatever still runs."""
        self.load.stop()
        super().kill()

    def of(self, kind: Kind) -> list[int]:
        """The ids of the nodes of a kind."""
        return [node.node_id for node in self.nodes.values() if node.kind == kind]

    def others(self, *without: int) -> list[int]:
        """The ids of all nodes but these."""
        return [one for one in self.nodes if one not in without]

    def description(self, node_id: int) -> Any:
        """DescribeQuorum as this node answers it, None when it does not or knows no leader."""
        node = self.nodes.get(node_id)  # the load asks while nodes come and go
        if node is None or not node.answers:
            return None
        with contextlib.suppress(ConnectionFailed, PeerError, VersionsDoNotMeet):
            return describe_partition(LOOPBACK, node.controller_port, ANSWER_MS)
        return None

    def leader(self, among: Collection[int] | None = None) -> int | None:
        """Who says of itself that it leads and knows what is committed; None for nobody."""
        for node_id in list(self.nodes) if among is None else among:
            part = self.description(node_id)
            if part is not None and part.leader_id == node_id and part.high_watermark >= 0:
                return node_id
        return None

    def leader_port(self) -> int | None:
        """Where others reach the leader."""
        leader = self.leader()
        node = None if leader is None else self.nodes.get(leader)
        return None if node is None else node.reached_at

    def wait_led(self, among: Collection[int] | None = None) -> int:
        """Wait until one of these leads."""
        return int(self.until(lambda: self.leader(among), "no leader"))

    def until(self, look: Callable[[], T | None], what: str) -> T:
        """Wait until ``look`` returns something true, and return that."""
        return until(look, lambda: f"{what}\n{self.log_tails()}", PATIENCE_S, POLL_S)

    def lead_by(self, wanted: Collection[int]) -> int:
        """Stop and start leaders, in order, until one of these leads; who.

        Ours are always first to stand. One of Kafka's leads among them once the others of ours have
        missed some writes and the leader is gone at once.
        """
        for _ in range(TRIES):
            leader = self.wait_led()
            if leader in wanted:
                return leader
            among_ours = self.nodes[leader].is_ours
            behind = self.others(leader, *wanted) if among_ours else []
            for one in behind:
                self.nodes[one].stop()
            if behind:
                self.written()
                self.nodes[leader].kill()
            else:
                self.nodes[leader].stop()
            for one in behind:
                self.nodes[one].start()
            found = self.wait_led(self.others(leader))
            self.nodes[leader].start()
            self.caught_up(leader)
            for one in behind:
                self.caught_up(one)
            if found in wanted and self.leader() == found:
                return found
        raise ServerFailed(f"none of {wanted} led in {TRIES} elections\n{self.log_tails()}")

    def join(self, kind: Kind, port: int | None = None) -> int:
        """Format and start one more node, an observer; its id, which nobody had before."""
        node_id = max(*self.nodes, self._last_id) + 1
        self._last_id = node_id
        node = self._node(node_id, free_ports(1)[0] if port is None else port, kind)
        node.format("--no-initial-controllers")
        node.start()
        self.nodes[node_id] = node
        self.caught_up(node_id)
        return node_id

    def voters(self) -> dict[int, str]:
        """Id and directory id of each voter, as the leader tells them."""
        leader = self.wait_led()
        part = self.until(lambda: self.description(leader), "the leader does not answer")
        return {one.replica_id: uuid_text(one.replica_directory_id) for one in part.current_voters}

    def leave(self, node_id: int) -> int:
        """Stop a node that does not vote any more, for good; the port that it had."""
        node = self.nodes.pop(node_id)
        node.stop()
        return node.controller_port

    def add_voter(self, node_id: int, tool: Callable[..., ToolResult]) -> None:
        """Add an observer to the voters by ``kafka-metadata-quorum`` or by our likes of it."""
        node = self.nodes[node_id]
        config = ("--command-config", node.config_file)
        self._changed(tool, *config, "add-controller")
        if self.voters().get(node_id) != node.directory_id:
            self._deferred_replies(
                lambda: self.voters().get(node_id) == node.directory_id,
                f"node {node_id} was added and does not vote",
            )

    def remove_voter(self, node_id: int, tool: Callable[..., ToolResult]) -> None:
        """Remove a voter under the directory id that it votes with, likewise."""
        directory_id = self.voters()[node_id]
        self._changed(
            tool,
            *("remove-controller", "--controller-id", str(node_id)),
            *("--controller-directory-id", directory_id),
        )
        if node_id in self.voters():
            self._deferred_replies(
                lambda: node_id not in self.voters(), f"node {node_id} was removed and votes"
            )

    def _deferred_replies(self, look: Callable[[], bool], what: str) -> None:
        """A leader of Kafka's may tell of the voters as they were, a moment after it said that
        they are others now; one of ours may not.
        """
        if self.nodes[self.wait_led()].is_ours:
            raise ServerFailed(f"{what}\n{self.log_tails()}")
        self.until(look, what)

    def _changed(self, tool: Callable[..., ToolResult], *words: str | Path) -> None:
        done = tool("--bootstrap-controller", self.bootstrap_controllers, *words)
        if done.exit_code != 0:
            raise ServerFailed(f"{done.stdout}{done.stderr}\n{self.log_tails()}")

    def replace_disk(self, node_id: int, tool: Callable[..., ToolResult]) -> None:
        """A voter loses its disk, is removed, and comes back under another directory id."""
        node = self.nodes[node_id]
        node.kill()
        node.wipe()
        self.remove_voter(node_id, tool)
        node.format("--no-initial-controllers")
        node.start()
        self.caught_up(node_id)
        self.add_voter(node_id, tool)

    def caught_up(self, node_id: int) -> None:
        """Wait until a node is registered and has what was committed when this was called.

        The leader knows then that it had its whole log once, so it may be added as a voter.
        """
        self.until(lambda: self.nodes[node_id].is_registered, f"node {node_id} is not registered")
        leader = self.wait_led()
        target = self.description(leader)
        wanted = 0 if target is None else target.high_watermark

        def has_it() -> bool:
            now = self.leader()
            part = None if now is None else self.description(now)
            if part is None:
                return False
            replicas = [*part.current_voters, *part.observers]
            return any(
                one.replica_id == node_id
                and one.log_end_offset >= wanted
                and one.last_caught_up_timestamp >= 0
                for one in replicas
            )

        self.until(has_it, f"node {node_id} is not at {wanted}")

    def written(self, count: int = 10) -> None:
        """Wait for so many acknowledged writes that begin from now on."""
        self.load.wait_for(count, self.log_tails)

    def end(self) -> list[str]:
        """End the load, let all nodes catch up, stop them, and audit what they leave behind."""
        self.load.stop()
        for node_id in self.nodes:
            self.caught_up(node_id)
        committed = self.until(self._committed, "the end is not committed")
        self.on_ending()
        self._stop_all()
        return audited(list(self.nodes.values()), self.load.operations, committed)

    def _stop_all(self) -> None:
        """In order, so that no node of Kafka's is stopped while it leads and none can follow.

        It would wait five seconds for a successor and log an error. Its own vote is not to be
        counted on: it may have a record that nobody else has, as it writes one every half second.
        So its leader goes first; who leads after that and has no majority beside it is killed.
        """
        leading = self.leader()
        kafkas = [one for one in self.nodes if not self.nodes[one].is_ours]
        for node_id in sorted(kafkas, key=lambda one: one != leading):
            ready = [one for one in self.others(node_id) if self.nodes[one].is_up]
            if self._is_majority(ready) or (
                self._is_majority([*ready, node_id]) and self.wait_led([*ready, node_id]) != node_id
            ):
                self.nodes[node_id].stop()
        for node in self.nodes.values():
            if node.is_ours:
                node.stop()
            node.kill()

    def _is_majority(self, some: Collection[int]) -> bool:
        return 2 * len(some) > len(self.nodes)

    def _committed(self) -> int | None:
        """A high watermark that every node's log has reached."""
        leader = self.leader()
        part = None if leader is None else self.description(leader)
        if part is None:
            return None
        ends: dict[int, int] = {}
        for one in [*part.current_voters, *part.observers]:  # under each directory id that it had
            ends[one.replica_id] = max(one.log_end_offset, ends.get(one.replica_id, -1))
        reached = all(ends.get(node_id, -1) >= part.high_watermark for node_id in self.nodes)
        return int(part.high_watermark) if reached else None


def release_for(kinds: Sequence[Kind]) -> str | None:
    """What all nodes must be formatted for, so that the oldest release among them can follow; None
    where that is what the tools take by themselves.
    """
    releases = [tuple(map(int, kind.split("."))) for kind in (*kinds, KAFKA) if not is_ours(kind)]
    oldest = ".".join(map(str, min(releases)))
    return None if oldest == KAFKA else oldest.rpartition(".")[0]
