"""Long requests, counted and decoded in steps.

Thousands of rows take tens of milliseconds to become objects. The messages that may have so many
begin with the array of their rows. Some elements of it, a count in front and an empty message's end
behind them, are a message of their own, which the ordinary decoder reads; the last one has the end
that was sent.
"""

from __future__ import annotations

import re

from metaquorum.base.limits import ROWS_READ_PER_STEP
from metaquorum.server.contract.steps import Steps
from metaquorum.wire.errors import DecodeError
from metaquorum.wire.message import Message
from metaquorum.wire.primitives import uvarint
from metaquorum.wire.registry import Codec
from metaquorum.wire.rows import Piece, RowCounter

_COUNT_BYTES = 4


def decoded_in_steps(
    codec: Codec, counter: RowCounter, frame: bytes, version: int, at: int, limit: int
) -> Steps[Message]:
    """The message at ``at``; DecodeError if it is none or has more than ``limit`` rows."""
    is_flexible = codec.FLEXIBLE_FROM is not None and version >= codec.FLEXIBLE_FROM
    empty = codec.encode(getattr(codec, codec.NAME)(), version)
    end_of_empty = empty[1 if is_flexible else _COUNT_BYTES :]
    name = counter.steps[0].name
    rows: list[Message] = []
    for piece in counter.pieces(frame, at, limit, ROWS_READ_PER_STEP):
        count = uvarint(piece.count + 1) if is_flexible else piece.count.to_bytes(4, "big")
        end = b"" if piece.is_last else end_of_empty
        try:
            message: Message = codec.decode(count + frame[piece.start : piece.end] + end, version)
        except DecodeError as error:
            raise _placed(error, piece, len(count)) from None
        rows += getattr(message, name)
        yield None
    setattr(message, name, rows)
    return message


def _placed(error: DecodeError, piece: Piece, count_bytes: int) -> DecodeError:
    """The same fault where it lies in the whole message."""
    path = re.sub(
        r"\[(\d+)\]", lambda found: f"[{int(found[1]) + piece.first}]", error.path, count=1
    )
    return DecodeError(path, error.at + piece.start - count_bytes, error.why)
