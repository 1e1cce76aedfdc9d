"""Answers that are ready but had better leave a little later."""

from __future__ import annotations

from typing import Final, TypeVar

from metaquorum.base.clock import Millis
from metaquorum.runtime.later import Later
from metaquorum.server.house import House

T = TypeVar("T")

_OUT_OF_REACH: Final = 1 << 62
"""An offset that no watermark reaches: waiting for it is waiting for the deadline."""


def delayed(house: House, answer: T, delay_ms: Millis) -> Later[T]:
    """``answer`` after ``delay_ms``; a client that hangs up takes it back.

    When too much is parked already it leaves at once: better early than not at all.
    """
    waited = house.watermark.wait(_OUT_OF_REACH, house.clock.now_ms() + delay_ms)
    later: Later[T] = Later()
    later.on_cancel(waited.cancel)
    waited.then(lambda _: later.complete(answer))
    return later
