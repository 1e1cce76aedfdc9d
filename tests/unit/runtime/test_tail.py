"""The end of the log in memory: in order, whole batches, gone once written."""

import pytest

from metaquorum.base.errors import InvariantViolated
from metaquorum.runtime.disk.tail import Tail, TailBatch


def filled() -> Tail:
    tail = Tail()
    tail.add(TailBatch(1, 10, 12, b"a" * 10))
    tail.add(TailBatch(2, 12, 15, b"b" * 20))
    tail.add(TailBatch(3, 15, 16, b"c" * 30))
    return tail


def payloads(batches: list[TailBatch]) -> list[bytes]:
    return [batch.payload for batch in batches]


def test_a_read_begins_with_the_batch_that_holds_the_offset():
    assert payloads(filled().read(13, below=16, max_bytes=100)) == [b"b" * 20, b"c" * 30]


def test_a_read_splits_no_batch_and_returns_none_ending_above_bound():
    assert payloads(filled().read(10, below=14, max_bytes=100)) == [b"a" * 10]


def test_the_first_batch_is_whole_however_small_the_limit():
    assert payloads(filled().read(12, below=16, max_bytes=1)) == [b"b" * 20]


def test_a_read_before_the_tail_finds_nothing():
    assert filled().read(9, below=16, max_bytes=100) == []


def test_written_batches_leave_the_tail():
    tail = filled()
    tail.written(2)
    assert (tail.start_offset, tail.end_offset, tail.size_bytes) == (15, 16, 30)
    tail.written(3)
    assert (tail.start_offset, tail.end_offset, tail.size_bytes) == (None, None, 0)


def test_a_truncation_cuts_whole_batches():
    tail = filled()
    tail.truncate(12)
    assert tail.end_offset == 12 and tail.size_bytes == 10


def test_a_gap_is_our_own_fault():
    with pytest.raises(InvariantViolated):
        filled().add(TailBatch(4, 17, 18, b"d"))
