"""The last request of a connection, to recognise the next one by its bytes.

Clients repeat themselves: the header differs in the correlation id alone, and a Fetch that tails
a log in the correlation id, the session's epoch, the offset and the high watermark. To decode those
again costs more than all the rest of a long poll, so they are compared with the last ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from struct import Struct
from typing import TYPE_CHECKING, Final, Generic, TypeAlias, TypeVar

from attrs import define

from metaquorum.base.limits import LAST_FETCH_BYTES, LAST_HEADER_BYTES
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.steps import Encoded
from metaquorum.wire.frames import SIZE_BYTES
from metaquorum.wire.headers import RequestHeader
from metaquorum.wire.message import Message
from metaquorum.wire.registry import Codec
from metaquorum.wire.template import LastMessage

if TYPE_CHECKING:
    from metaquorum.wire.generated.fetch_request import FetchRequest
    from metaquorum.wire.generated.fetch_response import FetchResponse

_INT: Final = Struct(">i")
_CORRELATION_AT: Final = 4
_CORRELATION_ENDS: Final = 8
_SESSIONS_FROM: Final = 7
_WATERMARK_FROM: Final = 18
_WATERMARK_UNSAID: Final = (1 << 63) - 1


class NotSought(Enum):
    """Nobody has asked yet how a fetch is answered that comes again."""

    NOT_SOUGHT = 0


NOT_SOUGHT: Final = NotSought.NOT_SOUGHT

FetchAnswer: TypeAlias = (
    "FetchResponse | Encoded | Promise[FetchResponse] | Promise[FetchResponse | Encoded]"
)
"""The answer to a fetch, or a promise of it."""

Way = TypeVar("Way")


@define(eq=False)
class LastHeader:
    """Of one connection: what stood before and behind the correlation id, and what that meant."""

    _header: RequestHeader | None = None
    _at: int = 0
    _before: bytes = b""
    _behind: bytes = b""

    def again(self, frame: bytes) -> tuple[RequestHeader, int] | None:
        """Header and position of the body, as ``read_request_header`` would find them; None if
        they are to be read.
        """
        last = self._header
        if (
            last is None
            or not frame.startswith(self._behind, _CORRELATION_ENDS)
            or not frame.startswith(self._before)
        ):
            return None
        correlation_id = int.from_bytes(
            frame[_CORRELATION_AT:_CORRELATION_ENDS], "big", signed=True
        )
        header = RequestHeader(
            last.api_key, last.api_version, correlation_id, last.client_id, last.unknown_tags
        )
        return header, self._at

    def keep(self, frame: bytes, header: RequestHeader, at: int) -> None:
        """Keep a header that was read, and the position behind it, unless it is a long one."""
        if at <= LAST_HEADER_BYTES:
            self._header, self._at = header, at
            self._before, self._behind = frame[:_CORRELATION_AT], frame[_CORRELATION_ENDS:at]


@define(eq=False)
class LastFetch(LastMessage, Generic[Way]):
    """Of one connection. What ``again`` returns is the message of before, with new numbers in it:
    one request of a connection is served at a time, so the last one is in nobody's hands.
    """

    way: Way | NotSought | None = NOT_SOUGHT
    """How it is answered when it comes again; None if there is no shorter way than the first."""
    has_quotas: bool = True
    """Whether client quotas apply to this client."""
    _header: RequestHeader | None = None
    _message: FetchRequest | None = None
    _has_session: bool = False
    _has_watermark: bool = False

    def again_whole(self, data: bytes) -> tuple[RequestHeader, FetchRequest] | None:
        """As ``again``, for bytes that may be a frame with its size in front, or anything else."""
        if self.template is None:
            return None
        size = self.template.layout.size
        if len(data) != size + SIZE_BYTES or _INT.unpack_from(data)[0] != size:
            return None
        return self.again(data, SIZE_BYTES)

    def again(self, frame: bytes, at: int = 0) -> tuple[RequestHeader, FetchRequest] | None:
        """Header and message of a frame, if it asks what the last one asked."""
        template = self.template
        if template is None or (numbers := template.match(frame, at)) is None:
            return None
        header, message = self._header, self._message
        assert header is not None and message is not None
        row = message.topics[0].partitions[0]
        if self._has_watermark:
            row.high_watermark = numbers[-1]
        if self._has_session:
            message.session_epoch, row.fetch_offset = numbers[1], numbers[2]
        else:
            row.fetch_offset = numbers[1]
        correlation_id = numbers[0]
        if correlation_id != header.correlation_id:
            header = RequestHeader(
                header.api_key, header.api_version, correlation_id, header.client_id
            )
        return header, message

    def keep(
        self, frame: bytes, at: int, header: RequestHeader, message: FetchRequest, codec: Codec
    ) -> None:
        """Keep a request that was decoded, its body at ``at``, if it is short, of one partition,
        and written as we would write it ourselves.
        """
        if len(frame) > LAST_FETCH_BYTES:
            return
        if len(message.topics) != 1 or len(message.topics[0].partitions) != 1:
            return
        version, row = header.api_version, message.topics[0].partitions[0]
        has_session = version >= _SESSIONS_FROM
        has_watermark = version >= _WATERMARK_FROM and row.high_watermark != _WATERMARK_UNSAID
        fields: list[tuple[Message, str, str]] = []
        if has_session:
            fields.append((message, "session_epoch", "i"))
        fields.append((row, "fetch_offset", "q"))
        if has_watermark:
            fields.append((row, "high_watermark", "q"))

        def put(numbers: Sequence[int]) -> None:
            for (owner, name, _), number in zip(fields, numbers[1:], strict=True):
                setattr(owner, name, number)

        def encode(numbers: Sequence[int]) -> bytes:
            put(numbers)
            correlation = numbers[0].to_bytes(4, "big", signed=True)
            body: bytes = codec.encode(message, version)
            return b"".join(
                (frame[:_CORRELATION_AT], correlation, frame[_CORRELATION_ENDS:at], body)
            )

        own = header.correlation_id, *(getattr(owner, name) for owner, name, _ in fields)
        try:
            is_learnt = self.learn("i" + "".join(code for _, _, code in fields), encode)
        finally:
            put(own)
        if not is_learnt or self.template is None:
            return
        if header.unknown_tags or self.template.match(frame) != own:
            self.template = None
            return
        self.way, self._header, self._message = NOT_SOUGHT, header, message
        self._has_session, self._has_watermark = has_session, has_watermark
