"""Which build of Python `make setup` takes."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tools.interpreter import Interpreter, candidates, choose, probed

OWN = Interpreter("/own/python3", "3.11.7", "/own", 0.010)


def test_a_far_faster_build_of_the_same_version_is_chosen() -> None:
    fast = Interpreter("/fast/python3", "3.11.2", "/fast", 0.005)
    faster = Interpreter("/faster/python3", "3.11.9", "/faster", 0.004)
    assert choose([OWN, fast]) is fast
    assert choose([OWN, fast, faster]) is faster


def test_a_little_faster_is_no_reason() -> None:
    assert choose([OWN, Interpreter("/b/python3", "3.11.2", "/b", 0.0085)]) is OWN
    assert choose([OWN]) is OWN


def test_another_version_is_never_taken() -> None:
    assert choose([OWN, Interpreter("/b/python3", "3.13.0", "/b", 0.001)]) is OWN


def test_the_same_installation_by_another_name_is_none() -> None:
    assert choose([OWN, Interpreter("/own/python3.11", "3.11.7", "/own", 0.001)]) is OWN


def test_pythons_are_looked_for_on_the_path_each_once(tmp_path: Path) -> None:
    real, other = tmp_path / "real", tmp_path / "other"
    real.mkdir()
    other.mkdir()
    (real / "python3").write_text("#!/bin/sh\n")
    (real / "python3").chmod(0o755)
    (other / "python3").symlink_to(real / "python3")
    (other / f"python3.{sys.version_info.minor}").write_text("not a program")
    found = list(candidates("/own/python3", os.pathsep.join([str(other), str(real)])))
    assert found[0] == "/own/python3"
    assert found.count(str(real / "python3")) == 1
    assert not [one for one in found if one.startswith(str(other))]


def test_what_is_no_python_is_passed_over(tmp_path: Path) -> None:
    broken = tmp_path / "python3"
    broken.write_text("#!/bin/sh\necho nonsense\n")
    broken.chmod(0o755)
    assert probed(str(broken)) is None
    assert probed(str(tmp_path / "missing")) is None


def test_this_one_is_measured() -> None:
    found = probed(sys.executable)
    assert found is not None
    assert found.prefix == sys.base_prefix
    assert found.seconds > 0
