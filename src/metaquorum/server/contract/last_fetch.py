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
from metaquorum.wire.frames import SIZE_BYTES
from metaquorum.wire.headers import RequestHeader

_CORRELATION_AT: Final = 4
_SESSIONS_FROM: Final = 7
_WATERMARK_FROM: Final = 18
_LONG: Final = Struct(">q")
_INT: Final = Struct(">i")
_SIZES: Final = {"i": 4, "q": 8}
_ABSENT: Final = -1
NOT_SOUGHT: Final = object()
"""Nobody has asked yet how a fetch is answered that comes again."""


@frozen
class _Form:
    """A frame without its size: what is the same in all of them, and numbers in between."""

    size: int
    layout: Struct
    fixed: tuple[bytes, ...]
    has_session: bool
    has_watermark: bool


@define(eq=False)
class LastFetch:
    """Of one connection. What ``again`` returns is the same request as before, with new numbers:
    one request of a connection is served at a time, so nobody looks at the last one any more.
    """

    way: Any = NOT_SOUGHT
    """How it is answered when it comes again; None if there is no shorter way than the first."""
    has_quotas: bool = True
    """Whether quotas of clients speak of who asks."""
    _form: _Form | None = None
    _header: RequestHeader | None = None
    _message: Any = None
    _tries: int = 0

    def again_whole(self, data: bytes) -> tuple[RequestHeader, Any] | None:
        """The same of bytes that may be a frame with its size in front, or anything else."""
        form = self._form
        if form is None or len(data) != form.size + SIZE_BYTES:
            return None
        if _INT.unpack_from(data)[0] != form.size:
            return None
        return self.again(data, SIZE_BYTES)

    def again(self, frame: bytes, at: int = 0) -> tuple[RequestHeader, Any] | None:
        """Header and message of a frame, if it asks what the last one asked."""
        form = self._form
        if form is None or len(frame) - at != form.size:
            return None
        found = form.layout.unpack_from(frame, at)
        if found[::2] != form.fixed:
            return None
        header, message = self._header, self._message
        assert header is not None
        row = message.topics[0].partitions[0]
        if form.has_watermark:
            row.high_watermark = found[-2]
        if form.has_session:
            message.session_epoch, row.fetch_offset = found[3], found[5]
        else:
            row.fetch_offset = found[3]
        correlation_id = found[1]
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
    numbers = [(_CORRELATION_AT, "i"), (offset_at, "q")]
    if session_epoch_at != _ABSENT:
        numbers.insert(1, (session_epoch_at, "i"))
    if watermark_at != _ABSENT:
        numbers.append((watermark_at, "q"))
    if numbers != sorted(numbers):
        return None  # no version has them in another order
    ends, layout = 0, ">"
    for stands_at, code in numbers:
        layout += f"{stands_at - ends}s{code}"
        ends = stands_at + _SIZES[code]
    whole = Struct(f"{layout}{len(frame) - ends}s")
    return _Form(
        len(frame),
        whole,
        whole.unpack(frame)[::2],
        session_epoch_at != _ABSENT,
        watermark_at != _ABSENT,
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
