"""The private switch still does what the whole-node simulator needs; if not, this fails first."""

from __future__ import annotations

import pytest
import trio
import trio.testing
from trio._core import _run

from metaquorum.testing.nodes.trio_seed import TrioChanged, seeded_scheduler

TASKS, TURNS = 20, 10


def order_of_racing_tasks(seed: int) -> list[int]:
    """Who ran when, of twenty tasks that could all run always."""
    order: list[int] = []

    async def race(number: int) -> None:
        for _ in range(TURNS):
            order.append(number)
            await trio.lowlevel.checkpoint()

    async def main() -> None:
        async with trio.open_nursery() as nursery:
            for number in range(TASKS):
                nursery.start_soon(race, number)

    with seeded_scheduler(seed):
        trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0))
    return order


def test_the_same_seed_runs_tasks_in_the_same_order():
    assert order_of_racing_tasks(1) == order_of_racing_tasks(1) == order_of_racing_tasks(1)


def test_other_seeds_run_them_in_other_orders():
    orders = {tuple(order_of_racing_tasks(seed)) for seed in range(5)}
    assert len(orders) == 5


def test_afterwards_trio_is_as_it_was():
    before = _run._ALLOW_DETERMINISTIC_SCHEDULING, _run._r
    order_of_racing_tasks(1)
    assert (_run._ALLOW_DETERMINISTIC_SCHEDULING, _run._r) == before


def test_a_trio_without_these_names_is_refused(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delattr(_run, "_ALLOW_DETERMINISTIC_SCHEDULING")
    with pytest.raises(TrioChanged), seeded_scheduler(1):
        pass
