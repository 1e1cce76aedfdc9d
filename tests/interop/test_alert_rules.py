"""`deploy/prometheus` as Prometheus's own promtool judges it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from codegen.monitoring.alerts import ALERTS
from tests.interop.alert_cases import CASES, cases_file
from tools.prometheus import program

RULES = Path(__file__).resolve().parents[2] / "deploy/prometheus/metaquorum.rules.yml"


def promtool(*arguments: str | Path) -> str:
    done = subprocess.run(
        [program("promtool"), *arguments], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_promtool_accepts_the_rules() -> None:
    assert "SUCCESS" in promtool("check", "rules", RULES)


def test_alerts_fire_when_and_only_when_they_should(tmp_path: Path) -> None:
    cases = tmp_path / "cases.yml"
    cases.write_text(json.dumps(cases_file(str(RULES))))
    assert "SUCCESS" in promtool("test", "rules", cases)


def test_every_alert_has_a_case_in_which_it_fires() -> None:
    fired = {name for case in CASES for name in case.fires}
    assert fired == {one.name for one in ALERTS}
