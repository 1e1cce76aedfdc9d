"""The last fetch that was written for a peer, to write the next one by: three numbers differ.

A follower asks for the log again and again in the same bytes, but for the correlation id, its place
and the watermark that it knows. To make and encode such a request takes as long as all else that it
does between two of them, and the leader waits meanwhile. The places of the numbers are found by
encoding the request with others in it.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import Any, Final

from attrs import define, evolve

from metaquorum.base.limits import LAST_FETCH_TRIES
from metaquorum.quorum.messages import HIGH_WATERMARK_UNSAID, FetchRequest
from metaquorum.wire.differences import NOWHERE, first_difference

_CORRELATION_AT: Final = 8  # behind size, API key and version
_INT: Final = Struct(">i")
_LONG: Final = Struct(">q")
_UNSAID: Final = (None, HIGH_WATERMARK_UNSAID)
"""The watermarks that are left out of a request."""

Encode = Callable[[FetchRequest], bytes]
"""The whole frame of a request, under the correlation id of the one that is to be kept."""


@define(eq=False)
class LastQuestion:
    """Of one connection. What is not a fetch like the last one is encoded as ever."""

    _same: tuple[Any, ...] = ()
    _data: bytes = b""
    _offset_at: int = NOWHERE
    _watermark_at: int = NOWHERE
    _tries: int = 0

    def again(self, message: Any, correlation: int) -> bytes | None:
        """The frame of this request; None if it differs in more than those numbers."""
        if self._offset_at == NOWHERE or type(message) is not FetchRequest:
            return None
        if message.high_watermark in _UNSAID or _same_of(message) != self._same:
            return None
        frame = bytearray(self._data)
        _INT.pack_into(frame, _CORRELATION_AT, correlation)
        _LONG.pack_into(frame, self._offset_at, message.offset)
        _LONG.pack_into(frame, self._watermark_at, message.high_watermark)
        return bytes(frame)

    def keep(self, message: Any, data: bytes, encode: Encode) -> None:
        """Keep what was encoded, if it is a fetch that says which watermark it knows.

        A connection whose fetches always differ otherwise is soon given up.
        """
        if type(message) is not FetchRequest or message.high_watermark in _UNSAID:
            return
        if self._tries >= LAST_FETCH_TRIES:
            return
        self._tries += 1
        zeros = encode(evolve(message, offset=0, high_watermark=0))
        of_offset = encode(evolve(message, offset=-1, high_watermark=0))
        of_watermark = encode(evolve(message, offset=0, high_watermark=-1))
        offset_at = first_difference(zeros, of_offset)
        watermark_at = first_difference(zeros, of_watermark)
        self._offset_at = NOWHERE
        sizes = {len(one) for one in (data, zeros, of_offset, of_watermark)}
        if NOWHERE in (offset_at, watermark_at) or len(sizes) > 1:
            return  # this version does not say the watermark
        self._same, self._data = _same_of(message), data
        self._offset_at, self._watermark_at = offset_at, watermark_at


def _same_of(message: FetchRequest) -> tuple[Any, ...]:
    """All of a fetch but its place and its watermark."""
    return (
        *(message.replica, message.epoch, message.last_epoch),
        *(message.max_wait_ms, message.max_bytes),
    )
