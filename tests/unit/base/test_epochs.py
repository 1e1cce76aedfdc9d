"""Where epochs began, as a value that quorum and storage share."""

import pytest

from metaquorum.base.epochs import EpochStarts
from metaquorum.base.errors import InvariantViolated
from metaquorum.base.offsets import OffsetAndEpoch

STARTS = EpochStarts((1, 3, 4), (0, 10, 25))


def test_an_epoch_is_entered_once_at_its_first_offset():
    assert STARTS.assigned(4, 30) is STARTS
    assert STARTS.assigned(6, 30) == EpochStarts((1, 3, 4, 6), (0, 10, 25, 30))


def test_an_epoch_that_wrote_nothing_gives_way_to_the_next():
    assert STARTS.assigned(5, 25) == EpochStarts((1, 3, 5), (0, 10, 25))


@pytest.mark.parametrize(("epoch", "start"), [(3, 40), (5, 24)])
def test_neither_epochs_nor_offsets_go_back(epoch: int, start: int):
    with pytest.raises(InvariantViolated):
        STARTS.assigned(epoch, start)


@pytest.mark.parametrize(
    ("epoch", "end"),
    [(0, None), (1, (1, 10)), (2, (1, 10)), (3, (3, 25)), (4, (4, 40)), (9, (4, 40))],
)
def test_the_end_of_an_epoch_is_that_of_the_largest_one_not_above_it(epoch, end):
    assert STARTS.end_of(epoch, 40) == (None if end is None else OffsetAndEpoch(*end))


@pytest.mark.parametrize(("offset", "epoch"), [(0, 1), (9, 1), (10, 3), (24, 3), (99, 4)])
def test_an_offset_belongs_to_the_last_epoch_begun_at_or_before_it(offset, epoch):
    assert STARTS.epoch_at(offset) == epoch


def test_a_truncation_forgets_epochs_that_began_there_or_later():
    assert STARTS.truncated(10) == EpochStarts((1,), (0,))
    assert STARTS.truncated(11) == EpochStarts((1, 3), (0, 10))


def test_a_dropped_prefix_leaves_the_epoch_it_cut_into():
    assert STARTS.starting_at(12) == EpochStarts((3, 4), (12, 25))
    assert STARTS.starting_at(0) == STARTS
    assert STARTS.starting_at(25) == EpochStarts((4,), (25,))
    assert EpochStarts().starting_at(5) == EpochStarts()
