from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaquorum.wire.frames import FrameBuffer, FrameError, FrameReader, frame
from metaquorum.wire.slices import FileSlice, Parts, SliceChain

LIMIT = 1000


def framed(*bodies: bytes) -> bytes:
    return b"".join(len(body).to_bytes(4, "big") + body for body in bodies)


@settings(derandomize=True, deadline=None, max_examples=60)
@given(st.lists(st.binary(max_size=40), max_size=6), st.lists(st.integers(1, 9), min_size=1))
def test_frames_come_out_whole_however_the_bytes_come_in(
    bodies: list[bytes], steps: list[int]
) -> None:
    reader = FrameReader(LIMIT)
    data = framed(*bodies)
    found = []
    at = turn = 0
    while at < len(data):
        step = steps[turn % len(steps)]
        found += reader.feed(data[at : at + step])
        at, turn = at + step, turn + 1
    assert [bytes(body) for body in found] == bodies
    assert reader.pending_bytes == 0


def test_an_unfinished_frame_is_held_and_counted() -> None:
    reader = FrameReader(LIMIT)
    data = framed(b"abcdef")
    assert reader.feed(data[:3]) == []
    assert reader.pending_bytes == 3
    assert reader.feed(data[3:7]) == []
    assert reader.pending_bytes == 7
    assert reader.feed(data[7:] + b"\0") == [b"abcdef"]
    assert reader.pending_bytes == 1


def test_a_frame_may_be_empty_and_as_large_as_the_limit() -> None:
    reader = FrameReader(LIMIT)
    assert reader.feed(framed(b"", b"x" * LIMIT)) == [b"", b"x" * LIMIT]


@pytest.mark.parametrize("size", [-1, -(1 << 31), LIMIT + 1, (1 << 31) - 1])
def test_a_size_that_no_frame_may_have_ends_the_connection(size: int) -> None:
    reader = FrameReader(LIMIT)
    with pytest.raises(FrameError, match=f"a frame of {size} bytes; 0 to 1000 are allowed"):
        reader.feed(size.to_bytes(4, "big", signed=True))


def test_a_bad_size_is_seen_before_anything_is_kept_for_it() -> None:
    reader = FrameReader(LIMIT)
    reader.feed(b"\x7f\xff\xff")
    with pytest.raises(FrameError):
        reader.feed(b"\xff")
    assert reader.pending_bytes == 0


def test_a_frame_counts_file_slices_without_reading_them() -> None:
    parts: Parts = [b"ab", FileSlice(fd=-1, position=7, length_bytes=300), memoryview(b"c")]
    assert frame(parts) == [(303).to_bytes(4, "big"), *parts]


def test_a_chain_is_as_long_as_its_pieces() -> None:
    chain = SliceChain((b"abc", FileSlice(-1, 0, 10), memoryview(b"de")))
    assert len(chain) == 15


def test_slices_are_equal_whatever_pins_them() -> None:
    assert FileSlice(3, 0, 5, pin=object()) == FileSlice(3, 0, 5)


def test_a_buffer_returns_one_frame_at_a_time_and_reports_held_bytes():
    buffer = FrameBuffer()
    assert buffer.size is None
    buffer.feed(b"\0\0\0\3abc\0\0\0\2de\0\0")
    assert (buffer.size, buffer.held_bytes) == (3, 15)
    assert buffer.take(3) == b"abc"
    assert buffer.head == b"\0\0\0\2de"
    assert buffer.take(2) == b"de"
    assert buffer.size is None
    assert buffer.compact() == 2
    buffer.feed(b"\0\1")
    buffer.feed(b"x")
    assert buffer.size == 1
    assert buffer.take(1) == b"x"
    assert buffer.compact() == 0


def test_a_buffer_passes_any_size_on_for_others_to_judge():
    buffer = FrameBuffer()
    buffer.feed(b"\xff\xff\xff\xffGET")
    assert buffer.size == -1
    buffer.clear()
    assert (buffer.size, buffer.held_bytes, buffer.head) == (None, 0, b"")
