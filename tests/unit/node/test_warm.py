"""A voter keeps a connection to every other voter, and has loaded what an election needs."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import trio
import trio.testing
from attrs import define, field

from metaquorum.node.warm import LOOK_EVERY_S, load_all, stay_warm
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


async def test_the_only_voter_and_an_observer_connect_to_nobody(
    autojump_clock: trio.testing.MockClock,
) -> None:
    assert await prepared(replica(1)) == []
    assert await prepared(replica(2, 3)) == []


async def test_all_that_a_node_may_need_is_imported_before_it_is_ready() -> None:
    await load_all(has_groups=True)
    for name in (
        "metaquorum.wire.generated.unregister_controller_response",
        "metaquorum.wire.generated.records.unregister_controller_record",
        "metaquorum.wire.generated.snapshot_footer_record",
        "metaquorum.controller.managers.quotas",
        "metaquorum.groups.patterns",
        "encodings.idna",
    ):
        assert name in sys.modules
    assert not any(one.startswith("metaquorum.storage.tier_") for one in loaded_by_a_node())


def loaded_by_a_node() -> list[str]:
    """What a process of its own has imported after it."""
    program = (
        "import sys, trio\nfrom functools import partial\n"
        "from metaquorum.node.warm import load_all\n"
        "trio.run(partial(load_all, has_groups=True))\nprint(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
    return done.stdout.decode().split()
