"""A node that clients reach through a relay, and whose log rests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.interop.asking_proxy import AskingProxy
from tools.kafka.ports import LOOPBACK, free_ports
from tools.own_node import OwnNode
from tools.quota_writer import QuotaWriter


@contextmanager
def resting_node(directory: Path, users: int) -> Iterator[tuple[OwnNode, AskingProxy]]:
    """So many users have a quota; after the last of them nothing is written.

    The relay's address is the one that the node advertises, so nobody gets around it.
    """
    (port,) = free_ports(1)
    node = OwnNode(
        directory,
        {
            "metadata.max.idle.interval.ms": "0",
            "metaquorum.groups.enable": "true",
            "group.initial.rebalance.delay.ms": "0",
        },
    )
    advertised = {"PLAINTEXT": port, "CONTROLLER": node.controller_port}
    node.properties = {
        **node.properties,
        "advertised.listeners": ",".join(f"{a}://{LOOPBACK}:{b}" for a, b in advertised.items()),
    }
    with node:
        with QuotaWriter.open(node.port) as writer:
            for number in range(users):
                writer.set(f"user-{number}", "producer_byte_rate", 1000.0 + number)
        with AskingProxy(port, node.port) as relay:
            yield node, relay
