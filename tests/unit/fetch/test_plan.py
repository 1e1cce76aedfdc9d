"""What a consumer's Fetch gets, and what it waits for."""

from __future__ import annotations

import pytest

from metaquorum.fetch.plan import Leadership, Wish, plan_fetch
from metaquorum.testing.fake_services import FakeLog, log_of_eight
from metaquorum.wire.generated import error_codes

LEADER = Leadership(epoch=3, is_leader=True)
MUCH = 1 << 20


def log_committed_to(high_watermark: int) -> FakeLog:
    log = log_of_eight()
    log.high_watermark = high_watermark
    return log


def code_of(wish: Wish, leadership: Leadership = LEADER) -> int:
    return plan_fetch([wish], leadership, min_bytes=1, max_bytes=MUCH).portions[0].code


def test_everything_below_the_high_watermark_is_read_in_whole_batches():
    log = log_committed_to(5)
    plan = plan_fetch([Wish(log, 0, MUCH)], LEADER, min_bytes=1, max_bytes=MUCH)
    assert list(plan.portions[0].records.slices) == log.batches[:3]
    assert (plan.portions[0].high_watermark, plan.portions[0].log_start_offset) == (5, 0)
    assert plan.wait_for is None


def test_the_batch_that_holds_the_offset_comes_whole():
    log = log_committed_to(8)
    plan = plan_fetch([Wish(log, 2, 1)], LEADER, min_bytes=1, max_bytes=MUCH)
    assert list(plan.portions[0].records.slices) == [log.batches[1]]


@pytest.mark.parametrize("limit", [0, 1, 10])
def test_the_first_batch_ignores_every_limit(limit):
    log = log_committed_to(8)
    plan = plan_fetch([Wish(log, 0, limit)], LEADER, min_bytes=1, max_bytes=limit)
    assert list(plan.portions[0].records.slices) == [log.batches[0]]


def test_the_second_partition_gets_only_what_the_answer_has_left():
    log = log_committed_to(8)
    first = len(log.batches[0])
    wishes = [Wish(log, 0, first), Wish(log, 0, MUCH)]
    plan = plan_fetch(wishes, LEADER, min_bytes=1, max_bytes=first + 10)
    assert [portion.size_bytes for portion in plan.portions] == [first, 0]


def test_a_partition_without_news_leaves_the_first_batch_to_the_next():
    log = log_committed_to(8)
    plan = plan_fetch([Wish(log, 8, 1), Wish(log, 0, 1)], LEADER, min_bytes=1, max_bytes=1)
    assert [portion.size_bytes for portion in plan.portions] == [0, len(log.batches[0])]


def test_a_fetch_at_the_high_watermark_waits_for_the_next_offset():
    plan = plan_fetch([Wish(log_committed_to(8), 8, MUCH)], LEADER, min_bytes=1, max_bytes=MUCH)
    assert plan.portions[0].code == error_codes.NONE
    assert plan.portions[0].size_bytes == 0
    assert plan.wait_for == 9


def test_between_high_watermark_and_log_end_there_is_nothing_yet():
    plan = plan_fetch([Wish(log_committed_to(5), 7, MUCH)], LEADER, min_bytes=1, max_bytes=MUCH)
    assert plan.portions[0].code == error_codes.NONE
    assert plan.wait_for == 8


@pytest.mark.parametrize("offset", [-1, 9, 1 << 40])
def test_outside_the_log_is_out_of_range_and_ends_the_wait(offset):
    plan = plan_fetch(
        [Wish(log_committed_to(8), offset, MUCH)], LEADER, min_bytes=1, max_bytes=MUCH
    )
    assert plan.portions[0].code == error_codes.OFFSET_OUT_OF_RANGE
    assert plan.has_error
    assert plan.wait_for is None


def test_below_the_log_start_is_out_of_range():
    log = log_committed_to(8)
    log.start_offset = 4
    assert code_of(Wish(log, 3, MUCH)) == error_codes.OFFSET_OUT_OF_RANGE
    assert code_of(Wish(log, 4, MUCH)) == error_codes.NONE


def test_too_few_bytes_wait_for_the_watermark_to_move_at_all():
    log = log_committed_to(5)
    plan = plan_fetch([Wish(log, 0, MUCH)], LEADER, min_bytes=MUCH, max_bytes=MUCH)
    assert plan.size_bytes > 0
    assert plan.wait_for == 6


@pytest.mark.parametrize(("partition_limit", "limit"), [(MUCH, 100), (100, MUCH)])
def test_a_full_response_does_not_wait_for_the_minimum_bytes(partition_limit, limit):
    wish = Wish(log_committed_to(8), 0, partition_limit)
    plan = plan_fetch([wish], LEADER, min_bytes=MUCH, max_bytes=limit)
    assert 0 < plan.size_bytes <= 100
    assert plan.wait_for is None


def test_a_response_too_full_for_the_second_partition_does_not_wait():
    log = log_committed_to(8)
    wishes = [Wish(log, 7, MUCH), Wish(log, 0, MUCH)]
    plan = plan_fetch(wishes, LEADER, min_bytes=MUCH, max_bytes=len(log.batches[-1]))
    assert plan.wait_for is None


def test_no_partitions_have_nothing_to_wait_for():
    plan = plan_fetch([], LEADER, min_bytes=1, max_bytes=MUCH)
    assert (plan.portions, plan.wait_for) == ([], None)


@pytest.mark.parametrize(
    ("named", "code"),
    [
        (-1, error_codes.NONE),
        (2, error_codes.FENCED_LEADER_EPOCH),
        (3, error_codes.NONE),
        (4, error_codes.UNKNOWN_LEADER_EPOCH),
    ],
)
def test_the_leader_epoch_of_the_client_is_compared_with_ours(named, code):
    assert code_of(Wish(log_committed_to(8), 0, MUCH, named)) == code


def test_a_fenced_epoch_is_told_before_the_lack_of_leadership():
    follower = Leadership(epoch=3, is_leader=False)
    assert code_of(Wish(log_committed_to(8), 0, MUCH, 2), follower) == 74
    assert code_of(Wish(log_committed_to(8), 0, MUCH, 3), follower) == 6


def test_a_leader_that_does_not_know_its_high_watermark_serves_nobody():
    assert code_of(Wish(log_committed_to(-1), 0, MUCH)) == error_codes.NOT_LEADER_OR_FOLLOWER


def test_an_absent_partition_says_so_in_the_words_of_its_version():
    wish = Wish(None, 0, MUCH, absent_code=error_codes.UNKNOWN_TOPIC_ID)
    assert code_of(wish) == error_codes.UNKNOWN_TOPIC_ID


def test_error_rows_carry_no_offsets():
    plan = plan_fetch([Wish(log_committed_to(8), 99, MUCH)], LEADER, min_bytes=1, max_bytes=MUCH)
    portion = plan.portions[0]
    assert (portion.high_watermark, portion.log_start_offset, portion.records) == (-1, -1, None)
