"""What a follower is told, written by what it was told before: watermark and records differ.

Between an append and the disks of the others lie the leader's answers to their fetches, and most of
what those say is the same for a whole epoch: whose log it is, who leads, where, and since when.
The places of what differs are found by encoding an answer with other values there.
"""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import Any, Final

from attrs import define, evolve

from metaquorum.base.limits import ENCODED_ANSWER_BYTES, LAST_FETCH_TRIES
from metaquorum.base.offsets import NO_OFFSET, Offset
from metaquorum.quorum.messages import NONE, FetchResponse, Hint, LogSlice
from metaquorum.wire.differences import NOWHERE, first_difference
from metaquorum.wire.primitives import uvarint
from metaquorum.wire.slices import SliceChain

_LONG: Final = Struct(">q")
_SAMPLES: Final = (b"", b"records", bytes(1_000))

Encode = Callable[[FetchResponse, bytes], bytes]
"""The body of an answer on the wire, with these bytes as its records."""

Resolve = Callable[[LogSlice], Any]
"""As of ``AnswerContext``."""


@define(eq=False)
class LastAnswer:
    """Of one follower and version. What is not an answer like the last is encoded as ever: one of
    another leader, with an error, to a log that parted from ours, or with records in files.
    """

    encode: Encode
    resolve: Resolve
    _hint: Hint | None = None
    _log_start: Offset = NO_OFFSET
    _before: bytes = b""
    _between: bytes = b""
    _after: bytes = b""
    _tries: int = 0

    def again(self, response: Any) -> bytes | None:
        """The body of this answer; None if it differs in more than that."""
        if self._hint is None or not _is_plain(response):
            return None
        if response.log_start != self._log_start:
            return None
        if response.hint is not self._hint and response.hint != self._hint:
            return None
        found: Any = b""
        if isinstance(response.records, LogSlice):
            found = self.resolve(response.records)
        pieces: tuple[Any, ...] = found.parts if isinstance(found, SliceChain) else (found,)
        if not all(type(piece) is bytes for piece in pieces):
            return None
        records: bytes = pieces[0] if len(pieces) == 1 else b"".join(pieces)
        if len(records) > ENCODED_ANSWER_BYTES:
            return None
        return self._written(response.high_watermark, records)

    def keep(self, response: Any) -> None:
        """Keep an answer to write the next ones by, if they can be written so.

        A follower whose answers always differ otherwise is soon given up.
        """
        if not _is_plain(response) or self._tries >= LAST_FETCH_TRIES:
            return
        if response.hint == self._hint and response.log_start == self._log_start:
            return  # it was its records that are not in memory
        self._hint = None
        self._tries += 1
        first = evolve(response, high_watermark=0, records=None)
        zeros = self.encode(first, b"")
        watermark_at = first_difference(zeros, self.encode(evolve(first, high_watermark=-1), b""))
        records_at = first_difference(zeros, self.encode(first, b"\0"))
        if not NOWHERE < watermark_at <= records_at - _LONG.size:
            return
        self._before = zeros[:watermark_at]
        self._between = zeros[watermark_at + _LONG.size : records_at]
        self._after = zeros[records_at + 1 :]
        if all(self._written(0, one) == self.encode(first, one) for one in _SAMPLES):
            self._hint, self._log_start = response.hint, response.log_start

    def _written(self, high_watermark: Offset, records: bytes) -> bytes:
        watermark, size = _LONG.pack(high_watermark), uvarint(len(records) + 1)
        return b"".join((self._before, watermark, self._between, size, records, self._after))


def _is_plain(response: Any) -> bool:
    """Whether it is the answer to a fetch of what there is, or will be."""
    return (
        type(response) is FetchResponse
        and response.error == NONE
        and response.diverging is None
        and response.snapshot is None
    )
