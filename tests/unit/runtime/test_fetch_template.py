"""A fetch that is written by the last one has the bytes that it would have had by itself."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest
import trio

from metaquorum.base.limits import LAST_FETCH_TRIES
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.quorum import adapt
from metaquorum.quorum.messages import FetchRequest, VoteRequest
from metaquorum.quorum.types import ReplicaKey
from metaquorum.runtime.peers.fetch_template import FetchTemplate
from metaquorum.runtime.peers.peer_connection import PeerConnection

CLUSTER_ID = "4L6g3nShT-eMCtK--X86sw"
FETCH, VOTE = 1, 52


def to_wire(version: int, message: Any) -> Any:
    return adapt.write_request(version, message, CLUSTER_ID)


def connection() -> PeerConnection:
    return PeerConnection(trio.testing.MemorySendStream(), "raft-client-1")  # type: ignore[arg-type]


def drawn(chance: random.Random) -> FetchRequest:
    """Mostly the same question from further on."""
    known = chance.choice([None, -1, (1 << 63) - 1, *[chance.randrange(1 << 40) for _ in range(6)]])
    epoch = 5 if chance.random() < 0.9 else chance.randrange(9)
    directory = bytes(15) + bytes([chance.choice([7, 7, 7, 8])])
    offset = chance.choice([0, 1, 255, chance.randrange(1 << 40), (1 << 63) - 1])
    return FetchRequest(ReplicaKey(2, directory), epoch, offset, epoch, 500, 1 << 20, known)


@pytest.mark.parametrize("version", [13, 15, 17, 18])
def test_both_ways_write_the_same(version: int):
    chance = random.Random(version)
    one = connection()
    for _ in range(300):
        message, other = drawn(chance), connection()
        other._correlation = one._correlation
        written = one.encoded(FETCH, version, message, partial(to_wire, version))
        assert written == other.encoded(FETCH, version, message, partial(to_wire, version))


def test_the_next_fetch_is_not_encoded_again():
    encoded: list[Any] = []

    def counted(message: Any) -> Any:
        encoded.append(message)
        return to_wire(18, message)

    one, first = connection(), FetchRequest(ReplicaKey(2, bytes(16)), 5, 10, 5, 500, 1 << 20, 9)
    one.encoded(FETCH, 18, first, counted)
    before = len(encoded)
    for offset in (11, 12, 1 << 40):
        again = FetchRequest(ReplicaKey(2, bytes(16)), 5, offset, 5, 500, 1 << 20, offset - 1)
        one.encoded(FETCH, 18, again, counted)
    assert len(encoded) == before


def test_another_request_in_between_changes_nothing():
    one, other = connection(), connection()
    fetch = partial(FetchRequest, ReplicaKey(2, bytes(16)), 5)
    wire = partial(to_wire, 18)
    one.encoded(FETCH, 18, fetch(10, 5, 500, 1 << 20, 9), wire)
    vote = VoteRequest(6, ReplicaKey(2, bytes(16)), OffsetAndEpoch(5, 10))
    one.encoded(VOTE, 2, vote, partial(to_wire, 2))
    other._correlation = one._correlation
    later = fetch(20, 5, 500, 1 << 20, 19)
    assert one.encoded(FETCH, 18, later, wire) == other.encoded(FETCH, 18, later, wire)


def test_a_connection_whose_fetches_always_differ_is_given_up():
    last, tried = FetchTemplate(), []

    def encode(message: FetchRequest, correlation: int) -> bytes:
        tried.append(message.epoch)
        return bytes(8) + message.offset.to_bytes(8, "big", signed=True)

    for epoch in range(3 * LAST_FETCH_TRIES):
        last.keep(FetchRequest(ReplicaKey(2, None), epoch, 1, epoch, 0, 0, 0), encode)
    assert set(tried) == set(range(LAST_FETCH_TRIES))
