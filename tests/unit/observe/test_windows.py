"""Windows and distributions: only what is recent counts, and memory is bounded."""

from __future__ import annotations

from metaquorum.observe.windows import Distribution, Window


def test_an_empty_window_knows_nothing() -> None:
    window = Window()
    assert window.average(0) is None
    assert window.highest(0) is None
    assert window.rate(0) == 0.0


def test_average_and_maximum_cover_the_window() -> None:
    window = Window()
    for value, now in ((2, 0), (4, 10_000), (9, 31_000)):
        window.record(value, now)
    assert window.average(31_000) == 5
    assert window.highest(31_000) == 9


def test_what_is_older_than_the_window_is_forgotten() -> None:
    window = Window()
    window.record(100, 0)
    window.record(1, 40_000)
    assert window.highest(59_999) == 100
    assert window.highest(60_000) == 1
    assert window.average(100_000) is None


def test_a_young_window_does_not_show_a_spike() -> None:
    window = Window()
    window.record(30, 0)
    assert window.rate(1) == 1.0
    assert window.rate(30_000) == 1.0


def test_a_steady_stream_shows_its_rate() -> None:
    window = Window()
    for now in range(0, 60_000, 100):
        window.record(1, now)
    assert abs(window.rate(59_999) - 10.0) < 0.01


def test_a_window_keeps_no_more_samples_than_it_was_given() -> None:
    window = Window(samples_max=3, sample_ms=10)
    for now in range(0, 1000, 10):
        window.record(now, now)
    assert window.highest(995) == 990
    assert window.average(995) == 980


def test_quantiles_are_taken_from_what_was_recorded() -> None:
    distribution = Distribution()
    assert distribution.quantiles((0.5,)) == (0.0,)
    for value in range(1, 102):
        distribution.record(value)
    assert distribution.quantiles((0.0, 0.5, 0.99, 1.0)) == (1, 51, 100, 101)
    assert (distribution.count, distribution.total) == (101, 5151)


def test_a_full_distribution_forgets_its_oldest_values() -> None:
    distribution = Distribution()
    for _ in range(Distribution.MAX_VALUES):
        distribution.record(1_000)
    for _ in range(Distribution.MAX_VALUES):
        distribution.record(1)
    assert distribution.quantiles((1.0,)) == (1,)
    assert distribution.count == 2 * Distribution.MAX_VALUES
