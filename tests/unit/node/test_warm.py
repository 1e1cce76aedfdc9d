"""A voter keeps a connection to every other voter, and has loaded what an election needs."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import trio
import trio.testing
from attrs import define, field

from metaquorum.node.warm import (
    APIS_OF_FEW_CLIENTS,
    LOOK_EVERY_S,
    load_for_clients,
    stay_warm,
)
from metaquorum.quorum.types import Endpoint, Peer, ReplicaKey, Voter
from metaquorum.quorum.voters import VoterSet


def voter(node_id: int) -> Voter:
    inner = Endpoint("CONTROLLER", f"host-{node_id}", 9093)
    return Voter(ReplicaKey(node_id), (Endpoint("OTHER", "elsewhere", 1), inner), 0, 1)


def replica(*voters: int) -> Any:
    """As much of node 1's replica as is looked at; ``is_voter`` if it is among them."""
    return SimpleNamespace(
        is_voter=1 in voters,
        voters=SimpleNamespace(latest=VoterSet(tuple(voter(one) for one in voters))),
        config=SimpleNamespace(node_id=1, controller_listener="controller"),
    )


@define
class Links:
    """What was prepared."""

    prepared: list[Peer] = field(factory=list)

    def prepare(self, peer: Peer) -> None:
        self.prepared.append(peer)


async def prepared(looked_at: Any) -> list[Peer]:
    links: Any = Links()
    with trio.move_on_after(LOOK_EVERY_S * 1.5):
        await stay_warm(looked_at, links)
    return list(links.prepared)


async def test_every_other_voter_is_connected_to_by_its_controller_listener(
    autojump_clock: trio.testing.MockClock,
) -> None:
    endpoints = [Endpoint("CONTROLLER", f"host-{node_id}", 9093) for node_id in (2, 3)]
    found = await prepared(replica(1, 2, 3))
    assert found == [Peer(2, endpoints[0]), Peer(3, endpoints[1])]
    assert "metaquorum.wire.generated.end_quorum_epoch_response" in sys.modules
    assert "metaquorum.controller.managers.quotas" in sys.modules


async def test_the_only_voter_and_an_observer_connect_to_nobody(
    autojump_clock: trio.testing.MockClock,
) -> None:
    assert await prepared(replica(1)) == []
    assert await prepared(replica(2, 3)) == []


async def test_once_many_apis_have_been_asked_for_the_others_are_loaded(
    autojump_clock: trio.testing.MockClock,
) -> None:
    asked = [APIS_OF_FEW_CLIENTS - 1]
    with trio.move_on_after(60) as waiting:
        await load_for_clients(lambda: asked[0])
    assert waiting.cancelled_caught
    asked.append(asked.pop() + 1)
    with trio.move_on_after(60) as loading:
        await load_for_clients(lambda: asked[0])
    assert not loading.cancelled_caught
    assert "metaquorum.wire.generated.unregister_controller_response" in sys.modules
