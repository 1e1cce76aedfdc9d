"""Frames out of a stream in arbitrary pieces: the same ones, however the stream was cut."""

from __future__ import annotations

from metaquorum.testing.fuzz.promise import promise
from metaquorum.wire.frames import SIZE_BYTES, FrameError, FrameReader, frame

LIMIT_BYTES = 1_000
_PIECES = 8  # input bytes that say how long the pieces are, in turn


def frames_in(stream: bytes, limit_bytes: int) -> tuple[list[bytes], bool]:
    """The plainest reading: the whole frames, and whether a size follows that none may have."""
    found: list[bytes] = []
    at = 0
    while at + SIZE_BYTES <= len(stream):
        size = int.from_bytes(stream[at : at + SIZE_BYTES], "big", signed=True)
        if not 0 <= size <= limit_bytes:
            return found, True
        after = at + SIZE_BYTES + size
        if after > len(stream):
            break
        found.append(stream[at + SIZE_BYTES : after])
        at = after
    return found, False


def one_input(data: bytes) -> bool:
    """Eight lengths of pieces, then the stream; whether it held a frame and no bad size."""
    lengths, stream = data[:_PIECES], data[_PIECES:]
    wanted, broken = frames_in(stream, LIMIT_BYTES)
    reader = FrameReader(LIMIT_BYTES)
    found: list[bytes] = []
    at = turn = 0
    try:
        while at < len(stream):
            length = 1 + lengths[turn % len(lengths)]
            found += map(bytes, reader.feed(stream[at : at + length]))
            at += length
            turn += 1
            promise(reader.pending_bytes < SIZE_BYTES + LIMIT_BYTES, "one unfinished frame is held")
    except FrameError as why:
        promise(broken, f"only a size that no frame has is refused: {why}")
        promise(wanted[: len(found)] == found, "frames before the refusal are those of the stream")
        return False
    promise(not broken, "a size that no frame has is refused")
    promise(found == wanted, "pieces make the same frames as the whole stream")
    whole = b"".join(bytes(part) for each in found for part in frame([each]))  # type: ignore[arg-type]
    promise(stream.startswith(whole), "frames written again are the stream")
    return bool(found)
