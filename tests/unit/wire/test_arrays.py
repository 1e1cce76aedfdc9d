from __future__ import annotations

import struct

import pytest

from metaquorum.wire.arrays import KEPT_LENGTHS, KEPT_SHAPES, ArrayReads, ArrayWrites
from metaquorum.wire.errors import Malformed


def test_elements_and_what_follows_are_read_at_once() -> None:
    reads = ArrayReads("i", "hB", 1)
    data = struct.pack(">iiihB", 1, 2, 3, 4, 5)
    assert reads[4](data, 0) == (1, 2, 3, 4, 5)
    assert reads[1](data[12:], 0) == (4, 5)
    assert ArrayReads("16s", "", 0)[2](bytes(32), 0) == (bytes(16), bytes(16))


def test_a_length_below_the_least_is_null() -> None:
    with pytest.raises(Malformed, match="null"):
        ArrayReads("i", "", 1)[0]
    with pytest.raises(Malformed, match="null"):
        ArrayReads("i", "", 0)[-1]


def test_only_short_lengths_are_kept() -> None:
    reads = ArrayReads("b", "", 0)
    assert reads[5] is reads[5]
    assert reads[KEPT_LENGTHS](bytes(KEPT_LENGTHS), 0) == (0,) * KEPT_LENGTHS
    assert list(reads) == [5]


def test_several_arrays_are_written_at_once() -> None:
    writes = ArrayWrites("hB *i B *16s x")
    uuid = bytes(range(16))
    assert writes[2, 1](9, 3, 1, 2, 2, uuid) == struct.pack(">hBiiB16sx", 9, 3, 1, 2, 2, uuid)
    assert writes[0, 0](9, 1, 1) == b"\x00\x09\x01\x01\x00"


@pytest.mark.parametrize("count", [126, 127, 200, 16_383, 20_000])
def test_a_long_array_has_a_longer_length_before_it(count: int) -> None:
    writes = ArrayWrites("iB *b q")
    written = writes[count](7, count + 1, *range(-1, 1), *[0] * (count - 2), 8)
    size = 1 if count < 127 else 2 if count < 16_383 else 3
    assert len(written) == 4 + size + count + 8
    assert written[4 + size : 6 + size] == b"\xff\x00"


def test_int32_counts_need_no_care() -> None:
    assert ArrayWrites("i *h")[200](200, *[1] * 200) == struct.pack(">i200h", 200, *[1] * 200)
    assert ArrayWrites("*h")[130](*[1] * 130) == struct.pack(">130h", *[1] * 130)


def test_a_table_that_has_met_too_many_shapes_starts_over() -> None:
    writes = ArrayWrites("*b *b")
    for number in range(KEPT_SHAPES + 5):
        writes[number % 100, number // 100]
    assert len(writes) == 5
