"""The producers of a partition as a fold: each kind of batch, and parts that merge to the whole."""

from __future__ import annotations

import itertools
from functools import reduce
from random import Random

import pytest
from attrs import evolve

from metaquorum.records.batch import BatchHeader, read_header
from metaquorum.records.control import controls_of
from metaquorum.records.errors import CorruptRecord
from metaquorum.records.reader import walk_records
from metaquorum.storage.producer_state import (
    BrokenTransaction,
    LastBatch,
    ProducerDelta,
    ProducerEntry,
    applied,
    delta_of,
    living,
    merged,
    state_of,
)
from tests.unit.storage.broker_batches import (
    DAY_MS,
    NOW_MS,
    data,
    delta,
    emptied,
    header_of,
    marker,
)

P = 1_000


def folded(*batches: bytes) -> ProducerEntry:
    """Producer 1000 after these batches."""
    return applied({}, {P: reduce(ProducerDelta.then, map(delta, batches))})[P]


def test_of_several_batches_the_last_one_counts() -> None:
    entry = folded(data(0, P, sequence=0, count=3), data(3, P, sequence=3, count=2))
    assert entry == ProducerEntry(P, 0, -1, NOW_MS - 1_000, -1, LastBatch(4, 4, 1))


def test_a_batch_of_nobody_is_no_event() -> None:
    batch = data(0)
    assert delta_of(header_of(batch), batch) is None


def test_sequences_go_round() -> None:
    assert folded(data(6, P, sequence=2**31 - 2, count=3)).last == LastBatch(0, 8, 2)


def test_what_compaction_left_out_counts_by_the_header() -> None:
    assert folded(data(6, P, sequence=4, count=1, gap=3)).last == LastBatch(7, 9, 3)


def test_an_emptied_batch_of_data_counts_like_a_whole_one() -> None:
    batch = data(6, P, sequence=4, count=2)
    assert folded(emptied(batch)) == folded(batch)


def test_the_epoch_of_data_overwrites_also_when_it_is_lower() -> None:
    up = folded(data(0, P, 3, 7), data(1, P, 4, 0))
    assert (up.epoch, up.last) == (4, LastBatch(0, 1, 0))
    down = folded(data(0, P, 3, 7), data(1, P, 2, 5))
    assert (down.epoch, down.last) == (2, LastBatch(5, 1, 0))


def test_a_transaction_is_open_from_its_first_batch_to_its_marker() -> None:
    first, second = (data(at, P, 1, at, transactional=True) for at in (5, 6))
    assert folded(first, second).transaction_first_offset == 5
    ended = folded(first, second, marker(7, P, 1, 4, commit=False, timestamp_ms=NOW_MS))
    assert ended == ProducerEntry(P, 1, 4, NOW_MS, -1, LastBatch(6, 6, 0))
    assert folded(first, marker(7, P, 1, 4), second).transaction_first_offset == 6


def test_a_marker_that_raises_the_epoch_forgets_the_last_batch() -> None:
    """As every end of a transaction does since KIP-890."""
    entry = folded(data(5, P, 1, 3, transactional=True), marker(6, P, 2, 9))
    assert (entry.epoch, entry.last, entry.coordinator_epoch) == (2, None, 9)


def test_markers_of_the_batchs_epoch_leave_it_the_newest() -> None:
    entry = folded(data(5, P, 1, 3, transactional=True), marker(6, P, 1, 9), marker(7, P, 1, 8))
    assert (entry.last, entry.coordinator_epoch) == (LastBatch(3, 5, 0), 8)


def test_a_marker_alone_is_an_entry_without_a_batch() -> None:
    assert folded(marker(3, P, 0, 9)) == ProducerEntry(P, 0, 9, NOW_MS - 1_000)


def test_an_emptied_marker_adds_an_unknown_producer_and_changes_none() -> None:
    gone = emptied(marker(3, P, 7, 9))
    assert folded(gone) == ProducerEntry(P)
    before = data(0, P, 1, 3)
    assert folded(before, gone) == folded(before)


def test_a_batch_outside_of_an_open_transaction_breaks_the_log() -> None:
    opened, plain = data(0, P, 1, 0, transactional=True), data(1, P, 1, 1)
    with pytest.raises(BrokenTransaction, match="the batch at offset 1 is outside"):
        folded(opened, plain)
    with pytest.raises(BrokenTransaction):
        applied({P: folded(opened)}, {P: delta(plain)})
    assert folded(opened, marker(1, P, 1), data(2, P, 1, 1)).last == LastBatch(1, 2, 0)


def test_a_control_record_that_ends_no_transaction_is_refused() -> None:
    raw = bytearray(marker(3, P))
    raw[69] = 2  # the low byte of the type in its key
    with pytest.raises(CorruptRecord, match="type 2, and ends no transaction of producer 1000"):
        delta_of(read_header(raw), bytes(raw))


def test_who_is_forgotten_is_told_by_the_time_of_the_records() -> None:
    old = ProducerEntry(1, 0, timestamp_ms=NOW_MS - DAY_MS)
    young = evolve(old, producer_id=2, timestamp_ms=NOW_MS - DAY_MS + 1)
    amid = evolve(old, producer_id=3, transaction_first_offset=7)
    future = evolve(old, producer_id=4, timestamp_ms=NOW_MS + 10 * DAY_MS)
    state = state_of((future, amid, young, old))
    assert living(state, NOW_MS, DAY_MS) == (young, amid, future)


# --- parts and whole ---------------------------------------------------------------------------

SEEDS = range(60)


def a_log(random: Random) -> list[bytes]:
    """A log of a few producers, with every kind of batch."""
    batches: list[bytes] = []
    for offset in range(random.randint(1, 14)):
        producer_id, epoch = random.randint(-1, 2), random.randrange(3)
        kind = random.choice(("plain", "transactional", "marker", "emptied"))
        stamp = NOW_MS - random.randrange(4)
        if producer_id < 0 or kind in ("plain", "transactional"):
            within = kind == "transactional"
            sequence = random.randrange(10)
            batch = data(offset, producer_id, epoch, sequence, transactional=within)
            batches.append(batch)
        else:
            end = marker(offset, producer_id, epoch, random.randrange(3), timestamp_ms=stamp)
            batches.append(end if kind == "marker" else emptied(end))
    return batches


def fold(batches: list[bytes]) -> dict[int, ProducerDelta]:
    deltas: dict[int, ProducerDelta] = {}
    for batch in batches:
        found = delta_of(read_header(batch), batch)
        if found is not None:
            deltas = merged(deltas, {read_header(batch).producer_id: found})
    return deltas


@pytest.mark.parametrize("seed", SEEDS)
def test_the_fold_of_the_parts_is_the_fold_of_the_whole(seed: int) -> None:
    random = Random(seed)
    batches = a_log(random)
    whole = fold(batches)
    edges = [0, *sorted(random.choices(range(len(batches) + 1), k=3)), len(batches)]
    parts = [fold(batches[low:high]) for low, high in itertools.pairwise(edges)]
    assert reduce(merged, parts) == whole
    assert reduce(lambda later, earlier: merged(earlier, later), reversed(parts)) == whole


def by_the_book(batches: list[bytes]) -> dict[int, ProducerEntry] | int:
    """The same rules, one batch after the other on the entries; or where the log breaks."""
    entries: dict[int, ProducerEntry] = {}
    for batch in batches:
        header: BatchHeader = read_header(batch)
        if header.producer_id < 0:
            continue
        entry = entries.get(header.producer_id, ProducerEntry(header.producer_id))
        if header.is_control:
            if header.record_count:
                (control,), (record,) = controls_of(batch, header), walk_records(batch, header)
                entry = ProducerEntry(
                    entry.producer_id,
                    header.producer_epoch,
                    control.message.coordinator_epoch,
                    record.timestamp_ms,
                    -1,
                    entry.last if entry.epoch == header.producer_epoch else None,
                )
        else:
            first = entry.transaction_first_offset
            if header.is_transactional and first < 0:
                first = header.base_offset
            elif not header.is_transactional and first >= 0:
                return header.base_offset
            entry = ProducerEntry(
                entry.producer_id,
                header.producer_epoch,
                entry.coordinator_epoch,
                header.max_timestamp_ms,
                first,
                LastBatch(header.last_sequence, header.last_offset, header.last_offset_delta),
            )
        entries[entry.producer_id] = entry
    return entries


@pytest.mark.parametrize("seed", SEEDS)
def test_a_fold_upon_a_state_is_what_the_batches_do_one_by_one(seed: int) -> None:
    random = Random(1_000 + seed)
    batches = a_log(random)
    cut = random.randint(0, len(batches))
    expected = by_the_book(batches)
    try:
        state = applied({}, fold(batches[:cut]))
        found: object = applied(state, fold(batches[cut:]))
    except BrokenTransaction as error:
        assert isinstance(expected, int)
        assert error.offset >= expected
        return
    assert found == expected


def test_a_long_log_folds_alike_in_any_parts() -> None:
    random = Random(7)
    batches = [
        data(at, random.randrange(40), random.randrange(3), at)
        if random.random() < 0.8
        else marker(at, random.randrange(40), random.randrange(3), random.randrange(5))
        for at in range(3_000)
    ]
    whole = applied({}, fold(batches))
    state: dict[int, ProducerEntry] = {}
    for start in range(0, len(batches), 100):
        state = applied(state, fold(batches[start : start + 100]))
    assert state == whole == by_the_book(batches)
