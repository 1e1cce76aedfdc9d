"""locks/ and the table of extras fit pyproject.toml; nobody is asked for that."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from metaquorum.base.version import VERSION
from tools.locks import LOCKS, NOT_FOR_OLDEST, OLDEST, USERS_EXTRAS, lock_of, requirements
from tools.pythons import SUPPORTED

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
TABLE = ROOT / "docs/reference/extras.md"
OF_OLDEST = tuple(name for name in USERS_EXTRAS if name not in NOT_FOR_OLDEST)


def pins(lock: Path) -> dict[str, Version]:
    rows = [
        row for row in lock.read_text(encoding="utf-8").splitlines() if row[:1] not in ("", "#")
    ]
    split = [row.split("==") for row in rows]
    return {canonicalize_name(name): Version(version) for name, version in split}


def parsed(extras: tuple[str, ...]) -> list[Requirement]:
    return [Requirement(row) for row in requirements(extras)]


@pytest.mark.parametrize("version", SUPPORTED)
def test_a_lock_pins_all_that_users_need_within_its_range(version: str) -> None:
    pinned = pins(lock_of(version))
    for wanted in parsed(USERS_EXTRAS):
        found = pinned.get(canonicalize_name(wanted.name))
        assert found is not None, f"{wanted.name} is in no lock: make locks"
        assert found in wanted.specifier, f"{wanted} is locked to {found}: make locks"


def test_the_oldest_lock_pins_each_lower_bound() -> None:
    pinned = pins(OLDEST)
    for wanted in parsed(OF_OLDEST):
        (bound,) = (one.version for one in wanted.specifier if one.operator == ">=")
        assert pinned[canonicalize_name(wanted.name)] == Version(bound), f"{wanted}: make locks"


def test_every_lock_is_of_a_supported_python() -> None:
    assert {*LOCKS.iterdir()} == {OLDEST, *(lock_of(version) for version in SUPPORTED)}
    assert PROJECT["requires-python"] == f">={SUPPORTED[0]}"


def test_the_table_lists_every_extra_and_what_it_brings() -> None:
    rows = re.findall(
        r"^\| `([a-z]+)` \| .* \| (.*) \| (users|developers) \|$",
        TABLE.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    assert {name for name, _, _ in rows} == {*EXTRAS}
    for name, brings, who in rows:
        assert (who == "users") == (name in USERS_EXTRAS), name
        if name != "dev":
            assert brings.split(", ") == sorted(Requirement(row).name for row in EXTRAS[name])


def test_the_version_is_stated_once() -> None:
    stated = re.compile(rf"[\"']{re.escape(VERSION)}[\"']")
    found = [
        str(path.relative_to(ROOT))
        for path in sorted((ROOT / "src").rglob("*.py"))
        if stated.search(path.read_text(encoding="utf-8"))
    ]
    assert found == ["src/metaquorum/base/version.py"]
    assert PROJECT["dynamic"] == ["version"]
