"""KIP-630's sharing of a response's bytes between partitions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaquorum.quorum.byte_shares import byte_shares


@pytest.mark.parametrize(
    ("budget", "wanted", "shares"),
    [
        (100, [40], (40,)),
        (100, [400], (100,)),
        (90, [400, 400, 400], (30, 30, 30)),
        (90, [10, 400, 400], (10, 40, 40)),
        (90, [400, 10, 20], (60, 10, 20)),
        (90, [10, 10, 10], (10, 10, 10)),
        (0, [10, 10], (0, 0)),
        (2, [5, 5, 5], (0, 1, 1)),
        (100, [], ()),
    ],
)
def test_budget_is_shared_evenly_and_the_rest_goes_to_larger_requests(
    budget: int, wanted: list[int], shares: tuple[int, ...]
) -> None:
    assert byte_shares(budget, wanted) == shares


@given(st.integers(0, 10_000), st.lists(st.integers(0, 5_000), min_size=1, max_size=9))
def test_shares_lie_between_average_and_wanted_and_use_all_the_budget(
    budget: int, wanted: list[int]
) -> None:
    shares = byte_shares(budget, wanted)
    assert sum(shares) == min(budget, sum(wanted))
    average = budget // len(wanted)
    assert all(min(want, average) <= share <= want for want, share in zip(wanted, shares))


@given(st.integers(0, 10_000), st.lists(st.integers(0, 5_000), min_size=1, max_size=9))
def test_who_wants_as_much_as_another_gets_as_much_but_for_one_byte(
    budget: int, wanted: list[int]
) -> None:
    shares = byte_shares(budget, wanted)
    short = [share for want, share in zip(wanted, shares) if share < want]
    assert not short or max(short) - min(short) <= 1
    assert not short or max(shares) <= min(short) + 1
