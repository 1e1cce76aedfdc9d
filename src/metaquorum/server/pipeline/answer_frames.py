"""Answers as frames of few parts, which leave by one call of the system."""

from __future__ import annotations

from typing import Final

from metaquorum.base.limits import MAX_RESPONSE_BYTES
from metaquorum.wire.frames import SIZE_BYTES, too_large
from metaquorum.wire.frames import frame as framed
from metaquorum.wire.primitives import Parts
from metaquorum.wire.slices import FileSlice

_FEW_PARTS: Final = 6  # so that all that is pipelined in a turn leaves in one send
_COPIED_BYTES: Final = 4_096  # once more costs less than one part more


def framed_in_few(parts: Parts) -> Parts:
    """A frame in few parts: to send ten thousand small ones takes ten times as long."""
    if len(parts) < _FEW_PARTS:
        return framed(parts)
    try:
        body = b"".join(parts)  # type: ignore[arg-type]
    except TypeError:  # pieces of files, which stay what they are
        return _gathered(framed(parts))
    if len(body) > MAX_RESPONSE_BYTES:
        raise too_large(len(body))
    size = len(body).to_bytes(SIZE_BYTES, "big")
    return [size + body] if len(body) <= _COPIED_BYTES else [size, body]


def _gathered(parts: Parts) -> Parts:
    few: Parts = []
    run: list[bytes | memoryview] = []
    for part in parts:
        if isinstance(part, FileSlice):
            few += (b"".join(run), part)
            run = []
        else:
            run.append(part)
    few.append(b"".join(run))
    return few
