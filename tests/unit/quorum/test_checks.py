"""Invariants end the process before a wrong state can be acted on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve

from metaquorum.base.errors import InvariantViolated
from metaquorum.quorum.checks import check
from metaquorum.quorum.replica import Replica
from metaquorum.quorum.types import ElectionState
from metaquorum.testing.fakes import FakeHost, voters


def leader() -> Replica:
    return FakeHost.of(1, voters(1)).started().replica


def log_of(replica: Replica, **changes: Any) -> None:
    replica.log = evolve(replica.log, **changes)


@pytest.mark.parametrize(
    ("spoil", "names"),
    [
        (lambda one: log_of(one, high_watermark=0), "never falls"),
        (lambda one: log_of(one, high_watermark=2), "not above the log end"),
        (lambda one: log_of(one, durable_end=2), "not accepted"),
        (lambda one: log_of(one, start=2), "log start"),
        (lambda one: setattr(one, "election", ElectionState(0, 1)), "epoch never falls"),
        (lambda one: setattr(one, "election", ElectionState(1, 2)), "names itself"),
        (lambda one: setattr(one, "election", ElectionState(2, 1)), "opened its epoch"),
        (lambda one: setattr(one, "durable_ticket", 99), "ticket"),
    ],
)
def test_a_broken_invariant_is_named(spoil: Callable[[Replica], None], names: str) -> None:
    replica = leader()
    spoil(replica)
    with pytest.raises(InvariantViolated, match=names):
        check(replica, 1, 1)


def test_a_sound_replica_passes() -> None:
    check(leader(), 1, 1)
