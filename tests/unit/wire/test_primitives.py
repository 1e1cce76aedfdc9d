from __future__ import annotations

from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaquorum.wire.errors import EncodeError, Malformed
from metaquorum.wire.primitives import (
    get_tag_count,
    get_tag_head,
    get_tags,
    get_uvarint,
    get_varlong,
    joined,
    lengthen,
    lengthen_text,
    long_count,
    long_text,
    put_records,
    put_tags,
    uvarint,
    varlong,
    whole,
)
from metaquorum.wire.slices import FileSlice, Parts, SliceChain

quick = settings(derandomize=True, deadline=None, max_examples=80)


@quick
@given(st.integers(0, 0xFFFFFFFF) | st.integers(0, 300) | st.integers(16_380, 16_390))
def test_unsigned_varints_survive(value: int) -> None:
    data = uvarint(value)
    assert get_uvarint(b"\xff" + data + b"\xff", 1) == (value, 1 + len(data))
    assert len(data) == max(1, -(-value.bit_length() // 7))


@quick
@given(st.integers(-(1 << 63), (1 << 63) - 1) | st.integers(-200, 200))
def test_zigzag_varints_survive(value: int) -> None:
    data = varlong(value)
    assert get_varlong(data, 0) == (value, len(data))


def test_varints_are_bounded() -> None:
    with pytest.raises(Malformed, match="more than five bytes"):
        get_uvarint(b"\x80" * 5 + b"\x01", 0)
    with pytest.raises(Malformed, match="more than 32 bits"):
        get_uvarint(b"\xff" * 4 + b"\x1f", 0)
    with pytest.raises(Malformed, match="more than ten bytes"):
        get_varlong(b"\x80" * 10 + b"\x01", 0)
    with pytest.raises(Malformed, match="more than 64 bits"):
        get_varlong(b"\xff" * 9 + b"\x02", 0)
    for bad in (-1, 1 << 32):
        with pytest.raises(ValueError, match="32 bits"):
            uvarint(bad)
    with pytest.raises(ValueError, match="64 bits"):
        varlong(1 << 63)


@pytest.mark.parametrize("data", [b"", b"\x80", b"\xff\xff\xff\xff"])
def test_a_varint_that_has_no_end_is_an_index_error(data: bytes) -> None:
    with pytest.raises(IndexError):
        get_uvarint(data, 0)


def test_long_lengths_are_held_against_the_bytes_left() -> None:
    data = uvarint(201) + bytes(200)
    assert long_count(data, 1, 1) == (201, 2)
    with pytest.raises(Malformed, match="200 elements, with 200 bytes left"):
        long_count(data, 1, 2)
    with pytest.raises(Malformed, match="null"):
        long_count(b"\0", 1, 1)
    wide = uvarint(20_001) + bytes(20_000)
    assert long_count(wide, 1, 1) == (20_001, 3)


def test_a_text_has_a_limit_of_its_own() -> None:
    assert long_text(uvarint(32_768), 1) == (32_768, 3)
    with pytest.raises(Malformed, match="a text of 32768 bytes, the most is 32767"):
        long_text(uvarint(32_769), 1)
    with pytest.raises(Malformed, match="null"):
        long_text(b"\0", 1)
    with pytest.raises(ValueError, match="the most is 32767"):
        lengthen_text([b"\0"], 32_769)


def test_a_length_replaces_the_zero_that_was_written_for_it() -> None:
    parts: Parts = [b"first", b"ab\0"]
    lengthen(parts, 300)
    assert parts == [b"first", b"ab\xac\x02"]


def test_tags_rise_and_fit() -> None:
    tags, at = get_tags(b"\x02\x01\x01a\x05\x00z", 0)
    assert (tags, at) == (((1, b"a"), (5, b"")), 6)
    with pytest.raises(Malformed, match="tag 1 after tag 1"):
        get_tags(b"\x02\x01\x00\x01\x00", 0)
    with pytest.raises(Malformed, match="tag 0 after tag 1"):
        get_tags(b"\x02\x01\x00\x00\x00", 0)
    with pytest.raises(Malformed, match="tag 3 of 4 bytes, with 2 left"):
        get_tag_head(b"\x03\x04ab", 0, -1)
    with pytest.raises(Malformed, match="2 tagged fields, with 3 bytes left"):
        get_tag_count(b"\x02abc", 0)


def test_known_and_unknown_tags_are_written_in_order_once() -> None:
    parts: Parts = [b"x\0"]
    put_tags(parts, [(1, b"b")], ((0, b"a"), (300, b"")))
    assert b"".join(parts) == b"x\x03\x00\x01a\x01\x01b\xac\x02\x00"  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="tag 1 is here twice"):
        put_tags([b"\0"], [(1, b"")], ((1, b""),))


def test_records_go_through_unread() -> None:
    place = FileSlice(-1, 0, 10)
    parts: Parts = []
    put_records(parts, b"a")
    put_records(parts, place)
    put_records(parts, SliceChain((b"b", place)))
    assert parts == [b"a", place, b"b", place]
    with pytest.raises(TypeError, match="records are bytes or slices, not str"):
        put_records(parts, "text")  # type: ignore[arg-type]


def test_a_file_slice_cannot_be_flattened() -> None:
    assert joined([b"a", memoryview(b"b")]) == b"ab"
    with pytest.raises(EncodeError, match="cannot be flattened"):
        joined([b"a", FileSlice(-1, 0, 1)])


def test_the_bytes_behind_a_whole_view_are_not_copied() -> None:
    data = bytes(range(20))
    assert whole(data) is data
    assert whole(memoryview(data)) is data
    assert whole(memoryview(data)[1:]) == data[1:]
    assert whole(bytearray(data)) == data  # type: ignore[arg-type]
    assert whole(memoryview(data)[::-1]) == data[::-1]
    assert whole(memoryview(bytearray(data))) == data
    numbers = array("i", [1, 2])
    assert whole(memoryview(numbers).cast("B")) == numbers.tobytes()
