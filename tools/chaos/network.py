"""How the nodes of a cluster reach each other, and how that goes wrong: through a proxy each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Protocol

from attrs import define, field

from metaquorum.testing.proxy import Ending, Passage, ProxyThread, Weather
from tools.kafka.ports import LOOPBACK, free_ports

NodeId = int


class Network(Protocol):
    """Where nodes listen, and what can be done to the ways between them."""

    name: str

    def listeners(self, node: NodeId) -> tuple[str, str]:
        """``listeners`` and ``advertised.listeners`` of a node."""

    def client_address(self, node: NodeId) -> tuple[str, int]:
        """Where clients reach a node, whatever happens between the nodes."""

    def voter_address(self, node: NodeId) -> str:
        """Where the other voters reach it, as ``host:port``."""

    def command_prefix(self, node: NodeId) -> tuple[str, ...]:
        """The words before the command that starts it."""

    def started(self, node: NodeId) -> None:
        """Its process was just started."""

    def ended(self, node: NodeId) -> None:
        """Its process is gone."""

    def cut(self, source: NodeId, target: NodeId) -> None:
        """Nothing that ``source`` sends reaches ``target`` until ``heal``."""

    def heal(self) -> None:
        """Every way is open again."""

    def ways_to_disturb(self) -> Sequence[str]:
        """Names for ``disturb``, beyond cuts."""

    def disturb(self, way: str, victim: NodeId, others: Sequence[NodeId], chance: Random) -> None:
        """Spoil the ways between ``victim`` and the others in the named way, until ``heal``."""

    def fired(self) -> dict[str, int]:
        """How often each fault of the network really happened."""

    def pairs_seen(self) -> set[tuple[str, str]]:
        """Which client reached which node, by the names that clients give; where that is known."""


@define(eq=False)
class ProxyNetwork:
    """Everything on loopback; before each node's controller listener stands a proxy."""

    count: int
    thread: ProxyThread
    name: str = "proxy"
    _client_ports: dict[NodeId, int] = field(factory=dict)
    _own_ports: dict[NodeId, int] = field(factory=dict)
    _ports: dict[NodeId, int] = field(factory=dict)
    _weather: dict[tuple[NodeId, NodeId], Weather] = field(factory=dict)

    @classmethod
    @contextmanager
    def laid(cls, count: int, seed: int) -> Iterator[ProxyNetwork]:
        """The network with a proxy for each node that lets nothing through."""
        with ProxyThread(seed).running() as thread:
            network = cls(count, thread)
            ports = iter(free_ports(3 * count))
            for node in range(1, count + 1):
                network._client_ports[node] = next(ports)
                network._own_ports[node] = next(ports)
                network._ports[node] = thread.open_listener(
                    str(node), next(ports), network._own_ports[node]
                )
                network.ended(node)
            yield network

    def listeners(self, node: NodeId) -> tuple[str, str]:
        clients = f"PLAINTEXT://{LOOPBACK}:{self._client_ports[node]}"
        return (
            f"{clients},CONTROLLER://{LOOPBACK}:{self._own_ports[node]}",
            f"{clients},CONTROLLER://{LOOPBACK}:{self._ports[node]}",
        )

    def client_address(self, node: NodeId) -> tuple[str, int]:
        return LOOPBACK, self._client_ports[node]

    def voter_address(self, node: NodeId) -> str:
        return f"{LOOPBACK}:{self._ports[node]}"

    def command_prefix(self, node: NodeId) -> tuple[str, ...]:
        return ()

    def started(self, node: NodeId) -> None:
        self.thread.wait_for(self.thread.proxy.reopen_listener, str(node))

    def ended(self, node: NodeId) -> None:
        self.thread.call(self.thread.proxy.close_listener, str(node))

    def cut(self, source: NodeId, target: NodeId) -> None:
        """Requests from source to target, and answers of target's to source's, are two ways."""
        self._set(source, target, there=Passage.HELD)
        self._set(target, source, back=Passage.HELD)

    def _set(
        self,
        client: NodeId,
        target: NodeId,
        *,
        there: Passage | None = None,
        back: Passage | None = None,
        delay_ms: float = 0.0,
    ) -> None:
        before = self._weather.get((client, target), Weather())
        weather = Weather(there or before.there, back or before.back, delay_ms, delay_ms)
        self._weather[client, target] = weather
        for name in client_ids(client):
            self.thread.call(self.thread.proxy.set_weather, name, str(target), weather)

    def heal(self) -> None:
        self._weather.clear()
        self.thread.call(self.thread.proxy.clear_weather)

    def ways_to_disturb(self) -> Sequence[str]:
        return (*(how.value for how in Ending), "delay", "black-hole", "lost-answers")

    def disturb(self, way: str, victim: NodeId, others: Sequence[NodeId], chance: Random) -> None:
        pairs = [pair for other in others for pair in ((victim, other), (other, victim))]
        for client, target in pairs:
            if way == "delay":
                self._set(client, target, delay_ms=chance.choice((20.0, 60.0, 150.0)))
            elif way == "black-hole":
                self._set(client, target, there=Passage.LOST, back=Passage.LOST)
            elif way == "lost-answers":
                self._set(client, target, back=Passage.LOST)
            else:
                how = Ending(way)
                for name in client_ids(client):
                    self.thread.call(self.thread.proxy.end, name, str(target), how)

    def fired(self) -> dict[str, int]:
        return dict(sorted(self.thread.call(lambda: dict(self.thread.proxy.fired)).items()))

    def pairs_seen(self) -> set[tuple[str, str]]:
        return set(self.thread.call(lambda: list(self.thread.proxy.carried_by)))


def client_ids(node: NodeId) -> tuple[str, str]:
    """How a node introduces itself: as a replica, and with what it takes to the leader."""
    return f"raft-client-{node}", str(node)
