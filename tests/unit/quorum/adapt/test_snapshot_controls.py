"""Which kraft.version and voters a snapshot carries."""

from __future__ import annotations

from typing import Any

from metaquorum.quorum.adapt.snapshot_controls import snapshot_controls
from metaquorum.quorum.types import (
    Control,
    Endpoint,
    KRaftVersionControl,
    ReplicaKey,
    Voter,
    VotersControl,
)
from metaquorum.quorum.voters import VoterHistory, VoterSet
from metaquorum.records.control import ControlType

ONE = Voter(ReplicaKey(1, b"1" * 16), (Endpoint("CONTROLLER", "a", 9),), 0, 1)
TWO = Voter(ReplicaKey(2, b"2" * 16), (Endpoint("CONTROLLER", "b", 9),), 0, 1)
HISTORY = VoterHistory.build(
    None,
    None,
    (),
    [
        Control(3, KRaftVersionControl(1)),
        Control(4, VotersControl((ONE,))),
        Control(9, VotersControl((ONE, TWO))),
    ],
)


def _told(history: VoterHistory, end: int) -> list[Any]:
    return [
        message.kraft_version
        if type is ControlType.KRAFT_VERSION
        else [(row.voter_id, row.endpoints[0].host) for row in message.voters]
        for type, message in snapshot_controls(history, end)
    ]


def test_the_values_at_the_snapshots_last_offset_are_written() -> None:
    assert _told(HISTORY, 9) == [1, [(1, "a")]]
    assert _told(HISTORY, 10) == [1, [(1, "a"), (2, "b")]]


def test_a_version_without_voters_is_written_alone() -> None:
    assert _told(HISTORY, 4) == [1]


def test_nothing_is_written_at_kraft_version_0() -> None:
    assert _told(HISTORY, 3) == []
    assert _told(VoterHistory(VoterSet((ONE,))), 100) == []
