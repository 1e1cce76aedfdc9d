"""The last fetch that was sent to a peer, to write the next one by: three numbers differ.

A follower repeats its Fetch with another correlation id, offset and high watermark. To make and
encode such a request takes as long as all else that it does between two of them, and the leader
waits meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from attrs import define, evolve

from metaquorum.quorum.messages import HIGH_WATERMARK_UNKNOWN, FetchRequest, Request
from metaquorum.wire.template import LastMessage

_UNSAID: Final = (None, HIGH_WATERMARK_UNKNOWN)
"""The watermarks that are left out of a request."""

Encode = Callable[[FetchRequest, int], bytes]
"""The whole frame of a request under a correlation id."""


@define(eq=False)
class FetchTemplate(LastMessage):
    """Of one connection. What is not a fetch like the last one is encoded as any other."""

    _same: tuple[object, ...] = ()

    def frame(self, message: Request, correlation_id: int) -> bytes | None:
        """The frame of this request; None if it differs in more than those numbers."""
        if self.template is None or type(message) is not FetchRequest:
            return None
        if message.high_watermark in _UNSAID or _same_of(message) != self._same:
            return None
        return self.template.fill(correlation_id, message.offset, message.high_watermark)

    def keep(self, message: Request, encode: Encode) -> None:
        """Learn from a request, if it is a fetch that names the watermark it knows."""
        if type(message) is not FetchRequest or message.high_watermark in _UNSAID:
            return
        fetch = message
        if self.learn(
            "iqq",
            lambda numbers: encode(
                evolve(fetch, offset=numbers[1], high_watermark=numbers[2]), numbers[0]
            ),
        ):
            self._same = _same_of(fetch)


def _same_of(message: FetchRequest) -> tuple[object, ...]:
    """All of a fetch but its offset and its watermark."""
    return (
        *(message.replica, message.epoch, message.last_epoch),
        *(message.max_wait_ms, message.max_bytes),
    )
