"""Waiting for a promise in a task."""

from __future__ import annotations

import pytest
import trio

from metaquorum.base.errors import RequestError
from metaquorum.runtime.loop.promise import Promise
from metaquorum.runtime.loop.waiting import result_of


async def test_what_was_promised_comes_back(nursery: trio.Nursery) -> None:
    answer: Promise[int] = Promise()
    nursery.start_soon(_complete, answer)
    assert await result_of(answer) == 7


async def _complete(answer: Promise[int]) -> None:
    answer.complete(7)


async def test_a_promise_that_failed_raises_what_it_failed_with() -> None:
    answer: Promise[int] = Promise()
    answer.fail(RequestError(41, "not the controller"))
    with pytest.raises(RequestError, match="not the controller"):
        await result_of(answer)


async def test_anyone_who_gives_up_waiting_takes_the_question_back(autojump_clock: object) -> None:
    answer: Promise[int] = Promise()
    with trio.move_on_after(1):
        await result_of(answer)
    assert answer.cancelled
