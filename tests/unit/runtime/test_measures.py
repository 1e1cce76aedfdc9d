"""What the driver measures, with a clock of the test's own."""

from __future__ import annotations

from metaquorum.runtime.driver.measures import Measures


def test_commit_latency_is_from_the_append_to_the_watermark_past_it() -> None:
    measures = Measures()
    measures.appended(10, 10, leading=True, now=100)
    measures.appended(20, 10, leading=True, now=150)
    measures.committed(15, now=160)
    assert measures.commit_latency.highest(160) == 60
    measures.committed(20, now=170)
    assert measures.commit_latency.average(170) == 40


def test_an_advance_of_the_watermark_is_measured_in_offsets_and_ms() -> None:
    measures = Measures()
    measures.committed(5, now=90)
    measures.appended(10, 5, leading=True, now=100)
    measures.appended(20, 10, leading=True, now=150)
    measures.committed(20, now=170)
    assert (measures.advance_offsets.count, measures.advance_offsets.total) == (1, 15)
    assert (measures.advance_ms.count, measures.advance_ms.total) == (2, 70 + 20)


def test_what_a_follower_appends_is_fetched_and_never_its_own_commit() -> None:
    measures = Measures()
    measures.appended(10, 10, leading=False, now=0)
    measures.committed(10, now=50)
    assert measures.commit_latency.average(50) is None
    assert measures.fetched_records.rate(30_000) > 0
    assert measures.appended_records.rate(30_000) == 0


def test_a_lost_leadership_forgets_what_was_not_committed() -> None:
    measures = Measures()
    measures.appended(10, 10, leading=True, now=0)
    measures.role_is("Unattached", now=10)
    measures.committed(10, now=50)
    assert measures.commit_latency.average(50) is None


def test_election_latency_runs_from_first_step_to_leader_or_follower() -> None:
    measures = Measures()
    for role, now in (("Prospective", 10), ("Candidate", 40), ("Leader", 70), ("Leader", 90)):
        measures.role_is(role, now)
    assert measures.election_latency.highest(90) == 60
    measures.role_is("Candidate", 100)
    measures.role_is("Unattached", 130)
    measures.role_is("Follower", 150)
    assert measures.election_latency.highest(150) == 60


def test_idle_is_what_busy_leaves_of_the_time() -> None:
    measures = Measures()
    assert measures.idle_ratio(0) == 1
    measures.busy.record(3_000, 0)
    assert measures.idle_ratio(30_000) == 0.9
    measures.busy.record(60_000, 30_000)
    assert measures.idle_ratio(30_000) == 0
