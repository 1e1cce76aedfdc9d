"""Numbers of variable length, against the values of Kafka's protocol description."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaquorum.records.errors import CorruptRecord
from metaquorum.records.varints import read_uvarint, read_varint, read_varlong, uvarint, varint


@pytest.mark.parametrize(
    ("value", "text"),
    [(-1, "01"), (0, "00"), (1, "02"), (-2, "03"), (63, "7e"), (64, "8001"), (-64, "7f")],
)
def test_zig_zag_numbers_are_written_as_kafka_does(value: int, text: str) -> None:
    assert varint(value).hex() == text
    assert read_varint(bytes.fromhex(text), 0) == (value, len(text) // 2)


@settings(derandomize=True, deadline=None, max_examples=200)
@given(st.integers(-(2**63), 2**63 - 1))
def test_long_numbers_are_read_back(value: int) -> None:
    text = varint(value)

    assert read_varlong(b"\xff" + text, 1) == (value, 1 + len(text))


@settings(derandomize=True, deadline=None, max_examples=100)
@given(st.integers(0, 2**32 - 1))
def test_unsigned_numbers_are_read_back(value: int) -> None:
    assert read_uvarint(uvarint(value), 0) == (value, len(uvarint(value)))


def test_a_number_that_does_not_end_is_refused() -> None:
    with pytest.raises(CorruptRecord, match="exceeds 5 bytes"):
        read_uvarint(b"\x80" * 9, 0)
    with pytest.raises(CorruptRecord, match="cut off"):
        read_varlong(b"\x80\x80", 0)


def test_a_negative_number_has_no_unsigned_form() -> None:
    with pytest.raises(ValueError, match="-1 has no unsigned form"):
        uvarint(-1)
