"""A cluster's controllers are exchanged one by one, Kafka's for ours and back, under load.

Brokers of Kafka stay up; two producers and a group go on: nothing acknowledged is lost or doubled.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.interop.brokers_under_load import BrokersUnderLoad, fenced
from tests.interop.mixed.conftest import Tool
from tools.kafka import JavaHelper
from tools.kafka.ports import free_ports
from tools.mixed.node import KAFKA, OURS, Kind
from tools.mixed.quorum import MixedQuorum
from tools.transactions import Outcome

RECORDS_A_STEP = 50


def exchanged(
    quorum: MixedQuorum, kind: Kind, ports: list[int], tool: Tool, load: BrokersUnderLoad
) -> list[int]:
    """Replace each voter by a new node of ``kind`` at one of ``ports``; the ports that are free."""
    left = []
    for old, port in zip(list(quorum.nodes), ports, strict=True):
        new = quorum.join(kind, port)
        quorum.add_voter(new, tool)
        quorum.remove_voter(old, tool)
        left.append(quorum.leave(old))
        quorum.written(5)
        before = len(load.delivery.acknowledged)
        quorum.until(
            lambda: len(load.delivery.acknowledged) >= before + RECORDS_A_STEP,  # noqa: B023
            "the producer does not go on",
        )
    return left


@pytest.mark.timeout(600)
def test_all_controllers_are_exchanged_and_exchanged_back(
    tmp_path: Path, java: JavaHelper, tools: dict[str, Tool]
) -> None:
    later = free_ports(3)
    quorum = MixedQuorum(
        *(tmp_path / "quorum", (KAFKA, KAFKA, KAFKA), java.tool), later_ports=later
    )
    with quorum:
        cluster_id = quorum.nodes[1].cluster_id
        with BrokersUnderLoad(tmp_path, quorum.bootstrap_servers, cluster_id, java) as load:
            free = exchanged(quorum, OURS, later, tools["kafka's"], load)
            assert [one.kind for one in quorum.nodes.values()] == [OURS] * 3
            assert sorted(quorum.voters()) == [4, 5, 6]
            exchanged(quorum, KAFKA, free, tools["ours"], load)
            assert sorted(quorum.voters()) == [7, 8, 9]
            load.judge()
            assert load.transactions.book.count(Outcome.COMMITTED) > 10
            ports = [one.controller_port for one in quorum.nodes.values()]
            assert list(fenced(ports)) == []
        assert quorum.end() == []
