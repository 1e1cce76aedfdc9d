"""The last Fetch of a connection, to know the next one by: it mostly differs in four numbers.

Who tails a log asks again and again in the same bytes, but for the correlation id, the session's
epoch, the offset and the watermark. To decode those anew costs more than all the rest of a parked
fetch that comes back. So the bytes are kept with the places of these numbers, which are found by
encoding the decoded request with other numbers in it; a frame that is not what we would have
written ourselves is not kept. The next frame is held against them to the byte.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import Any, Final

from attrs import define, frozen

from metaquorum.base.limits import LAST_FETCH_BYTES, LAST_FETCH_TRIES
from metaquorum.wire.headers import RequestHeader

_CORRELATION_AT: Final = 4
_CORRELATION_ENDS: Final = 8
_SESSIONS_FROM: Final = 7
_WATERMARK_FROM: Final = 18
_LONG: Final = Struct(">q")
_INT: Final = Struct(">i")
_ABSENT: Final = -1
NOT_SOUGHT: Final = object()
"""Nobody has asked yet how a fetch is answered that comes again."""


@frozen
class _Form:
    """A frame without its size; the pieces between its numbers, and where each number begins."""

    size: int
    key_and_version: bytes
    pieces: tuple[tuple[int, int, bytes], ...]
    session_epoch_at: int
    offset_at: int
    watermark_at: int


@define(eq=False)
class LastFetch:
    """Of one connection. What ``again`` returns is the same request as before, with new numbers:
    one request of a connection is served at a time, so nobody looks at the last one any more.
    """

    way: Any = NOT_SOUGHT
    """How it is answered when it comes again; None if there is no shorter way than the first."""
    _form: _Form | None = None
    _header: RequestHeader | None = None
    _message: Any = None
    _tries: int = 0

    def again(self, frame: bytes) -> tuple[RequestHeader, Any] | None:
        """Header and message of a frame, if it asks what the last one asked."""
        form = self._form
        if form is None or len(frame) != form.size:
            return None
        if frame[:_CORRELATION_AT] != form.key_and_version:
            return None
        for begins, ends, piece in form.pieces:
            if frame[begins:ends] != piece:
                return None
        header, message = self._header, self._message
        assert header is not None
        if form.session_epoch_at != _ABSENT:
            (message.session_epoch,) = _INT.unpack_from(frame, form.session_epoch_at)
        row = message.topics[0].partitions[0]
        (row.fetch_offset,) = _LONG.unpack_from(frame, form.offset_at)
        if form.watermark_at != _ABSENT:
            (row.high_watermark,) = _LONG.unpack_from(frame, form.watermark_at)
        (correlation_id,) = _INT.unpack_from(frame, _CORRELATION_AT)
        if correlation_id != header.correlation_id:
            header = RequestHeader(
                header.api_key, header.api_version, correlation_id, header.client_id
            )
        return header, message

    def keep(self, frame: bytes, at: int, header: RequestHeader, message: Any, codec: Any) -> None:
        """Keep a request that was decoded, its body at ``at``, if it is short and of one partition.

        A connection whose requests turn out to differ otherwise is soon given up.
        """
        if len(frame) > LAST_FETCH_BYTES or self._tries > LAST_FETCH_TRIES:
            return
        if len(message.topics) != 1 or len(message.topics[0].partitions) != 1:
            return
        self._tries += 1
        self.way = NOT_SOUGHT
        self._form = form_of(frame, at, header, message, codec)
        if self._form is not None:
            self._header, self._message = header, message


def form_of(frame: bytes, at: int, header: RequestHeader, message: Any, codec: Any) -> _Form | None:
    """Where the numbers stand; None if the frame is not written as we write them."""
    version = header.api_version
    if header.unknown_tags or codec.encode(message, version) != frame[at:]:
        return None
    row = message.topics[0].partitions[0]

    def place(owner: Any, name: str, number: Struct, since: int) -> int:
        if version < since:
            return _ABSENT
        found = _place(owner, name, number, lambda: bytes(codec.encode(message, version)))
        return found if found == _ABSENT else at + found

    session_epoch_at = place(message, "session_epoch", _INT, _SESSIONS_FROM)
    offset_at = place(row, "fetch_offset", _LONG, 0)
    watermark_at = place(row, "high_watermark", _LONG, _WATERMARK_FROM)
    if offset_at == _ABSENT:
        return None
    sizes = ((session_epoch_at, _INT.size), (offset_at, _LONG.size), (watermark_at, _LONG.size))
    begins, pieces = _CORRELATION_ENDS, []
    for stands_at, size in sorted(one for one in sizes if one[0] != _ABSENT):
        pieces.append((begins, stands_at, frame[begins:stands_at]))
        begins = stands_at + size
    pieces.append((begins, len(frame), frame[begins:]))
    return _Form(
        len(frame),
        frame[:_CORRELATION_AT],
        tuple(pieces),
        *(session_epoch_at, offset_at, watermark_at),
    )


def _place(owner: Any, name: str, number: Struct, encode: Callable[[], bytes]) -> int:
    """Where in the body a number stands, or -1 if it is left out there."""
    before, body = getattr(owner, name), encode()
    try:
        setattr(owner, name, 0)
        zeros = encode()
        setattr(owner, name, -1)
        ones = encode()
    finally:
        setattr(owner, name, before)
    if not len(zeros) == len(ones) == len(body):
        return _ABSENT
    at = next(at for at, (one, other) in enumerate(zip(zeros, ones)) if one != other)
    return at if body[at : at + number.size] == number.pack(before) else _ABSENT
