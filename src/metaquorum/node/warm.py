"""What an election needs is there before it: codecs loaded, a connection to every other voter.

Codecs are loaded when they are first used, which keeps a start short and a lone node small. A
node among others meets most of them in its first election, and in the first change that it takes
as the leader, where each costs milliseconds that somebody is waiting for; so does a connection.

Clients are waiting as well. Most nodes are asked a few things only; once they turn out to be asked
for more, what all the others need is loaded one by one.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Final

import trio

from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import Peer
from metaquorum.runtime.peer_links import PeerLinks
from metaquorum.server.api import SITES
from metaquorum.wire.generated import index

LOOK_EVERY_S: Final = 1.0
"""How often voters without a connection are looked for; an address that fails rests besides."""

APIS_OF_FEW_CLIENTS: Final = 5
"""A tool or a plain consumer asks for fewer."""

ONE_LOADED_EVERY_S: Final = 0.02

ELECTION_APIS: Final = (52, 53, 54, 1, 18)
_FIRST_COMMAND: Final = (
    "metaquorum.controller.managers.quotas",
    "metaquorum.wire.generated.records.client_quota_record",
    "metaquorum.wire.generated.records.no_op_record",
    "metaquorum.wire.generated.leader_change_message",
)
_MODULES: Final = (
    _FIRST_COMMAND
    + tuple(
        f"metaquorum.quorum.adapt.{name}"
        for name in ("vote", "begin_quorum_epoch", "end_quorum_epoch", "fetch")
    )
    + tuple(
        f"metaquorum.server.handlers.{name}"
        for name in (
            "vote",
            "begin_quorum_epoch",
            "end_quorum_epoch",
            "fetch",
            "alter_client_quotas",
        )
    )
)


async def stay_warm(replica: ReplicaState, peers: PeerLinks) -> None:
    """Look after it for ever; ends by cancellation."""
    loaded = False
    while True:
        await trio.sleep(LOOK_EVERY_S)
        others = _other_voters(replica)
        if others and not loaded:
            await load_for_elections()
            loaded = True
        for peer in others:
            peers.prepare(peer)


def _other_voters(replica: ReplicaState) -> list[Peer]:
    if not replica.is_voter:
        return []
    name = replica.config.controller_listener.upper()
    return [
        Peer(voter.id, endpoint)
        for voter in replica.voters.latest
        if voter.id != replica.config.node_id
        for endpoint in voter.endpoints
        if endpoint.listener.upper() == name
    ]


async def load_for_elections() -> None:
    """Load codecs, translations and handlers, one a turn of the event loop."""
    for api_key in ELECTION_APIS:
        index.request_codec(api_key)
        await trio.lowlevel.checkpoint()
        index.response_codec(api_key)
        await trio.lowlevel.checkpoint()
    for module in _MODULES:
        import_module(module)
        await trio.lowlevel.checkpoint()


async def load_for_clients(apis_asked_for: Callable[[], int]) -> None:
    """Once many APIs have been asked for, load what every one takes, with pauses; then end."""
    while apis_asked_for() < APIS_OF_FEW_CLIENTS:
        await trio.sleep(LOOK_EVERY_S)
    for site in SITES:
        for load in (site.handler, site.request_codec, site.response_codec):
            load()
            await trio.sleep(ONE_LOADED_EVERY_S)
