"""A hundred thousand requests, odd ones and some in which a call raises; a million in a soak."""

from __future__ import annotations

from random import Random

import pytest

from metaquorum.testing.fuzz.odd_requests import BYTES_A_REQUEST
from metaquorum.testing.fuzz.targets import one_input_of

REQUESTS_AN_INPUT = 400
ODD, RAISING = "answers_built_from_requests", "handlers_and_plans_that_raise"
BYTES = {ODD: BYTES_A_REQUEST, RAISING: BYTES_A_REQUEST + 2}
SHARES = {ODD: 15_000, RAISING: 10_000}  # of each run; a call that raises is drawn by a slow tracer
# Of inputs; of one of 400 requests it may be that no call which was to raise was ever made.
LEAST = {ODD: 1.0, RAISING: 0.9}
RUNS, LONG_RUNS = 4, 40


def serve(target: str, run: int) -> None:
    """One run of so many requests, the same each time."""
    one_input, chance = one_input_of(target), Random(f"{target} {run}")
    inputs = -(-SHARES[target] // REQUESTS_AN_INPUT)
    answered = [
        one_input(chance.randbytes(BYTES[target] * REQUESTS_AN_INPUT)) for _ in range(inputs)
    ]
    assert sum(answered) >= LEAST[target] * inputs


@pytest.mark.parametrize("run", range(RUNS))
@pytest.mark.parametrize("target", [ODD, RAISING])
def test_a_hundred_thousand_requests_leave_the_node_alive(target: str, run: int) -> None:
    serve(target, run)


@pytest.mark.soak
@pytest.mark.parametrize("run", range(RUNS, LONG_RUNS))
@pytest.mark.parametrize("target", [ODD, RAISING])
def test_a_million_requests_leave_the_node_alive(target: str, run: int) -> None:
    serve(target, run)
