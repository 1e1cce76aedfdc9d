"""Whose disks count where a voter's directory is gone."""

from __future__ import annotations

import pytest

from metaquorum.quorum.types import ReplicaKey, Voter
from metaquorum.quorum.voters import VoterSet
from metaquorum.testing.fakes import voters
from metaquorum.testing.simulator.book import Book, Memory
from metaquorum.testing.simulator.invariants import Violation
from metaquorum.testing.simulator.log_mirror import Entry, LogMirror

FIRST, SECOND = Entry(0, 1, 1, 11), Entry(1, 2, 1, 12)
OLD, NEW = b"o" * 16, b"n" * 16


def committed(directory: bytes, buried: LogMirror) -> None:
    """Voter 1 commits what it holds; the old directory of voter 3 is buried; 2 has nothing."""
    log = LogMirror(0, [FIRST, SECOND])
    leader = Memory(1, accepted=log, disk=log)
    book = Book(contents={FIRST.print: (), SECOND.print: ()})
    book.memories = {1: leader, 2: Memory(2), 3: Memory(3, body=1, buried={OLD: buried})}
    one, two, _ = voters(1, 2, 3)
    there = Voter(ReplicaKey(3, directory))
    book.commits(leader, 2, VoterSet((one, two, there)), 1)


def test_what_a_voter_held_while_it_lived_counts():
    committed(OLD, LogMirror(0, [FIRST, SECOND]))


def test_what_it_never_held_does_not():
    with pytest.raises(Violation, match="majority of disks"):
        committed(OLD, LogMirror(0, [FIRST]))


def test_nor_does_it_count_for_the_directory_that_came_after():
    with pytest.raises(Violation, match="majority of disks"):
        committed(NEW, LogMirror(0, [FIRST, SECOND]))
