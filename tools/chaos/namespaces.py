"""Each node in a network namespace of its own, joined by a bridge, and the cables cut.

A node is cut off from all by taking its cable's link down, and from one peer by a neighbour
entry that leads nowhere: packets are sent and nobody gets them, which is what a broken switch
does and what no program on the host can imitate with sockets.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random

from attrs import define, field

from tools.chaos.network import NodeId

CLIENT_PORT, CONTROLLER_PORT = 9092, 9093
NOWHERE = "02:00:00:00:00:01"
COMMAND_TIMEOUT_S = 20


class NotPermitted(Exception):
    """This machine lets us make no network namespaces; the message says what it answered."""


@define(eq=False)
class NamespaceNetwork:
    """A bridge in our own namespace, and for each node a namespace with one interface on it."""

    count: int
    tag: str
    subnet: str
    name: str = "namespaces"
    _cut: list[tuple[NodeId, NodeId]] = field(factory=list)
    _down: list[NodeId] = field(factory=list)
    _fired: dict[str, int] = field(factory=dict)

    @classmethod
    @contextmanager
    def laid(cls, count: int) -> Iterator[NamespaceNetwork]:
        """The network, gone again afterwards; NotPermitted where the system refuses."""
        number = os.getpid() % 250
        network = cls(count, f"mq{os.getpid()}", f"10.213.{number}")
        sweep()
        try:
            network._lay()
            yield network
        finally:
            network._clear()

    def _lay(self) -> None:
        bridge = self.tag
        ip("link", "add", bridge, "type", "bridge")
        ip("addr", "add", f"{self.subnet}.254/24", "dev", bridge)
        ip("link", "set", bridge, "up")
        for node in range(1, self.count + 1):
            space, outer = self._space(node), self._outer(node)
            ip("netns", "add", space)
            ip("link", "add", outer, "type", "veth", "peer", "name", "eth0", "netns", space)
            ip("link", "set", outer, "master", bridge, "up")
            ip("-n", space, "addr", "add", f"{self._address(node)}/24", "dev", "eth0")
            ip("-n", space, "link", "set", "lo", "up")
            ip("-n", space, "link", "set", "eth0", "up")

    def _clear(self) -> None:
        for node in range(1, self.count + 1):
            for words in (
                ("link", "del", self._outer(node)),
                ("netns", "del", self._space(node)),
            ):
                subprocess.run(["ip", *words], capture_output=True, check=False)
        subprocess.run(["ip", "link", "del", self.tag], capture_output=True, check=False)

    def _space(self, node: NodeId) -> str:
        return f"{self.tag}-{node}"

    def _outer(self, node: NodeId) -> str:
        return f"{self.tag}v{node}"

    def _address(self, node: NodeId) -> str:
        return f"{self.subnet}.{node}"

    def listeners(self, node: NodeId) -> tuple[str, str]:
        host = self._address(node)
        both = f"PLAINTEXT://{host}:{CLIENT_PORT},CONTROLLER://{host}:{CONTROLLER_PORT}"
        return both, both

    def client_address(self, node: NodeId) -> tuple[str, int]:
        return self._address(node), CLIENT_PORT

    def voter_address(self, node: NodeId) -> str:
        return f"{self._address(node)}:{CONTROLLER_PORT}"

    def command_prefix(self, node: NodeId) -> tuple[str, ...]:
        return ("ip", "netns", "exec", self._space(node))

    def started(self, node: NodeId) -> None:
        """Nothing stands between this node and its peers."""

    def ended(self, node: NodeId) -> None:
        """Its kernel refuses connections by itself."""

    def cut(self, source: NodeId, target: NodeId) -> None:
        way = ("to", self._address(target), "lladdr", NOWHERE, "nud", "permanent", "dev", "eth0")
        ip("-n", self._space(source), "neigh", "replace", *way)
        self._cut.append((source, target))
        self._count("cut")

    def heal(self) -> None:
        for source, target in self._cut:
            entry = (self._address(target), "dev", "eth0")
            ip("-n", self._space(source), "neigh", "del", *entry)
        for node in self._down:
            ip("link", "set", self._outer(node), "up")
        self._cut, self._down = [], []

    def ways_to_disturb(self) -> Sequence[str]:
        return ("cable-out",)

    def disturb(self, way: str, victim: NodeId, others: Sequence[NodeId], chance: Random) -> None:
        """The link of the victim's cable goes down: clients are cut off from it too."""
        ip("link", "set", self._outer(victim), "down")
        self._down.append(victim)
        self._count(way)

    def _count(self, what: str) -> None:
        self._fired[what] = self._fired.get(what, 0) + 1

    def fired(self) -> dict[str, int]:
        return dict(sorted(self._fired.items()))

    def pairs_seen(self) -> set[tuple[str, str]]:
        return set()


def why_not_permitted() -> str | None:
    """None where namespaces can be made, joined and entered; else what stood in the way."""
    try:
        with NamespaceNetwork.laid(1) as network:
            prefix = network.command_prefix(1)
            subprocess.run([*prefix, "true"], check=True, capture_output=True)
    except NotPermitted as refusal:
        return str(refusal)
    except subprocess.CalledProcessError as error:
        return f"a namespace cannot be entered: {error.stderr.decode(errors='replace').strip()}"
    return None


def sweep() -> None:
    """Remove what runs left whose process was killed."""
    for line in ip("netns", "list").splitlines():
        found = re.match(r"mq(\d+)-(\d+)\b", line)
        if found is not None and not _lives(found[1]):
            ip("netns", "del", found[0])
    for line in ip("-o", "link", "show", "type", "bridge").splitlines():
        found = re.match(r"\d+: (mq(\d+)):", line)
        if found is not None and not _lives(found[2]):
            ip("link", "del", found[1])


def _lives(pid: str) -> bool:
    return os.path.exists(f"/proc/{pid}")


def ip(*words: str) -> str:
    """Run one ``ip`` command and return what it prints; NotPermitted when it fails."""
    try:
        done = subprocess.run(
            ["ip", *words], capture_output=True, text=True, timeout=COMMAND_TIMEOUT_S, check=False
        )
    except FileNotFoundError:
        raise NotPermitted("there is no ip command") from None
    if done.returncode != 0:
        raise NotPermitted(f"ip {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout
