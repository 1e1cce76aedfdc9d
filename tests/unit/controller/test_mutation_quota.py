"""A token bucket of partitions: what it lets through, and for how long it says to pause."""

from __future__ import annotations

import pytest

from metaquorum.base.errors import RequestError
from metaquorum.controller.mutation_quota import (
    BURST_S,
    LONGEST_PAUSE_MS,
    MutationQuota,
    TokenBucket,
)
from metaquorum.wire.generated import error_codes


def take(quota: MutationQuota, partitions: int, now: int) -> bool:
    try:
        quota.take(partitions, now)
    except RequestError as error:
        assert error.code == error_codes.THROTTLING_QUOTA_EXCEEDED
        return False
    return True


def strict(bucket: TokenBucket, rate: float = 2.0) -> MutationQuota:
    return MutationQuota(bucket, rate, is_strict=True)


def test_the_first_request_may_be_of_any_size() -> None:
    bucket = TokenBucket()
    quota = strict(bucket)
    assert take(quota, 1_000, 0)
    assert quota.pause_ms == 0
    assert not take(quota, 1, 0)
    assert quota.pause_ms == (1_000 - BURST_S * 2) * 500


def test_what_was_taken_comes_back_by_the_rate() -> None:
    bucket = TokenBucket()
    assert take(strict(bucket), BURST_S * 2 + 10, 0)
    assert not take(strict(bucket), 1, 4_990)
    assert take(strict(bucket), 1, 5_010)


def test_a_quiet_client_saves_up_eleven_seconds() -> None:
    bucket = TokenBucket()
    assert bucket.left(2.0, 0) == bucket.left(2.0, 3_600_000) == BURST_S * 2


def test_a_refused_topic_does_not_count() -> None:
    bucket = TokenBucket()
    assert take(strict(bucket), 30, 0)
    assert not take(strict(bucket), 1_000, 0)
    assert bucket.left(2.0, 0) == BURST_S * 2 - 30


def test_an_old_client_is_refused_nothing_and_pauses() -> None:
    bucket = TokenBucket()
    quota = MutationQuota(bucket, 2.0, is_strict=False)
    assert take(quota, BURST_S * 2, 0)
    assert quota.pause_ms == 0
    assert take(quota, 10, 0)
    assert quota.pause_ms == 5_000
    assert take(quota, 10, 0)
    assert quota.pause_ms == 10_000


def test_another_rate_holds_from_the_next_request_on() -> None:
    bucket = TokenBucket()
    assert take(strict(bucket, 1.0), BURST_S + 10, 0)
    quota = strict(bucket, 10.0)
    assert not take(quota, 1, 0)
    assert quota.pause_ms == 1_000
    assert bucket.left(1.0, 60_000) == BURST_S


@pytest.mark.parametrize("rate", [0.0, -1.0, 1e-12])
def test_next_to_no_rate_pauses_as_long_as_can_be_said(rate: float) -> None:
    quota = strict(TokenBucket(), rate)
    take(quota, 1, 0)
    assert not take(quota, 1, 0)
    assert quota.pause_ms == LONGEST_PAUSE_MS


def test_a_clock_that_does_not_move_gives_nothing_back() -> None:
    bucket = TokenBucket()
    bucket.take(5, 1.0, 1_000)
    assert bucket.left(1.0, 900) == bucket.left(1.0, 900) == BURST_S - 5
