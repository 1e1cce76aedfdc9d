"""The gate: words wait for their ticket, in order; disk effects pass."""

from __future__ import annotations

import pytest

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.quorum.effects import Appended, Committed, Effect, SaveElection, Send
from metaquorum.quorum.gate import DurabilityGate
from metaquorum.quorum.messages import VoteRequest
from metaquorum.quorum.types import ElectionState, Peer, ReplicaKey

REQUEST = Send(3, Peer(2), 1, VoteRequest(7, ReplicaKey(1), OffsetAndEpoch(0, 0), False))


def test_a_word_waits_until_its_ticket_is_durable() -> None:
    gate = DurabilityGate()
    word = Committed(2, 7)
    assert gate.hold([word]) == []
    assert gate.durable(1) == []
    assert gate.durable(2) == [word]


def test_what_needs_no_disk_passes_at_once() -> None:
    gate = DurabilityGate()
    effects: list[Effect] = [
        SaveElection(1, ElectionState(1)),
        Appended(5, 0, 1, 1),
        Committed(0, 3),
    ]
    assert gate.hold(effects) == effects


def test_a_later_word_never_overtakes_an_earlier_one() -> None:
    gate = DurabilityGate()
    first, second = Committed(3, 1), Committed(0, 2)
    assert gate.hold([first, second]) == []
    assert gate.held == (first, second)
    assert gate.durable(3) == [first, second]
    assert gate.statistics() == {"held": 0, "durable_ticket": 3}


def test_the_disk_never_unsyncs() -> None:
    gate = DurabilityGate()
    gate.durable(4)
    with pytest.raises(InvariantViolated):
        gate.durable(3)


def test_a_fork_releases_on_its_own() -> None:
    gate = DurabilityGate()
    gate.hold([Committed(1, 1)])
    twin = gate.fork()
    assert twin.durable(1) == [Committed(1, 1)]
    assert gate.held == (Committed(1, 1),)


def test_a_request_goes_first_once_its_ticket_is_durable() -> None:
    gate = DurabilityGate()
    gate.hold([REQUEST])
    assert not gate.sends_at(2)
    assert gate.sends_at(3)


def test_no_request_goes_before_what_is_held_ahead_of_it() -> None:
    gate = DurabilityGate()
    assert not gate.sends_at(3)
    gate.hold([Committed(3, 7), REQUEST])
    assert not gate.sends_at(3)
