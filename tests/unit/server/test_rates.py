"""Rates as quotas compare them: sums of seconds, over ten at least."""

from __future__ import annotations

import pytest

from metaquorum.server.access.rates import Rate


def test_who_was_quiet_may_come_in_a_burst_of_ten_seconds_worth():
    rate = Rate()
    for _ in range(50):
        rate.record(1, 0)
    assert rate.a_second(0) == pytest.approx(5)
    assert rate.excess_ms(5, 0) == 0
    rate.record(1, 0)
    assert rate.excess_ms(5, 0) == 200  # one too many, at five a second


def test_after_the_excess_has_passed_the_rate_is_kept():
    rate = Rate()
    for second in range(10):
        rate.record(100, second * 1_000)
    wait_ms = rate.excess_ms(50, 10_000)
    assert wait_ms == 10_000
    assert rate.excess_ms(50, 10_000 + wait_ms) == 0


def test_what_is_older_than_eleven_seconds_is_forgotten():
    rate = Rate()
    rate.record(1_000, 0)
    assert rate.a_second(10_999) > 0
    assert rate.a_second(11_000) == 0


def test_a_steady_stream_is_measured_as_it_is():
    rate = Rate()
    for at_ms in range(0, 60_000, 10):
        rate.record(3, at_ms)
    assert rate.a_second(60_000) == pytest.approx(300, rel=0.02)


def test_a_quota_of_zero_is_exceeded_while_any_sample_is_remembered():
    rate = Rate()
    assert rate.excess_ms(0, 0) == 0
    rate.record(1, 0)
    assert rate.excess_ms(0, 0) == 10_000
