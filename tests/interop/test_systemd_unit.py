"""The systemd unit and its drop-in, as systemd's own tools read them."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

UNITS = Path(__file__).resolve().parents[2] / "deploy" / "systemd"
MOST_EXPOSED = 1.5  # of 10; 1.2 with Debian 12's systemd


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """An instance of the unit with its drop-in beside it."""
    folder = tmp_path / "units"
    shutil.copytree(UNITS, folder)
    unit = folder / "metaquorum@n1.service"
    shutil.copy(folder / "metaquorum@.service", unit)
    return unit


def analyzed(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["systemd-analyze", *arguments], capture_output=True, text=True, timeout=60, check=False
    )


def test_the_unit_is_well_formed(unit: Path):
    told = analyzed("verify", unit)
    assert (told.returncode, told.stderr.strip()) == (0, "")


def test_a_key_that_systemd_does_not_know_would_be_noticed(unit: Path):
    unit.write_text(unit.read_text().replace("WatchdogSec=", "WatchdogSecs="))
    assert "WatchdogSecs" in analyzed("verify", unit).stderr


def test_the_hardened_unit_is_hardly_exposed(unit: Path):
    told = analyzed("security", "--offline=true", unit)
    found = re.search(r"Overall exposure level for .*: ([\d.]+) ", told.stdout)
    assert found is not None, told.stdout + told.stderr
    assert float(found[1]) <= MOST_EXPOSED


def test_the_watchdog_is_longer_than_a_disk_may_take(unit: Path):
    from metaquorum.node.health_checks import STUCK_LANE_MS

    found = re.search(r"^WatchdogSec=(\d+)s$", unit.read_text(), re.MULTILINE)
    assert found is not None
    assert int(found[1]) * 1_000 > STUCK_LANE_MS
