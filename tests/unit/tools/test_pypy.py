"""Where PyPy is taken from: the one that is named, the path, or the archive of Debian."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from tools import debian, pypy

TARGETS = """\
http://one.example/debian-security/\tDebian\tmain
http://one.example/debian/\tDebian\tmain
http://one.example/debian/\tDebian\tmain
http://one.example/debian/\tDebian\tcontrib
http://other.example/tools\tSomebody\tmain
a line of another make
"""


def test_the_archive_is_debians_own_that_the_machine_uses() -> None:
    assert debian.archives(TARGETS) == ["http://one.example/debian/"]
    assert debian.archives("") == []


def test_another_python_is_no_pypy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYPY", sys.executable)
    if sys.implementation.name == "pypy":
        assert pypy.found() == Path(sys.executable)
        return
    with pytest.raises(debian.PackagesMissing, match=r"is no PyPy of Python 3\.11 or newer"):
        pypy.found()


def test_the_path_is_looked_at_before_anything_is_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYPY", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert pypy.found() is None
    for name, code in (("pypy3", 1), ("pypy", 0)):  # the first is too old
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\nexit {code}\n")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
    assert pypy.found() == tmp_path / "pypy"


def test_without_a_debian_it_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(debian.PackagesMissing, match="apt-get, dpkg not found: this is no Debian"):
        pypy.fetched()


def test_what_fails_is_told_with_its_words() -> None:
    with pytest.raises(debian.PackagesMissing, match=r"failed: on purpose"):
        debian.ran([sys.executable, "-c", "import sys; sys.exit('on purpose')"])


def test_what_is_not_there_cannot_run(tmp_path: Path) -> None:
    with pytest.raises(debian.PackagesMissing, match="cannot run"):
        debian.ran([tmp_path / "nothing"])


def test_what_it_was_made_of_makes_it_anew(tmp_path: Path) -> None:
    mark, project, launcher = (tmp_path / name for name in ("mark", "project", "launcher"))
    for at, path in enumerate((project, launcher)):
        path.touch()
        os.utime(path, (at, at))
    assert not pypy.is_newer(mark, project, launcher)
    mark.touch()
    os.utime(mark, (1, 1))
    assert pypy.is_newer(mark, project, launcher)
    os.utime(launcher, (2, 2))
    assert not pypy.is_newer(mark, project, launcher)
