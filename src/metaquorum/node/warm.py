"""What a running node needs is there before it is needed: modules, and a connection to each voter.

A module that is imported on first use makes a request or an election wait for it, an election for
instance, and takes a descriptor, of which there may be none. So a node imports all that it can come
to need before it says that it is ready: after its listeners are bound and while it takes part in
elections, one module a turn of the event loop. See docs/decisions/195.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from importlib import import_module
from pkgutil import iter_modules
from typing import Final

import trio

from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import Peer
from metaquorum.runtime.peers.peer_links import PeerLinks
from metaquorum.server.contract.api import API_ROWS
from metaquorum.wire.generated import index

LOOK_EVERY_S: Final = 1.0
"""How often voters without a connection are looked for; an address that fails rests besides."""

_FIRST: Final = (
    "metaquorum.quorum.adapt.epochs",
    "metaquorum.quorum.adapt.fetch",
    "metaquorum.server.handlers.vote",
    "metaquorum.server.handlers.begin_quorum_epoch",
    "metaquorum.server.handlers.end_quorum_epoch",
    "metaquorum.server.handlers.fetch",
    "metaquorum.controller.managers.quotas",
    "metaquorum.wire.generated.records.client_quota_record",
    "metaquorum.wire.generated.records.no_op_record",
    "metaquorum.wire.generated.leader_change_message",
)
"""What an election and the first change after it need, so they come before the rest."""

_ELECTION_APIS: Final = (52, 53, 54, 1, 18)

_PACKAGES: Final = (
    *("base", "config", "controller", "fetch", "metadata", "observe", "quorum", "records"),
    *("runtime", "server", "storage", "wire", "node"),
)
_ELSEWHERE: Final = (
    "metaquorum.storage.tier_",  # for `metaquorum tier` alone
    "metaquorum.records.compression_",  # as far as their extra is installed
)
_GENERATED: Final = "metaquorum.wire.generated"
_OF_APIS: Final = ("_request", "_response")
_COMPRESSIONS: Final = tuple(
    f"metaquorum.records.compression_{name}" for name in ("snappy", "lz4", "zstd")
)
_OUTSIDE: Final = (
    "encodings.idna",  # for the name of every host that is connected to
    "stringprep",
    "unicodedata",
    "cramjam",  # where the extra for compression is installed
)


async def stay_warm(replica: ReplicaState, peers: PeerLinks) -> None:
    """Keep a connection to every other voter; ends by cancellation."""
    while True:
        await trio.sleep(LOOK_EVERY_S)
        for peer in _other_voters(replica):
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


async def load_all(*, has_groups: bool) -> None:
    """Import whatever a node may come to need, one module a turn of the event loop."""
    for module in _loads(has_groups=has_groups):
        with suppress(ModuleNotFoundError):  # an extra that is not installed is not needed
            import_module(module)
        await trio.lowlevel.checkpoint()


def _loads(*, has_groups: bool) -> Iterator[str]:
    yield from _codecs(_ELECTION_APIS)
    yield from _FIRST
    yield from _OUTSIDE
    yield from _codecs(api_row.key for api_row in API_ROWS)
    groups = ("groups",) if has_groups else ()
    for package in (*_PACKAGES, *groups):
        yield from _modules_in(f"metaquorum.{package}")
    for package in ("records", *(("group",) if has_groups else ())):
        yield from _modules_in(f"{_GENERATED}.{package}")
    for module in iter_modules(import_module(_GENERATED).__path__, f"{_GENERATED}."):
        if not module.ispkg and not module.name.endswith(_OF_APIS):
            yield module.name
    yield from _COMPRESSIONS


def _codecs(api_keys: Iterable[int]) -> Iterator[str]:
    for key in api_keys:
        api = index.APIS[key]
        yield f"{_GENERATED}.{api.request_module}"
        yield f"{_GENERATED}.{api.response_module}"


def _modules_in(package: str) -> Iterator[str]:
    """All modules of a package and of those in it, but those that no node imports."""
    for module in iter_modules(import_module(package).__path__, f"{package}."):
        if module.name == _GENERATED or module.name.startswith(_ELSEWHERE):
            continue  # many of the generated messages are none that a node reads or writes
        if module.ispkg:
            yield from _modules_in(module.name)
        else:
            yield module.name
