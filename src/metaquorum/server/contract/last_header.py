"""The head of a connection's last request, to know that of the next one by.

Who asks again mostly asks the same API in the same version under the same name: but for the
correlation id the header is the same bytes. To read those again costs as much as to decode a small
request, so they are compared.
"""

from __future__ import annotations

from attrs import define

from metaquorum.base.limits import LAST_HEADER_BYTES
from metaquorum.wire.headers import RequestHeader

_CORRELATION_AT = 4
_CORRELATION_ENDS = 8


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
