"""Sharing partitions: evenly, with few changes, by ranges."""

from __future__ import annotations

from random import Random

from metaquorum.groups.assignors import ASSIGNORS, RANGE, UNIFORM, Reader

A, B = b"a" * 16, b"b" * 16


def _counts(shares: dict[str, frozenset[tuple[bytes, int]]]) -> list[int]:
    return sorted(len(given) for given in shares.values())


def test_uniform_is_even_and_changes_little() -> None:
    one = Reader("1", "1", frozenset((A,)))
    assert _counts(ASSIGNORS[UNIFORM]([one], {A: 5})) == [5]
    held = frozenset((A, index) for index in range(5))
    readers = [Reader("1", "1", frozenset((A,)), held), Reader("2", "2", frozenset((A,)))]
    shares = ASSIGNORS[UNIFORM](readers, {A: 5})
    assert _counts(shares) == [2, 3]
    assert shares["1"] <= held


def test_ranges_are_neighbours_in_the_order_of_the_members() -> None:
    readers = [Reader("2", "y", frozenset((A,))), Reader("1", "x", frozenset((A,)))]
    shares = ASSIGNORS[RANGE](readers, {A: 3})
    assert shares == {"1": frozenset({(A, 0), (A, 1)}), "2": frozenset({(A, 2)})}


def test_every_partition_goes_to_one_who_reads_it() -> None:
    chance = Random(3)
    for _ in range(200):
        topics = {A: chance.randrange(6), B: chance.randrange(6)}
        readers = []
        for number in range(chance.randrange(1, 6)):
            reads = frozenset(topic for topic in (A, B) if chance.random() < 0.7)
            held = frozenset((A, index) for index in range(topics[A]) if chance.random() < 0.3)
            readers.append(Reader(str(number), str(number), reads, held))
        for share in ASSIGNORS.values():
            given = share(readers, topics)
            wanted = {
                (topic, index)
                for topic, count in topics.items()
                for index in range(count)
                if any(topic in one.topics for one in readers)
            }
            flat = [one for some in given.values() for one in some]
            assert len(flat) == len(wanted)
            assert set(flat) == wanted
            assert all(one[0] in r.topics for r in readers for one in given[r.id])


def test_nobody_gets_nothing() -> None:
    for share in ASSIGNORS.values():
        assert share([], {A: 3}) == {}
