"""Waiting for a promise: for the few tasks that have nothing else to do meanwhile."""

from __future__ import annotations

from typing import TypeVar

import trio

from metaquorum.runtime.loop.promise import Promise

T = TypeVar("T")


async def result_of(answer: Promise[T]) -> T:
    """What was promised, once it is there; a waiter that is cancelled cancels the promise.

    Raises what the promise failed with.
    """
    done = trio.Event()
    answer.then(lambda _: done.set())
    try:
        await done.wait()
    except trio.Cancelled:
        answer.cancel()
        raise
    return answer.result()
