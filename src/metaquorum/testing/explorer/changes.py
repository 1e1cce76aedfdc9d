"""What a leader may be asked for by its operator, in the words of a scope."""

from __future__ import annotations

from metaquorum.quorum.messages import (
    AddVoterRequest,
    RemoveVoterRequest,
    Request,
    UpdateVoterRequest,
    UpgradeRequest,
)
from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import Endpoint
from metaquorum.testing.fakes import voter

CLIENT_CHANGE = 998
"""The request id of changes; a leader answers one before it takes the next."""

EARLY_CHANGE = 997
"""The request id of those whose answer does not wait for the commit."""


def change_id(words: str) -> int:
    """Updates, and additions whose asker says so, are answered when they are appended."""
    early = words.startswith("move") or words.endswith("at once")
    return EARLY_CHANGE if early else CLIENT_CHANGE


def change_request(replica: ReplicaState, words: str) -> Request:
    """``add 4``, ``add 4 at once``, ``remove 1``, ``move 2`` or ``upgrade`` as a request."""
    verb, _, rest = words.partition(" ")
    if verb == "upgrade":
        return UpgradeRequest(1)
    node, _, how = rest.partition(" ")
    one = voter(int(node))
    if verb == "add":
        return AddVoterRequest(one.key, one.endpoints, ack_when_committed=how != "at once")
    if verb == "remove":
        return RemoveVoterRequest(one.key)
    if verb == "move":
        elsewhere = (Endpoint("CONTROLLER", f"elsewhere{one.id}", 9093),)
        return UpdateVoterRequest(replica.epoch, one.key, elsewhere, 0, 1)
    raise ValueError(f"no change is called {words!r}")
