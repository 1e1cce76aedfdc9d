"""What the tests of packages share: one build a session, and environments without a tree."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.packages.environments import Environment, installed
from tools.debian import PackagesMissing
from tools.locks import lock_of
from tools.pythons import SUPPORTED, python
from tools.release import ROOT, Built, build, commit_epoch_s


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """sdist and wheel of this tree."""
    into = tmp_path_factory.mktemp("built") / "dist"
    into.mkdir()
    return build(ROOT, into, commit_epoch_s())


@pytest.fixture(scope="session", params=SUPPORTED)
def environment(
    request: pytest.FixtureRequest, built: Built, tmp_path_factory: pytest.TempPathFactory
) -> Environment:
    """The wheel, with the locked versions of what it needs, on each Python that can be had."""
    version = request.param
    try:
        interpreter = python(version)
    except PackagesMissing as error:
        pytest.skip(f"Python {version} cannot be had: {error}")
    directory = tmp_path_factory.mktemp(f"python-{version}")
    return installed(directory, interpreter, built.wheel, lock_of(version))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An empty home, where commands run."""
    (tmp_path / "home").mkdir()
    return tmp_path / "home"
