"""A node that the voters know under another directory id says so, once for each voter set."""

from __future__ import annotations

import pytest

from metaquorum.node.directory_ids import DirectoryIdWatch
from metaquorum.observe.events import EventLog
from metaquorum.quorum.types import Control, ReplicaKey, Voter, VotersControl
from metaquorum.quorum.voters import VoterHistory

OWN, OTHER = bytes(range(16)), bytes(range(1, 17))


class Seen:
    """A watch over a history that the test changes, and its lines."""

    def __init__(self, directory_id: bytes | None = OWN) -> None:
        self.history = VoterHistory()
        self.lines: list[str] = []
        self.watch = DirectoryIdWatch(
            ReplicaKey(1, directory_id),
            "/data/meta.properties",
            lambda: self.history,
            EventLog(self.lines.append, lambda: 0),
        )

    def learn(self, offset: int, *voters: tuple[int, bytes | None]) -> None:
        value = VotersControl(tuple(Voter(ReplicaKey(*key), (), 0, 1) for key in voters))
        self.history = self.history.with_control(Control(offset, value))
        self.watch.look()


def test_voters_that_become_known_later_are_looked_at() -> None:
    seen = Seen()
    seen.watch.look()
    assert not seen.lines
    seen.learn(7, (1, OTHER), (2, OWN))
    (line,) = seen.lines
    assert "directory-id-differs node=1 file=/data/meta.properties" in line
    assert "directory=AAECAwQFBgcICQoLDA0ODw voter=AQIDBAUGBwgJCgsMDQ4PEA" in line


def test_the_line_comes_once_for_each_voter_set() -> None:
    seen = Seen()
    seen.learn(7, (1, OTHER))
    for _ in range(3):
        seen.watch.look()
    assert len(seen.lines) == 1
    seen.learn(9, (1, OTHER), (2, OWN))
    assert len(seen.lines) == 2


@pytest.mark.parametrize("voters", [[(1, OWN)], [(1, None)], [(2, OTHER)]])
def test_a_voter_under_its_own_id_and_an_observer_are_not_told(
    voters: list[tuple[int, bytes | None]],
) -> None:
    seen = Seen()
    seen.learn(7, *voters)
    assert not seen.lines
