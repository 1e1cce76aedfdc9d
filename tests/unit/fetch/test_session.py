"""One fetch session: its epochs, its order, and what is news."""

from __future__ import annotations

import pytest

from metaquorum.fetch.session import CachedPartition, FetchSession, next_epoch
from metaquorum.wire.generated.fetch_request import FetchPartition, ForgottenTopic
from metaquorum.wire.generated.fetch_response import EpochEndOffset, PartitionData, SnapshotId

NO_ID = bytes(16)


def cached(index: int = 0, topic: str = "t", **wanted: int) -> CachedPartition:
    return CachedPartition(topic, NO_ID, FetchPartition(index, **wanted))


def session_of(*partitions: CachedPartition) -> FetchSession:
    session = FetchSession(7, False, False, 0, 0)
    for one in partitions:
        session.add(one)
    return session


def order(session: FetchSession) -> list[int]:
    return [one.wanted.partition for one in session.partitions]


def row(**fields: object) -> PartitionData:
    return PartitionData(**{"high_watermark": 8, "log_start_offset": 2, "records": b"", **fields})


@pytest.mark.parametrize(
    ("epoch", "following"),
    [(0, 1), (1, 2), ((1 << 31) - 2, (1 << 31) - 1), ((1 << 31) - 1, 1), (-1, -1), (-7, -1)],
)
def test_the_largest_epoch_wraps_to_one_and_a_final_one_stays_final(epoch, following):
    assert next_epoch(epoch) == following


def test_added_partitions_go_to_the_end_and_known_ones_do_not_move():
    session = session_of(cached(2), cached(0), cached(1))
    session.add(cached(2, fetch_offset=9))
    session.add(cached(5))
    assert order(session) == [2, 0, 1, 5]
    assert session.partitions[0].wanted.fetch_offset == 9


def test_what_is_wanted_anew_keeps_what_was_told():
    first = cached()
    session = session_of(first)
    first.answered(row())
    session.add(cached(fetch_offset=4))
    (now,) = session.partitions
    assert not now.is_news(row())


def test_forgotten_partitions_leave_and_unknown_ones_are_no_matter():
    session = session_of(cached(0), cached(1), cached(0, "u"))
    session.forget([ForgottenTopic("t", NO_ID, [1, 9]), ForgottenTopic("absent", NO_ID, [0])])
    assert [(one.topic, one.wanted.partition) for one in session.partitions] == [
        ("t", 0),
        ("u", 0),
    ]
    session.forget([ForgottenTopic("t", b"\x01" * 16, [0])])
    assert len(session) == 2


def test_only_what_brought_records_goes_to_the_end():
    session = session_of(cached(0), cached(1), cached(2))
    session.brought_records(session.partitions[0])
    assert order(session) == [1, 2, 0]


def test_records_do_not_bring_back_a_partition_forgotten_meanwhile():
    session = session_of(cached(0), cached(1))
    gone = session.partitions[0]
    session.forget([ForgottenTopic("t", NO_ID, [0])])
    session.brought_records(gone)
    assert order(session) == [1]


def test_the_charge_follows_the_partitions():
    session = session_of()
    empty = session.cost_bytes
    session.add(cached(0, "name"))
    assert session.cost_bytes == empty + cached(0, "name").cost_bytes
    session.add(cached(0, "name", fetch_offset=1))
    assert session.cost_bytes == empty + cached(0, "name").cost_bytes
    session.forget([ForgottenTopic("name", NO_ID, [0])])
    assert session.cost_bytes == empty


def test_a_name_is_charged_for_its_letters_in_memory():
    plain = cached(0, "").cost_bytes
    assert cached(0, "a" * 100).cost_bytes == plain + 100
    assert cached(0, "\U0001f600" * 100).cost_bytes == plain + 400


def test_a_partitions_first_response_is_news_and_a_repetition_is_not():
    one = cached()
    assert one.is_news(row())
    one.answered(row())
    assert not one.is_news(row())


@pytest.mark.parametrize(
    "fields",
    [
        {"records": b"x"},
        {"high_watermark": 9},
        {"high_watermark": 7},
        {"log_start_offset": 3},
        {"preferred_read_replica": 2},
        {"diverging_epoch": EpochEndOffset(2, 5)},
        {"snapshot_id": SnapshotId(5, 2)},
        {"error_code": 6, "high_watermark": -1, "log_start_offset": -1},
    ],
)
def test_news(fields):
    one = cached()
    one.answered(row())
    assert one.is_news(row(**fields))


def test_the_last_stable_offset_alone_is_no_news():
    one = cached()
    one.answered(row(last_stable_offset=8))
    assert not one.is_news(row(last_stable_offset=6))


@pytest.mark.parametrize("high_watermark", [8, -1])
def test_an_error_is_news_each_time_and_so_is_its_end(high_watermark):
    one = cached()
    one.answered(row(high_watermark=high_watermark))
    failed = row(error_code=3, high_watermark=high_watermark)
    for _ in range(3):
        assert one.is_news(failed)
        one.answered(failed)
    healed = row(high_watermark=high_watermark)
    assert one.is_news(healed)
    one.answered(healed)
    assert not one.is_news(healed)
