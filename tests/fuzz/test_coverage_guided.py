"""The long runs: every target under atheris, guided by coverage. `make fuzz` runs one of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from metaquorum.testing.fuzz.targets import TARGETS

ROOT = Path(__file__).parents[2]
SECONDS = int(os.environ.get("FUZZ_SECONDS", "60"))
LEAST_RUNS = 1_000


@pytest.mark.soak
@pytest.mark.parametrize("target", TARGETS)
def test_a_guided_run_breaks_no_promise(target: str) -> None:
    command = [sys.executable, "-m", "metaquorum.testing.fuzz", target, "--seconds", str(SECONDS)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert ran.returncode == 0, ran.stderr[-5_000:]
    (count,) = [line for line in ran.stderr.splitlines() if "number_of_executed_units" in line]
    assert int(count.split()[-1]) >= LEAST_RUNS, "so few runs tell nothing"
