"""Names of files, formed and read."""

from __future__ import annotations

import pytest

from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.storage import names


def test_offsets_have_twenty_digits_and_epochs_ten() -> None:
    snapshot = OffsetAndEpoch(epoch=4, offset=123)

    assert names.segment_file(0, names.LOG) == "00000000000000000000.log"
    assert names.segment_file(42, names.PRODUCER_SNAPSHOT) == "00000000000000000042.snapshot"
    assert names.snapshot_file(snapshot) == "00000000000000000123-0000000004.checkpoint"


@pytest.mark.parametrize(
    ("name", "offset"),
    [
        ("00000000000000000042.log", 42),
        ("42.log", None),
        ("00000000000000000042.index", None),
        ("0000000000000000004x.log", None),
        ("00000000000000000042.log.deleted", None),
        (".log", None),
    ],
)
def test_only_whole_segment_names_are_read(name: str, offset: int | None) -> None:
    assert names.parse_segment_file(name, names.LOG) == offset


@pytest.mark.parametrize(
    ("name", "snapshot"),
    [
        ("00000000000000000123-0000000004.checkpoint", OffsetAndEpoch(epoch=4, offset=123)),
        ("00000000000000000123-0000000004.checkpoint.deleted", None),
        ("00000000000000000123-0000000004-1.checkpoint.part", None),
        ("bootstrap.checkpoint", None),
        ("leader-epoch-checkpoint", None),
        ("123-4.checkpoint", None),
        ("0000000000000000012x-0000000004.checkpoint", None),
    ],
)
def test_only_whole_snapshot_names_are_read(name: str, snapshot: OffsetAndEpoch | None) -> None:
    assert names.parse_snapshot_file(name) == snapshot


@pytest.mark.parametrize(
    "name",
    ["a.checkpoint.part", "a.log.deleted", "a.cleaned", "a.log.swap", "quorum-state.tmp"],
)
def test_interrupted_work_is_told_by_its_suffix(name: str) -> None:
    assert names.is_leftover(name)
    assert not names.is_leftover("00000000000000000000.log")


def test_the_part_of_a_snapshot_is_a_leftover_and_no_snapshot() -> None:
    part = names.snapshot_part_file(OffsetAndEpoch(epoch=4, offset=123))

    assert names.is_leftover(part)
    assert names.parse_snapshot_file(part) is None
