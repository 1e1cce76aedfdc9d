"""Answers that are ready but had better leave a little later."""

from __future__ import annotations

from typing import TypeVar

from metaquorum.base.clock import Millis
from metaquorum.base.offsets import UNREACHABLE_OFFSET
from metaquorum.runtime.loop.later import Later
from metaquorum.server.contract.house import House

T = TypeVar("T")


def delayed(house: House, answer: T, delay_ms: Millis) -> Later[T]:
    """``answer`` after ``delay_ms``; a client that hangs up takes it back.

    It is for answers that nothing can change meanwhile: what depends on the log, on who leads or on
    rights is to be made when it leaves.

    When too much is parked already it leaves at once: better early than not at all.
    """
    waited = house.watermark.wait(UNREACHABLE_OFFSET, house.clock.now_ms() + delay_ms)
    later: Later[T] = Later()
    later.on_cancel(waited.cancel)
    waited.then(lambda _: later.complete(answer))
    return later
