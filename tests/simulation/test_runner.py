"""The runner: many seeds, one seed as a picture, a failure made small and written down."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from metaquorum.testing.mutants import vote_ignores_the_log
from metaquorum.testing.sim.rot import turn_a_bit
from metaquorum.testing.simulator.__main__ import main
from metaquorum.testing.simulator.hunt import play
from metaquorum.testing.simulator.run import Outcome, run
from metaquorum.testing.simulator.scenario import Scenario


def test_seeds_are_counted():
    told = CliRunner().invoke(main, ["--seeds", "2", "--seconds", "2"])
    assert told.exit_code == 0
    assert told.output.startswith("2 runs, ")
    assert told.output.splitlines()[-1].endswith(" simulated seconds a wall second")


def test_a_seed_is_drawn_with_a_column_for_each_node(tmp_path: Path):
    file = tmp_path / "calm.scenario"
    file.write_text("seed 5\nseconds 3\nvoters 3\n", encoding="utf-8")
    told = CliRunner().invoke(main, [str(file), "--picture"])
    assert told.exit_code == 0
    lines = told.output.splitlines()
    assert lines[1].split() == ["ms", "node", "1", "node", "2", "node", "3"]
    assert any("leader 3 of epoch 1" in line or "leader 2 of epoch 1" in line for line in lines)
    assert "writes acknowledged" in told.output


def test_a_failure_is_made_small_and_written_down(tmp_path: Path):
    with vote_ignores_the_log():
        asked = ["--seed", "15", "--seconds", "4", "--save", str(tmp_path)]
        told = CliRunner().invoke(main, asked)
        assert told.exit_code == 1
        assert "votes go to good logs" in told.output
        (file,) = tmp_path.iterdir()
        small = Scenario.read(file.read_text(encoding="utf-8"))
        assert len(small.happenings) <= 4
        assert run(small).rule == "votes go to good logs"
    assert run(small).violation is None


@pytest.mark.parametrize("length", range(1, 20))
def test_a_file_that_is_shorter_than_a_batch_rots_like_any_other(length: int) -> None:
    for seed in range(50):
        content = bytearray(length)
        turn_a_bit(content, Random(seed))
        assert sum(byte.bit_count() for byte in content) == 1


def test_a_fault_of_the_simulator_itself_names_the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(scenario: Scenario) -> Outcome:
        raise IndexError("beyond the end")

    monkeypatch.setattr("metaquorum.testing.simulator.hunt.run", fail)
    with pytest.raises(IndexError) as caught:
        play((17, 1, 0, 0))
    assert caught.value.__notes__ == ["the simulator itself failed in seed 17"]
