"""Answers that are ready but had better leave a little later."""

from __future__ import annotations

from typing import TypeVar

from metaquorum.base.clock import Millis
from metaquorum.base.offsets import UNREACHABLE_OFFSET
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.services import Services

T = TypeVar("T")


def delayed(services: Services, answer: T, delay_ms: Millis) -> Promise[T]:
    """``answer`` after ``delay_ms``; a client that hangs up takes it back.

    It is for answers that nothing can change meanwhile: what depends on the log, on who leads or on
    rights is to be made when it leaves.

    When too much is parked already it leaves at once: better early than not at all.
    """
    waited = services.watermark.wait(UNREACHABLE_OFFSET, services.clock.now_ms() + delay_ms)
    promise: Promise[T] = Promise()
    promise.on_cancel(waited.cancel)
    waited.then(lambda _: promise.complete(answer))
    return promise
