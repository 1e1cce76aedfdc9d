"""The end of the log in memory: in order, whole batches, gone once written."""

import pytest

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.limits import WRITTEN_TAIL_BYTES
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


def test_what_was_written_a_moment_ago_is_still_there_to_be_applied():
    tail = filled()
    assert tail.written_from(10, below=16) is None
    tail.written(2)
    assert tail.written_from(10, below=16) == b"a" * 10 + b"b" * 20
    assert tail.written_from(12, below=16) == b"b" * 20
    tail.written(3)
    assert tail.written_from(12, below=16) == b"b" * 20 + b"c" * 30


def test_a_written_batch_is_read_whole_from_its_start_or_not_at_all():
    tail = filled()
    tail.written(3)
    assert tail.written_from(12, below=15) == b"b" * 20
    assert tail.written_from(12, below=14) is None
    assert tail.written_from(13, below=16) is None
    assert tail.written_from(9, below=16) is None
    assert tail.written_from(16, below=20) is None


def test_what_was_written_and_then_cut_is_not_there():
    tail = filled()
    tail.written(3)
    tail.truncate(15)
    assert tail.written_from(10, below=16) == b"a" * 10 + b"b" * 20
    tail.add(TailBatch(4, 15, 17, b"d" * 5))
    tail.written(4)
    assert tail.written_from(12, below=17) == b"b" * 20 + b"d" * 5


def test_behind_a_gap_nothing_older_is_kept():
    """A snapshot took the place of the log, and the log goes on at its end."""
    tail = filled()
    tail.written(3)
    tail.add(TailBatch(4, 90, 91, b"d" * 5))
    tail.written(4)
    assert tail.written_from(12, below=91) is None
    assert tail.written_from(90, below=91) == b"d" * 5


def test_no_more_is_kept_than_may_be():
    tail, size_bytes = Tail(), WRITTEN_TAIL_BYTES // 4
    for offset in range(5):
        tail.add(TailBatch(offset + 1, offset, offset + 1, bytes(size_bytes)))
    tail.written(5)
    assert tail.written_from(0, below=5) is None
    assert tail.written_from(1, below=5) == bytes(4 * size_bytes)
    tail.add(TailBatch(6, 5, 6, bytes(5 * size_bytes)))
    tail.written(6)
    assert tail.written_from(5, below=6) is None
