"""Do the answers agree with the order in which the log holds the writes?

The log is the order that the quorum claims. Against it two things are checked that need no
search: that the writes' own times allow this order, and that every look at the whole state shows
some prefix of the log, on each node never a shorter one than before. The second is what any node
promises; only a *fresh* look (see decision 075) must show everything that was acknowledged before
it began.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from attrs import define, field, frozen

from metaquorum.testing.linearizability.history import Operation, Value


@frozen
class CommittedWrite:
    """One write as the log holds it."""

    offset: int
    key: str
    value: Value


@frozen
class Look:
    """All registers as ``node`` showed them at once; absent ones hold nothing.

    ``node`` names one life of a node: after a restart it may begin again with an old state.
    """

    node: str
    values: Mapping[str, Value]
    invoked_at: int
    returned_at: int
    is_fresh: bool = False


def check_writes(writes: Sequence[Operation], log: Sequence[CommittedWrite]) -> list[str]:
    """What is wrong with the log's order of these writes; each (key, value) is written once.

    Every acknowledged write must be in the log, every write there must have been asked for, none
    twice, and none after another that began only when it was acknowledged.
    """
    asked = {(one.key, one.value): one for one in writes}
    if len(asked) != len(writes):
        raise ValueError("two writes of one value to one key cannot be told apart")
    faults: list[str] = []
    places: dict[tuple[str, Value], int] = {}
    latest: Operation | None = None
    for entry in log:
        one = asked.get((entry.key, entry.value))
        place = f"offset {entry.offset}: {entry.key} = {entry.value}"
        if one is None:
            faults.append(f"{place} was never asked for")
            continue
        if (entry.key, entry.value) in places:
            faults.append(f"{place} stands at {places[entry.key, entry.value]} too")
            continue
        places[entry.key, entry.value] = entry.offset
        ended = one.returned_at
        if latest is not None and ended is not None and ended < latest.invoked_at:
            faults.append(
                f"{place} comes after {latest.key} = {latest.value}, "
                "which began when it was acknowledged already"
            )
        if latest is None or one.invoked_at > latest.invoked_at:
            latest = one
    for (key, value), one in asked.items():
        if one.returned_at is not None and (key, value) not in places:
            faults.append(f"{key} = {value} was acknowledged and is not in the log")
    return faults


@define
class _Prefix:
    """The state that the first ``length`` writes of the log make."""

    log: Sequence[CommittedWrite]
    length: int = 0
    state: dict[str, Value] = field(factory=dict)

    def find(self, values: Mapping[str, Value]) -> bool:
        """Grow to the shortest prefix that shows ``values``; False, and unmoved, if none does."""
        wanted = {key: value for key, value in values.items() if value is not None}
        length, state = self.length, dict(self.state)
        differing = sum(
            state.get(key) != wanted.get(key) for key in dict.fromkeys([*state, *wanted])
        )
        while differing:
            if length == len(self.log):
                return False
            write = self.log[length]
            differing -= state.get(write.key) != wanted.get(write.key)
            state[write.key] = write.value
            differing += state.get(write.key) != wanted.get(write.key)
            length += 1
        self.length, self.state = length, state
        return True


def check_looks(
    looks: Sequence[Look], writes: Sequence[Operation], log: Sequence[CommittedWrite]
) -> list[str]:
    """What is wrong with these looks, which are in the order of time for each node."""
    asked = {(one.key, one.value): one for one in writes}
    faults: list[str] = []
    prefixes: dict[str, _Prefix] = {}
    acknowledged = _acknowledged(asked, log)
    for look in looks:
        prefix = prefixes.setdefault(look.node, _Prefix(log))
        before = prefix.length
        if not prefix.find(look.values):
            way = "an older state than before" if _Prefix(log).find(look.values) else "no prefix"
            faults.append(f"{look.node} showed {way} after {before} writes: {_short(look.values)}")
            continue
        newest = log[prefix.length - 1] if prefix.length else None
        origin = asked.get((newest.key, newest.value)) if newest is not None else None
        if origin is not None and origin.invoked_at > look.returned_at:
            faults.append(f"{look.node} showed {origin.key} = {origin.value} before it was asked")
        if look.is_fresh:
            least = _known_at(acknowledged, look.invoked_at)
            if prefix.length < least:
                faults.append(
                    f"a fresh look at {look.node} showed {prefix.length} writes, "
                    f"{least} were acknowledged before it began"
                )
    return faults


def _acknowledged(
    asked: Mapping[tuple[str, Value], Operation], log: Sequence[CommittedWrite]
) -> list[tuple[int, int]]:
    """(when, how long the log was then) for each acknowledgement, by time, lengths growing."""
    lengths = sorted(
        (one.returned_at, length)
        for length, entry in enumerate(log, start=1)
        if (one := asked.get((entry.key, entry.value))) is not None and one.returned_at is not None
    )
    grown: list[tuple[int, int]] = []
    longest = 0
    for when, length in lengths:
        longest = max(longest, length)
        grown.append((when, longest))
    return grown


def _known_at(acknowledged: Sequence[tuple[int, int]], moment: int) -> int:
    """How long the log was, at least, by the acknowledgements before ``moment``."""
    at = bisect_left(acknowledged, (moment, 0))
    return acknowledged[at - 1][1] if at else 0


def _short(values: Mapping[str, Value]) -> str:
    lengths = ", ".join(f"{key} = {value}" for key, value in sorted(values.items())[:6])
    return lengths + (" ..." if len(values) > 6 else "")
