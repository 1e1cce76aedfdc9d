"""Long runs in which little happens: hours of a cluster with brokers and Kafka's sessions."""

from __future__ import annotations

import gc

import pytest
from click.testing import CliRunner

from metaquorum.testing.simulator import hunt as hunting
from metaquorum.testing.simulator import swarm
from metaquorum.testing.simulator.__main__ import main
from metaquorum.testing.simulator.hunt import Tally, hunt
from metaquorum.testing.simulator.run import Outcome, run
from metaquorum.testing.simulator.scenario import Scenario
from metaquorum.testing.simulator.swarm import QUIET, draw_day, draw_run

HOUR_S, MINUTES_S = 3_600, 600


def test_a_day_has_the_faults_of_a_short_run_far_apart() -> None:
    day = draw_day(7, 24, 4)
    short = draw_run(7, 24 * HOUR_S // QUIET, 4)
    assert day.seconds == 24 * HOUR_S
    assert [one.kind for one in day.happenings] == [one.kind for one in short.happenings]
    assert [one.at_ms for one in day.happenings] == [one.at_ms * QUIET for one in short.happenings]
    assert (day.brokers, day.session_ms, day.quiet) == (4, 9_000, QUIET)


def test_a_day_is_a_scenario_file() -> None:
    day = draw_day(3, 24, 2)
    assert Scenario.read(day.text()) == day


def test_quiet_minutes_with_brokers_break_no_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(swarm, "SECONDS_PER_HOUR", MINUTES_S)
    scenario = draw_day(1, 1, 3)
    outcome = run(scenario)
    assert outcome.violation is None
    assert outcome.simulated_us >= MINUTES_S * 1_000_000
    assert outcome.counts["broker-registered"] >= 3
    assert outcome.acknowledged >= 2
    assert run(scenario) == outcome


def test_the_command_line_plays_hours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(swarm, "SECONDS_PER_HOUR", QUIET)
    told = CliRunner().invoke(main, ["--seed", "2", "--hours", "1", "--brokers", "0"])
    assert told.exit_code == 0, told.output
    assert "simulated s" in told.output


def test_a_long_run_tells_how_far_it_is_without_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(hunting, "TELL_EVERY_S", 0.0)
    hunt(range(2), 1, 1, Tally())
    told = capsys.readouterr().err.splitlines()
    assert [line.partition(",")[0] for line in told] == ["1 runs", "2 runs"]


@pytest.mark.parametrize(("hours", "is_on"), [(1, True), (0, False)])
def test_the_collector_works_in_long_runs_and_rests_in_short_ones(
    hours: int, is_on: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(swarm, "SECONDS_PER_HOUR", QUIET)
    seen: list[bool] = []

    def watched(scenario: Scenario) -> Outcome:
        seen.append(gc.isenabled())
        return run(scenario)

    monkeypatch.setattr(hunting, "run", watched)
    hunt(range(1), 1, 1, Tally(), hours=hours)
    assert seen == [is_on]


@pytest.mark.soak
@pytest.mark.timeout(86_400)
def test_a_thousand_days_with_brokers_break_no_rule() -> None:
    found = hunt(range(30_000, 31_000), 0, 2, Tally(), brokers=4, hours=24)
    assert found is None, found
