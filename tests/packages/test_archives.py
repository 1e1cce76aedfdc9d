"""sdist and wheel as files: what is in them, what they say, and that two builds are equal."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

import pytest

from metaquorum.base.version import VERSION
from tools.locks import requirements
from tools.pythons import SUPPORTED
from tools.release import (
    ROOT,
    Built,
    bill_of_materials,
    build_again,
    commit_epoch_s,
    differences,
    write_sums,
)


@pytest.fixture(scope="module")
def metadata(built: Built) -> Message:
    with zipfile.ZipFile(built.wheel) as wheel:
        (name,) = (one for one in wheel.namelist() if one.endswith(".dist-info/METADATA"))
        return Parser().parsestr(wheel.read(name).decode())


def test_twine_has_nothing_to_say(built: Built) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "twine", "check", "--strict", built.sdist, built.wheel],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("PASSED") == 2


def test_a_build_of_the_sdist_alone_gives_the_same_bytes(built: Built, tmp_path: Path) -> None:
    again = build_again(built, tmp_path, commit_epoch_s())
    assert differences(built, again) == []


def test_an_archive_with_a_byte_more_is_a_difference(built: Built, tmp_path: Path) -> None:
    other = tmp_path / built.wheel.name
    other.write_bytes(built.wheel.read_bytes() + b"\0")
    assert differences(built, Built(built.sdist, other)) == [built.wheel.name]


def test_the_sdist_holds_every_file_of_the_tree(built: Built) -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    with tarfile.open(built.sdist) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    assert {*listed.stdout.splitlines()} - packed == set()


def test_the_wheel_holds_what_runs_and_no_more(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as wheel:
        names = wheel.namelist()
    assert {name.split("/")[0] for name in names} == {
        "metaquorum",
        "pyspark_metaquorum",
        f"metaquorum-{VERSION}.dist-info",
    }
    assert not [name for name in names if name.startswith("metaquorum/testing/")]
    assert f"metaquorum-{VERSION}.dist-info/licenses/LICENSE" in names
    assert "pyspark_metaquorum/pipeline/log4j2.properties" in names


def test_the_metadata_name_licence_and_pythons_and_no_url(metadata: Message) -> None:
    assert metadata["Version"] == VERSION
    assert metadata["License-Expression"] == "Apache-2.0"
    assert metadata["License-File"] == "LICENSE"
    classifiers = metadata.get_all("Classifier", [])
    for version in SUPPORTED:
        assert f"Programming Language :: Python :: {version}" in classifiers
    assert not [name for name in ("Home-page", "Download-URL", "Project-URL") if metadata[name]]
    assert metadata["Requires-Python"] == f">={SUPPORTED[0]}"


def test_the_bill_of_materials_lists_what_the_wheel_needs(built: Built, tmp_path: Path) -> None:
    bill = json.loads(bill_of_materials(built.wheel, tmp_path, tmp_path).read_text())
    assert bill["bomFormat"] == "CycloneDX"
    assert bill["metadata"]["component"]["version"] == VERSION
    listed = {one["name"].lower().replace("_", "-") for one in bill["components"]}
    asked = {row.split(">")[0].lower() for row in requirements(())}
    assert asked <= listed
    assert "metaquorum" not in listed
    assert all(one["version"] for one in bill["components"])


def test_the_sums_are_those_that_sha256sum_checks(built: Built, tmp_path: Path) -> None:
    (tmp_path / "one.whl").write_bytes(built.wheel.read_bytes())
    write_sums(tmp_path)
    checked = subprocess.run(
        ["sha256sum", "--check", "SHA256SUMS"], cwd=tmp_path, capture_output=True, check=False
    )
    assert checked.returncode == 0
