"""Lines on closed connections: a few a second, the others counted."""

from __future__ import annotations

from metaquorum.base.limits import CLOSE_NOTES_PER_SECOND
from metaquorum.server.access.note_gate import NoteGate


class Clock:
    """A clock that stands still until it is told otherwise."""

    now = 5_000

    def now_ms(self) -> int:
        return self.now


def flooded() -> tuple[NoteGate, Clock, list[str]]:
    notes: list[str] = []
    clock = Clock()
    gate = NoteGate(notes.append, clock)
    for number in range(CLOSE_NOTES_PER_SECOND + 7):
        gate(f"line {number}")
    return gate, clock, notes


def test_the_first_lines_of_a_second_are_told_and_the_others_are_not():
    _, _, notes = flooded()
    assert notes == [f"line {number}" for number in range(CLOSE_NOTES_PER_SECOND)]


def test_the_count_of_what_was_left_out_comes_once_the_second_is_over():
    gate, clock, notes = flooded()
    clock.now += 999
    gate.log_suppressed()
    assert len(notes) == CLOSE_NOTES_PER_SECOND
    clock.now += 1
    gate.log_suppressed()
    gate.log_suppressed()
    assert notes[CLOSE_NOTES_PER_SECOND:] == ["7 more lines of this kind were left out"]


def test_the_next_second_logs_the_suppressed_count_and_its_own_lines():
    gate, clock, notes = flooded()
    clock.now += 1_000
    gate("after")
    assert notes[CLOSE_NOTES_PER_SECOND:] == ["7 more lines of this kind were left out", "after"]


def test_nothing_is_said_when_nothing_was_left_out():
    notes: list[str] = []
    clock = Clock()
    gate = NoteGate(notes.append, clock)
    gate("one")
    clock.now += 5_000
    gate.log_suppressed()
    assert notes == ["one"]
