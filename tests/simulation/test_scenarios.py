"""Every story that once ended badly, played again: it ends well now."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaquorum.testing.simulator.run import run
from metaquorum.testing.simulator.scenario import Scenario

SCENARIOS = sorted((Path(__file__).resolve().parents[1] / "scenarios").glob("*.scenario"))


def test_there_are_stories():
    assert SCENARIOS


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_a_story_that_ended_badly_ends_well(path: Path):
    outcome = run(Scenario.read(path.read_text(encoding="utf-8")))
    assert outcome.violation is None


def test_a_line_that_is_none_is_told_off():
    with pytest.raises(ValueError, match="nonsense"):
        Scenario.read("seed 1\nnonsense\n")
