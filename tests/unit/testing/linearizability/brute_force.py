"""The same question answered without any cleverness: try every order there is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

from metaquorum.testing.linearizability.history import Operation, Value


def is_linearizable(history: Sequence[Operation], initial: Value = None) -> bool:
    """Whether some order of these operations, with any unknown writes left out, explains all."""
    unknown = [one for one in history if one.returned_at is None]
    sure = [one for one in history if one.returned_at is not None]
    return any(
        _explains(order, initial)
        for count in range(len(unknown) + 1)
        for happened in combinations(unknown, count)
        for order in permutations([*sure, *happened])
    )


def _explains(order: Sequence[Operation], initial: Value) -> bool:
    value = initial
    for place, one in enumerate(order):
        for later in order[place + 1 :]:
            if later.returned_at is not None and later.returned_at < one.invoked_at:
                return False
        if one.is_write:
            value = one.value
        elif one.value != value:
            return False
    return True
