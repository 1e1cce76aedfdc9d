"""Answers in memory for peers that do not read: who has to go when they are too many."""

from __future__ import annotations

from metaquorum.server.sockets.unsent import UnsentAnswers


class Reader:
    """Remembers why it was closed."""

    def __init__(self) -> None:
        self.complaint: str | None = None

    def close(self, complaint: str | None = None) -> None:
        """As a host does."""
        self.complaint = complaint


def test_within_the_limit_nobody_goes():
    unsent = UnsentAnswers(limit_bytes=100)
    first, second = Reader(), Reader()
    unsent.hold(first, 60)
    unsent.hold(second, 40)
    assert unsent.statistics() == {"held_bytes": 100, "limit_bytes": 100, "readers": 2}
    unsent.release(first)
    unsent.release(first)
    assert unsent.held_bytes == 40
    assert first.complaint is second.complaint is None


def test_beyond_it_those_go_first_that_were_stuck_first():
    unsent = UnsentAnswers(limit_bytes=100)
    readers = [Reader() for _ in range(4)]
    for reader in readers:
        unsent.hold(reader, 40)
    assert [one.complaint is not None for one in readers] == [True, True, False, False]
    assert readers[0].complaint == "took no answer while answers held all 100 bytes they may"
    assert unsent.held_bytes == 80


def test_who_got_on_and_is_stuck_again_is_stuck_anew():
    unsent = UnsentAnswers(limit_bytes=100)
    first, second, third = Reader(), Reader(), Reader()
    unsent.hold(first, 40)
    unsent.hold(second, 40)
    unsent.hold(first, 30)
    unsent.hold(third, 40)
    assert second.complaint is not None
    assert first.complaint is third.complaint is None
    assert unsent.held_bytes == 70


def test_the_last_one_stays_however_much_it_holds():
    unsent = UnsentAnswers(limit_bytes=100)
    first, second = Reader(), Reader()
    unsent.hold(first, 10)
    unsent.hold(second, 1_000)
    assert first.complaint is not None
    assert second.complaint is None
    assert unsent.held_bytes == 1_000
