"""The oldest and the newest dependencies that pyproject.toml allows: the quick tests on both."""

from __future__ import annotations

import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.packages.environments import empty
from tools.debian import PackagesMissing
from tools.locks import NOT_FOR_OLDEST, OLDEST, USERS_EXTRAS
from tools.pythons import SUPPORTED, python
from tools.release import ROOT

TOOLS = (
    *("aiokafka", "construct", "cramjam", "cryptography", "dpkt", "hypothesis", "kafka-python"),
    *("packaging", "pytest", "pytest-timeout", "pytest-trio", "pytest-xdist"),
)
"""Of the extra for development: what these tests import."""
SELECTED = ("tests/unit", "--ignore=tests/unit/tools")
"""What is not in the wheel is left out."""
CALLS_LIBRARIES = tuple(
    f"tests/unit/{name}"
    for name in (
        *("backup", "base", "cli", "client", "config", "exporter", "flight", "node", "records"),
        *("recover", "runtime", "server", "storage", "testing", "tls", "wire"),
    )
)
"""Tests of rooms that call libraries. The others have attrs alone, and ``make test`` runs them on
the oldest Python too.
"""
NEEDS_NEWER = (
    "tests/unit/tls/test_stores.py::test_a_pkcs12_file_holds_the_same_whatever_its_type_is_called",
)
"""It makes a trust store by a function that cryptography has since 45; users need 43."""
TIMEOUT_S = 500


def requirements_of_tests() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    dev = project["optional-dependencies"]["dev"]
    return [row for row in dev if row.split(">")[0] in TOOLS]


@pytest.mark.parametrize(
    ("version", "constraint", "selected"),
    [
        pytest.param(SUPPORTED[0], OLDEST, CALLS_LIBRARIES, id="oldest"),
        pytest.param(SUPPORTED[0], OLDEST, SELECTED, id="oldest, all", marks=pytest.mark.soak),
        pytest.param(SUPPORTED[-1], None, SELECTED, id="newest"),
    ],
)
def test_the_quick_tests_pass(
    version: str, constraint: Path | None, selected: tuple[str, ...], tmp_path: Path
) -> None:
    try:
        interpreter = python(version)
    except PackagesMissing as error:
        pytest.skip(f"Python {version} cannot be had: {error}")
    environment = empty(tmp_path, interpreter)
    extras = ",".join(name for name in USERS_EXTRAS if name not in NOT_FOR_OLDEST)
    environment.install(f"{ROOT}[{extras}]", *requirements_of_tests(), constraint=constraint)
    # The tree's source goes before the installed one: the test kit is not in the wheel.
    done = subprocess.run(
        [
            *(environment.python, "-m", "pytest", "-n", "auto", "--maxfail=3"),
            *("-m", "not soak and not slow", *selected),
            *(f"--deselect={name}" for name in NEEDS_NEWER if constraint is not None),
        ],
        cwd=ROOT,
        env={**environment.variables(tmp_path), "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
