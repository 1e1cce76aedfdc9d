"""The coordinator's own ways to share partitions among members (KIP-848): uniform and range.

Both are pure functions of the members, what they read, and what was theirs before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from metaquorum.base.ids import Uuid
from metaquorum.base.value import value

TopicPartition = tuple[Uuid, int]
Shares = dict[str, frozenset[TopicPartition]]

UNIFORM: Final = "uniform"
RANGE: Final = "range"


@value
class Reader:
    """A member to an assignor. ``place`` orders members: static ones keep theirs."""

    id: str
    place: str
    topics: frozenset[Uuid]
    held: frozenset[TopicPartition] = frozenset()


def uniform(readers: Sequence[Reader], topics: Mapping[Uuid, int]) -> Shares:
    """As even as subscriptions allow, and with as few changes as that allows."""
    shares: dict[str, list[TopicPartition]] = {one.id: [] for one in readers}
    ordered = sorted(readers, key=lambda one: one.place)
    everything = [
        (topic, index)
        for topic in sorted(topics)
        if any(topic in one.topics for one in ordered)
        for index in range(topics[topic])
    ]
    most = -(-len(everything) // len(ordered)) if ordered else 0
    left: list[TopicPartition] = []
    for each in everything:
        holder = next((o for o in ordered if each in o.held and each[0] in o.topics), None)
        if holder is not None and len(shares[holder.id]) < most:
            shares[holder.id].append(each)
        else:
            left.append(each)
    for each in left:
        able = [one for one in ordered if each[0] in one.topics]
        least = min(able, key=lambda one: len(shares[one.id]))
        shares[least.id].append(each)
    return {name: frozenset(given) for name, given in shares.items()}


def ranges(readers: Sequence[Reader], topics: Mapping[Uuid, int]) -> Shares:
    """Of each topic a run of neighbouring partitions for each of its readers, in their order."""
    shares: dict[str, list[TopicPartition]] = {one.id: [] for one in readers}
    ordered = sorted(readers, key=lambda one: one.place)
    for topic in sorted(topics):
        able = [one for one in ordered if topic in one.topics]
        first = 0
        for number, one in enumerate(able):
            size = topics[topic] // len(able) + (number < topics[topic] % len(able))
            shares[one.id] += [(topic, index) for index in range(first, first + size)]
            first += size
    return {name: frozenset(given) for name, given in shares.items()}


ASSIGNORS: Final[dict[str, Callable[[Sequence[Reader], Mapping[Uuid, int]], Shares]]] = {
    UNIFORM: uniform,
    RANGE: ranges,
}
"""By name; the first is that of a group whose members ask for none."""
