"""Is a history of one register linearizable? A search through all orders that are still open.

Wing and Gong's question, answered by walking once through time. At any moment a *state of
affairs* is the value of the register together with the running operations that have happened
already; all states of affairs that agree with the answers so far are kept, each once. When an
operation returns, those in which it has happened stay, and the others are let happen: it, and
whatever running writes go before it. When none is left, no order explains the answers.

Two reductions, neither of which changes the verdict:
- A running read of the value that the register holds happens at once: it changes nothing, and
  waiting does not help it.
- An unknown write whose value nobody read never happened: leaving it out contradicts no answer.
  One whose value was read, and written by nobody else, had happened when the first read of it
  returned.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from attrs import define, evolve, field

from metaquorum.testing.linearizability.history import Operation, Value, by_key
from metaquorum.testing.linearizability.verdict import (
    Linearizable,
    NotLinearizable,
    Undecided,
    Verdict,
)

MOST_OPEN_ORDERS = 200_000
"""States of affairs kept at once; some tens of bytes each, and microseconds to go through."""

SHOWN_BEFORE = 4
"""Operations that had ended before the one that cannot be explained, shown with it."""

Affairs = tuple[Value, int]
"""The register's value, and a bit for each running operation that has happened."""


def check(operations: Sequence[Operation], *, most_open: int = MOST_OPEN_ORDERS) -> Verdict:
    """Judge a history of any number of registers; the first that is not linearizable counts."""
    count, widest = 0, 1
    undecided: Undecided | None = None
    for history in by_key(operations).values():
        verdict = check_register(history, most_open=most_open)
        if isinstance(verdict, NotLinearizable):
            return verdict
        if isinstance(verdict, Undecided):
            undecided = undecided or verdict
        else:
            count, widest = count + verdict.operations, max(widest, verdict.most_open)
    return undecided or Linearizable(count, widest)


def check_register(
    history: Sequence[Operation], *, initial: Value = None, most_open: int = MOST_OPEN_ORDERS
) -> Verdict:
    """Judge the history of one register that held ``initial``."""
    operations = _settled(history, initial)
    search = _Search(operations, {(initial, 0): None})
    for _, is_return, index in _moments(operations):
        if not is_return:
            search.invoke(index)
        elif not search.settle(index, most_open):
            stuck = operations[index]
            if search.overflowed:
                return Undecided(stuck.key, len(search.affairs))
            return NotLinearizable(
                stuck.key,
                stuck,
                search.held_during(index),
                _window(history, stuck, search.held_during(index)),
            )
    return Linearizable(len(history), search.widest)


def _settled(history: Sequence[Operation], initial: Value) -> list[Operation]:
    """The history with unknown writes left out, or ended where their value was first read."""
    writes = Counter(one.value for one in history if one.is_write)
    first_read: dict[Value, int] = {}
    for one in history:
        if not one.is_write and one.returned_at is not None:
            earlier = first_read.get(one.value, one.returned_at)
            first_read[one.value] = min(earlier, one.returned_at)
    settled: list[Operation] = []
    for one in history:
        if one.returned_at is None:
            if one.value not in first_read:
                continue
            seen_at = first_read[one.value]
            if writes[one.value] == 1 and one.value != initial and seen_at >= one.invoked_at:
                one = evolve(one, returned_at=seen_at)
        settled.append(one)
    return settled


def _moments(operations: Sequence[Operation]) -> list[tuple[int, bool, int]]:
    """Beginnings and ends in the order of time; of equal times beginnings first."""
    moments = [(one.invoked_at, False, index) for index, one in enumerate(operations)]
    moments += [
        (one.returned_at, True, index)
        for index, one in enumerate(operations)
        if one.returned_at is not None
    ]
    return sorted(moments)


@define
class _Search:
    """All states of affairs that are open, as keys of a dict: its order is that of discovery."""

    operations: Sequence[Operation]
    affairs: dict[Affairs, None]
    widest: int = 1
    overflowed: bool = False
    _running: dict[int, Operation] = field(factory=dict)
    _held: dict[int, dict[Value, None]] = field(factory=dict)

    def held_during(self, index: int) -> tuple[Value, ...]:
        """What the register may have held while a running operation ran, as far as is known."""
        return tuple(self._held[index])

    def invoke(self, index: int) -> None:
        """An operation begins."""
        operation = self.operations[index]
        self._running[index] = operation
        self._held[index] = {value: None for value, _ in self.affairs}
        if not operation.is_write:
            bit = 1 << index
            self.affairs = {
                (value, done | bit if value == operation.value else done): None
                for value, done in self.affairs
            }

    def settle(self, index: int, most_open: int) -> bool:
        """An operation returns; False when nothing explains that, or too much is open."""
        bit = 1 << index
        left: dict[Affairs, None] = {}
        seen: dict[Affairs, None] = {}
        for affairs in self.affairs:
            stack = [affairs]
            while stack:
                value, done = stack.pop()
                if done & bit:
                    left[value, done & ~bit] = None
                    continue
                for following in self._following(value, done):
                    if following not in seen:
                        seen[following] = None
                        stack.append(following)
                if len(seen) > most_open:
                    self.overflowed, self.affairs = True, seen
                    return False
        for held in self._held.values():
            held.update((value, None) for value, _ in [*self.affairs, *seen])
        self.affairs = left
        if left:
            del self._running[index], self._held[index]
        self.widest = max(self.widest, len(left))
        return bool(left)

    def _following(self, value: Value, done: int) -> list[Affairs]:
        """What comes of letting one more running write happen."""
        following: list[Affairs] = []
        for index, operation in self._running.items():
            if operation.is_write and not done >> index & 1:
                following.append((operation.value, self._with_reads(operation.value, done, index)))
        return following

    def _with_reads(self, value: Value, done: int, index: int) -> int:
        done |= 1 << index
        for other, operation in self._running.items():
            if not operation.is_write and operation.value == value:
                done |= 1 << other
        return done


def _window(
    history: Sequence[Operation], stuck: Operation, held: Sequence[Value]
) -> tuple[Operation, ...]:
    """What ran beside ``stuck``, who wrote its value and those held, and a little from before."""
    assert stuck.returned_at is not None
    end = stuck.returned_at
    before = sorted(
        (
            one
            for one in history
            if one.returned_at is not None and one.returned_at < stuck.invoked_at
        ),
        key=lambda one: (one.returned_at, one.invoked_at),
    )[-SHOWN_BEFORE:]
    shown = [
        one
        for one in history
        if one in before
        or (one.is_write and one.value in (stuck.value, *held))
        or (
            one.invoked_at <= end
            and one.returned_at is not None
            and one.returned_at >= stuck.invoked_at
        )
    ]
    return tuple(sorted(shown, key=lambda one: (one.invoked_at, one.client)))
