"""Both dump-log tools decode the records of brokers' own topics alike."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from metaquorum.records.builder import build_batch
from tests.interop.broker_topics import (
    KeyValue,
    consumer_groups,
    coordinator_records,
    damaged_coordinator_records,
    odd_coordinator_records,
    odd_remote_records,
    remote_records,
)
from tools.kafka import JavaHelper
from tools.kafka.tool import ToolResult
from tools.own_node import metaquorum

COORDINATORS = {
    "group": "--offsets-decoder",
    "transaction": "--transaction-log-decoder",
    "share": "--share-group-state-decoder",
}
REMOTE = "--remote-log-metadata-decoder"
# Why a record cannot be read is said in words of one's own.
REASON = re.compile(r"(?<=due to: ).*|(?<=payload: Error at offset ).*")


def log_of(directory: Path, records: Sequence[KeyValue]) -> Path:
    path = directory / f"{0:020d}.log"
    path.write_bytes(build_batch(records, timestamp_ms=1_700_000_000_000))
    return path


def both(java: JavaHelper, path: Path, *flags: str) -> tuple[str, str]:
    theirs: ToolResult = java.tool("dump-log", *flags, "--files", path)
    ours = metaquorum("dump-log", *flags, "--files", path)
    assert theirs.exit_code == 0, theirs.stderr
    assert ours.exit_code == 0, ours.stderr
    return ours.stdout, theirs.stdout


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("package", COORDINATORS)
def test_coordinators_records_are_dumped_alike(
    package: str, seed: int, java: JavaHelper, tmp_path: Path
) -> None:
    records = coordinator_records(package, Random(f"{package} {seed}"))
    ours, theirs = both(java, log_of(tmp_path, records), COORDINATORS[package])
    assert ours == theirs
    assert theirs.count('payload: {"version":"') + theirs.count("<DELETE>") == len(records)


@pytest.mark.parametrize("package", COORDINATORS)
def test_coordinators_records_that_nobody_knows_are_dumped_alike(
    package: str, java: JavaHelper, tmp_path: Path
) -> None:
    records = odd_coordinator_records(package, Random(package))
    ours, theirs = both(java, log_of(tmp_path, records), COORDINATORS[package])
    assert ours == theirs
    assert theirs.count("skipping.") == len(records) - 2


@pytest.mark.parametrize("package", COORDINATORS)
def test_damaged_coordinator_records_are_dumped_alike_but_the_reason(
    package: str, java: JavaHelper, tmp_path: Path
) -> None:
    records = damaged_coordinator_records(package, Random(package))
    ours, theirs = both(java, log_of(tmp_path, records), COORDINATORS[package])
    assert REASON.sub("", ours) == REASON.sub("", theirs)
    assert len(REASON.findall(theirs)) == len(records)


def test_what_consumers_tell_their_group_is_decoded_alike(java: JavaHelper, tmp_path: Path) -> None:
    ours, theirs = both(java, log_of(tmp_path, consumer_groups()), "--offsets-decoder")
    assert ours == theirs
    assert '"subscription":{"topics":["a","b"]' in theirs


@pytest.mark.parametrize("flags", [(), ("--skip-record-metadata",)], ids=["all", "payloads"])
def test_remote_metadata_is_dumped_alike(
    flags: tuple[str, ...], java: JavaHelper, tmp_path: Path
) -> None:
    ours, theirs = both(java, log_of(tmp_path, remote_records(Random(5))), REMOTE, *flags)
    assert ours == theirs
    assert "payload: Error" not in theirs


def test_invalid_remote_metadata_is_dumped_alike_but_the_reason(
    java: JavaHelper, tmp_path: Path
) -> None:
    records = odd_remote_records(Random(6))
    ours, theirs = both(java, log_of(tmp_path, records), REMOTE)
    assert REASON.sub("", ours) == REASON.sub("", theirs)
    assert len(REASON.findall(theirs)) == len(REASON.findall(ours)) == len(records)


def test_of_two_decoders_both_tools_take_the_same(java: JavaHelper, tmp_path: Path) -> None:
    path = log_of(tmp_path, [(b"\0\x63", None)])
    flags = [*COORDINATORS.values(), REMOTE, "--cluster-metadata-decoder"]
    for pair in itertools.combinations(flags, 2):
        ours, theirs = both(java, path, *pair)
        assert re.sub("skipping.*", "", ours) == re.sub("skipping.*", "", theirs), pair


def test_the_version_is_all_that_is_printed_of_it(java: JavaHelper) -> None:
    for done in (java.tool("dump-log", "--version"), metaquorum("dump-log", "--version")):
        assert done.exit_code == 0
        assert re.fullmatch(r"\d+\.\d+\.\d+\n", done.stdout)
